import { ArgsType } from '@nestjs/graphql';
import { soughtId, text } from '../../platform/fields.js';
import { argsOf, inputOf } from '../../platform/inputs.js';
import { PAGE, RANGE } from '../../platform/page.inputs.js';

/** What comes in about ratings. Who has such a name, and which pool is meant, is said by the code that knows them. */

const USER = { username: text('The username of the user.') };
const POOL = { pool: soughtId('The id of the rating pool.', { rest: { type: String }, example: 'chess' }) };

@ArgsType()
export class PoolArgs extends argsOf(POOL) {}

/** A pool in a path. */
export class PoolParam extends PoolArgs {}

@ArgsType()
export class RatingHistoryArgs extends inputOf({ ...USER, ...POOL, ...RANGE }) {}

@ArgsType()
export class LeaderboardArgs extends inputOf({ ...POOL, ...PAGE }) {}

export const EXPECTED = {
  a: text('The username of the first user.'),
  b: text('The username of the second user.'),
  ...POOL,
};

@ArgsType()
export class ExpectedScoreArgs extends argsOf(EXPECTED) {}

/** A user in a path. */
export class UsernameParam extends argsOf({ ...USER }) {}

/** A user in a pool in a path. */
export class HistoryParam extends argsOf({ ...POOL, ...USER }) {}
