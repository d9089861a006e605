import { ID, Int, ObjectType } from '@nestjs/graphql';
import { TimeControl } from '../games/clocks.model.js';
import { OPTIONS, SETUP_NUMBER } from '../games/descriptions.js';
import { Outcome } from '../games/games.model.js';
import { StatusEnum } from '../games/enums.model.js';
import { PLAYED } from '../games/plies.model.js';
import { MAX_PAGE_SIZE } from '../../platform/contract/page.js';
import { connectionOf } from '../../platform/contract/connection.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { model, shown, shownJson } from '../../platform/contract/model.js';
import { Node } from '../../platform/contract/node.js';
import { pageFields, pageFieldsBothWays } from '../../platform/contract/paginated.js';
import { RULESET } from '../rulesets/named.js';
import { User } from '../users/users.model.js';
import type { ImportRow } from './import.row.js';

/** Response types for imported games. Only the moves and the end of a text are verified. */

@ObjectType({ description: 'The names of the players as the text gives them; not users of this server.' })
export class ImportedPlayers extends model({
  first: shown(String, { nullable: true, description: 'The name of the first player; null if unknown.' }),
  second: shown(String, { nullable: true, description: 'The name of the second player; null if unknown.' }),
}) {}

@ObjectType({ description: 'A ply of an imported game.' })
export class ImportedPly extends model({
  ply: shown(Int, { description: 'The number of the ply, from 1.' }),
  ...PLAYED,
  timeUsed: shown(Int, {
    nullable: true,
    description: 'The time that the player used for the ply, in whole seconds; null if unknown.',
  }),
  clock: shown(Int, {
    nullable: true,
    description: 'The time that the player had left after the ply, in whole seconds; null if unknown.',
  }),
  automatic: shown(Boolean, { description: 'True if the ply was a conditional move.' }),
}) {}

@ObjectType({ description: 'A page of plies.' })
export class ImportedPlyConnection extends model({
  ...connectionOf(ImportedPly, 'A ply on a page.', { page: MAX_PAGE_SIZE }),
  totalCount: shown(Int, { description: 'The number of plies of the game.' }),
}) {}

export class ImportedPlyPage extends model({
  ...pageFieldsBothWays(ImportedPly),
  totalCount: ImportedPlyConnection.fields.totalCount,
}) {}

@ObjectType({
  description:
    'A game that was played elsewhere, is over, and was imported from a text. It counts in no rating, statistics or search.',
  implements: () => [Node],
})
export class ImportedGame extends model({
  id: shown(ID, { description: 'The id of the imported game.' }),
  imported: shown(Boolean, { description: 'Always true, to distinguish it from a game played here.' }),
  importedAt: shown(DateTimeScalar, { description: 'The time at which it was imported.' }),
  ruleset: RULESET,
  options: shownJson<Readonly<Record<string, unknown>>>({ description: OPTIONS }),
  setup: shown(String, { nullable: true, description: 'The set-up at the start; null without one.' }),
  setupNumber: shown(Int, { nullable: true, description: SETUP_NUMBER, example: 4242 }),
  start: shown(String, {
    nullable: true,
    description:
      'The position that the plies begin from, as FEN; null for the usual start or that of the set-up.',
  }),
  faceDown: shown(String, {
    nullable: true,
    description: 'The letters of the face-down pieces of `start`; null if the text does not name them.',
  }),
  rated: shown(Boolean, { description: 'Always false.' }),
  status: shown(StatusEnum, { description: 'The status: finished, or aborted if the text says so.' }),
  outcome: shown(Outcome, {
    description: 'The outcome by the rules if they end the game, or else as the text says (docs/formats.md).',
  }),
  players: shown(ImportedPlayers, { description: 'The names of the players as the text gives them.' }),
  originalId: shown(String, {
    nullable: true,
    description: 'The id of the game in the text; null without one.',
  }),
  event: shown(String, { nullable: true, description: 'The tournament or match; null if unknown.' }),
  site: shown(String, {
    nullable: true,
    description: 'The place or the address of the game; null if unknown.',
  }),
  round: shown(String, { nullable: true, description: 'The round of the event; null if unknown.' }),
  date: shown(String, {
    nullable: true,
    description:
      'The date of the game, as in 2026.01.31 with ? for unknown digits; null if it is the day of `startedAt` or unknown.',
  }),
  timeControl: shown(TimeControl, {
    nullable: true,
    description:
      'The time control; null if it is unknown or of a type that this server does not have; `tags` then has its text.',
  }),
  startedAt: shown(DateTimeScalar, {
    nullable: true,
    description: 'The time at which the game started; null if unknown.',
  }),
  endedAt: shown(DateTimeScalar, {
    nullable: true,
    description: 'The time at which the game ended; null if unknown.',
  }),
  tags: shownJson<Readonly<Record<string, string>>>({
    description: 'The further tags of the text by name.',
    rest: { type: 'object', additionalProperties: { type: 'string' } },
  }),
  plyCount: shown(Int, { description: 'The number of plies.' }),
  position: shown(String, { description: 'The position after the last ply, as FEN.' }),
}) {
  /** For the fields that are resolved on demand; not in the schema. */
  readonly row: ImportRow;
}

@ObjectType({ description: 'A page of imported games.' })
export class ImportedGameConnection extends model(
  connectionOf(ImportedGame, 'An imported game on a page.'),
) {}

export const IMPORTED_BY = 'The user who imported the game.';

/** An imported game in REST, including the fields that GraphQL resolves on demand. */
export class ImportedGameDocument extends model({
  ...ImportedGame.fields,
  importedBy: shown(User, { description: IMPORTED_BY }),
}) {}

export class ImportedGamePage extends model(pageFields(ImportedGameDocument)) {}
