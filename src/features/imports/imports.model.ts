import { ID, Int, ObjectType } from '@nestjs/graphql';
import { TimeControl } from '../games/clocks.model.js';
import { Outcome } from '../games/games.model.js';
import { StatusEnum } from '../games/enums.model.js';
import { PLAYED } from '../games/plies.model.js';
import { MOST_ON_A_PAGE } from '../../platform/page.js';
import { connectionOf } from '../../platform/connection.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { model, shown, shownJson } from '../../platform/model.js';
import { listed, listedBothWays } from '../../platform/listed.js';
import { User } from '../users/users.model.js';
import type { ImportRow } from './import.row.js';

/** What leaves the server about imported games. What a text says nobody has checked but the moves and the end. */

@ObjectType({ description: 'Who played, as the text names them: no users of this server.' })
export class ImportedPlayers extends model({
  first: shown(String, { nullable: true }),
  second: shown(String, { nullable: true }),
}) {}

@ObjectType({ description: 'A ply of an imported game.' })
export class ImportedPly extends model({
  ply: shown(Int, { description: 'Its number, from 1.' }),
  ...PLAYED,
  timeUsed: shown(Int, { nullable: true, description: 'Whole seconds that its player took for it.' }),
  clock: shown(Int, { nullable: true, description: 'Whole seconds that its player had left after it.' }),
  automatic: shown(Boolean, { description: 'Was it a conditional move?' }),
}) {}

@ObjectType({ description: 'A page of plies (Relay).' })
export class ImportedPlyConnection extends model({
  ...connectionOf(ImportedPly, 'A ply in a page.', { page: MOST_ON_A_PAGE }),
  totalCount: shown(Int, { description: 'All plies of the game.' }),
}) {}

/** The same in REST. */
export class ImportedPlyPage extends model({
  ...listedBothWays(ImportedPly),
  totalCount: ImportedPlyConnection.fields.totalCount,
}) {}

@ObjectType({
  description:
    'A game that was played elsewhere and brought here as a text. It is over, and touches nothing that was played here.',
})
export class ImportedGame extends model({
  id: shown(ID),
  imported: shown(Boolean, { description: 'Always true: it was not played here.' }),
  importedAt: shown(DateTimeScalar),
  ruleset: shown(String, { example: 'chess' }),
  options: shownJson<Readonly<Record<string, unknown>>>({ description: 'Complete, with the defaults.' }),
  setup: shown(String, { nullable: true, description: 'The opening set-up, where the game has one.' }),
  setupNumber: shown(Int, { nullable: true, description: 'The published number of setup.', example: 4242 }),
  start: shown(String, {
    nullable: true,
    description: 'The position that the plies begin from; null: the ordinary start, or that of setup.',
  }),
  faceDown: shown(String, {
    nullable: true,
    description: 'The letters that lay face-down in start, where the text says them.',
  }),
  rated: shown(Boolean, { description: 'Always false.' }),
  status: shown(StatusEnum, { description: 'finished, or aborted where the text says that.' }),
  outcome: shown(Outcome, {
    description:
      'By the rules where they see the end, else by the text; docs/formats.md tells what follows from it.',
  }),
  players: shown(ImportedPlayers),
  originalId: shown(String, { nullable: true, description: 'The id that the text gives the game.' }),
  event: shown(String, { nullable: true }),
  site: shown(String, { nullable: true }),
  round: shown(String, { nullable: true }),
  date: shown(String, {
    nullable: true,
    description: 'As 2026.01.31, with ? for what is not known; null: the day of startedAt, or not known.',
  }),
  timeControl: shown(TimeControl, {
    nullable: true,
    description: 'Null: not known, or none of these; then it stands in tags.',
  }),
  startedAt: shown(DateTimeScalar, { nullable: true }),
  endedAt: shown(DateTimeScalar, { nullable: true }),
  tags: shownJson<Readonly<Record<string, string>>>({
    description: 'Further tags of the text, by their names.',
    rest: { type: 'object', additionalProperties: { type: 'string' } },
  }),
  plyCount: shown(Int),
  position: shown(String, { description: 'After the last ply, as FEN or its like.' }),
}) {
  /** Where the fields that are resolved on demand start from; in no schema. */
  readonly row: ImportRow;
}

@ObjectType({ description: 'A page of imported games (Relay).' })
export class ImportedGameConnection extends model(
  connectionOf(ImportedGame, 'An imported game in a page.'),
) {}

/** An imported game as one document of REST, with what GraphQL resolves on demand. */
export class ImportedGameDocument extends model({ ...ImportedGame.fields, importedBy: shown(User) }) {}

/** A page of imported games in REST. */
export class ImportedGamePage extends model(listed(ImportedGameDocument)) {}
