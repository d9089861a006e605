import { ArgsType } from '@nestjs/graphql';
import { text } from '../../platform/fields.js';
import { argsOf, inputOf } from '../../platform/inputs.js';
import { PAGE, RANGE } from '../../platform/page.inputs.js';

/** What comes in about ratings. Who has such a name, and which rule set is meant, is said by the code that knows them. */

const POOL = { ruleset: text('The pool: the id of a rule set.') };

@ArgsType()
export class PoolArgs extends argsOf(POOL) {}

/** A pool in a path. */
export class PoolParam extends PoolArgs {}

@ArgsType()
export class RatingHistoryArgs extends inputOf({ username: text(), ...POOL, ...RANGE }) {}

@ArgsType()
export class LeaderboardArgs extends inputOf({ ...POOL, ...PAGE }) {}

@ArgsType()
export class ExpectedScoreArgs extends argsOf({
  a: text('A username.'),
  b: text('A username.'),
  ...POOL,
}) {}

/** A user in a path. */
export class UsernameParam extends argsOf({ username: text() }) {}

/** A user in a pool in a path. */
export class HistoryParam extends argsOf({ ...POOL, username: text() }) {}
