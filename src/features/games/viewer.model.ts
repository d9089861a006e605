import { Int, ObjectType } from '@nestjs/graphql';
import { ACTS, type ActName } from '../../arbiter/acts/registry.js';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { enumOf, model, shown } from '../../platform/contract/model.js';
import { ClaimEnum, SeatEnum } from './enums.model.js';
import type { ShownGame } from './game.row.js';

/** Response types for the part of a game that only its player can see. */

export const ActEnum = enumOf(
  ACTS.map(({ name }) => name),
  {
    name: 'ActType',
    description: 'An act of a player in a game, named as its mutation.',
    values: Object.fromEntries(ACTS.map(({ name, description }) => [name, description])) as Record<
      ActName,
      string
    >,
  },
);

@ObjectType({ description: 'A draw that may be claimed.' })
export class AllowedClaim extends model({
  reason: shown(ClaimEnum, { description: 'The kind of draw.' }),
  move: shown(String, {
    nullable: true,
    description:
      'The move with which the draw holds, in coordinates; null if it holds in the current position.',
  }),
}) {}

@ObjectType({ description: 'The values that may be sent with an act.' })
export class ActTerms extends model({
  ply: shown(Int, {
    nullable: true,
    description: 'The number to send as `ply`; null unless the act is makeMove or giveTime.',
  }),
  offerDraw: shown(Boolean, {
    nullable: true,
    description: 'True if a draw may be offered with the move; null unless the act is makeMove.',
  }),
  // Only claimDraw has claims, and few: count one for each act.
  claims: shown(
    [AllowedClaim],
    { nullable: true, description: 'The draws that may be claimed; null unless the act is claimDraw.' },
    Cost(rowsAtMost(1)),
  ),
}) {}

@ObjectType({ description: 'An act that you may do now.' })
export class AllowedAct extends model({
  act: shown(ActEnum, { description: 'The act.' }),
  terms: shown(ActTerms, {
    nullable: true,
    description: 'The values that may be sent with the act; null if it takes none.',
  }),
}) {}

export const ACTS_NOW =
  'The acts that you may do in the game now: each would be accepted and change something, any other would not. Rate ' +
  'limits and acts that arrive in the meantime are not considered.';

@ObjectType({ description: 'The part of a game that only you as its player can see.' })
export class GameViewer extends model({ seat: shown(SeatEnum, { description: 'Your seat.' }) }) {
  /** For the fields that are resolved on demand; not in the schema. */
  readonly row: ShownGame;
}
