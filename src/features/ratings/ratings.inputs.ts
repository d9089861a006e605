import { ArgsType } from '@nestjs/graphql';
import { lookupId, text } from '../../platform/contract/fields.js';
import { argsOf, inputOf } from '../../platform/contract/inputs.js';
import { MAX_PAGE_SIZE } from '../../platform/contract/page.js';
import { pageInput, rangeInput } from '../../platform/contract/page.inputs.js';

/** Inputs about ratings. Unknown users and pools are reported by the services. */

const USER = { username: text('The username of the user.') };
const POOL = { pool: lookupId('The id of the rating pool.', { rest: { type: String }, example: 'chess' }) };

@ArgsType()
export class PoolArgs extends argsOf(POOL) {}

export class PoolParam extends PoolArgs {}

@ArgsType()
export class RatingHistoryArgs extends inputOf({ ...USER, ...POOL, ...rangeInput(MAX_PAGE_SIZE) }) {}

@ArgsType()
export class LeaderboardArgs extends inputOf({ ...POOL, ...pageInput() }) {}

export const EXPECTED = {
  a: text('The username of the first user.'),
  b: text('The username of the second user.'),
  ...POOL,
};

@ArgsType()
export class ExpectedScoreArgs extends argsOf(EXPECTED) {}

export class UsernameParam extends argsOf({ ...USER }) {}

export class HistoryParam extends argsOf({ ...POOL, ...USER }) {}
