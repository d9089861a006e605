import { Int, ObjectType } from '@nestjs/graphql';
import { ACTS } from '../../arbiter/acts/registry.js';
import { Cost, rowsAtMost } from '../../platform/graphql/cost.js';
import { enumOf, model, shown } from '../../platform/model.js';
import { ClaimEnum, SeatEnum } from './enums.model.js';
import type { ShownGame } from './game.row.js';

/** What leaves the server about a game for one of its players alone. */

export const ActEnum = enumOf(
  ACTS.map(({ name }) => name),
  { name: 'ActType', description: 'An act of a player of a game; its mutation has the same name.' },
);

@ObjectType({ description: 'A draw that may be claimed.' })
export class AllowedClaim extends model({
  reason: shown(ClaimEnum),
  move: shown(String, {
    nullable: true,
    description: 'The move with which it holds; null: it holds as the game stands.',
  }),
}) {}

@ObjectType({ description: 'What may go with an act.' })
export class ActTerms extends model({
  ply: shown(Int, { nullable: true, description: 'makeMove, giveTime: the number to send as `ply`.' }),
  offerDraw: shown(Boolean, {
    nullable: true,
    description: 'makeMove: whether a draw may be offered with the move.',
  }),
  // Of one act alone, and few of them: about one for each act.
  claims: shown(
    [AllowedClaim],
    { nullable: true, description: 'claimDraw: what may be claimed.' },
    Cost(rowsAtMost(1)),
  ),
}) {}

@ObjectType({ description: 'An act that you may do now.' })
export class AllowedAct extends model({
  act: shown(ActEnum),
  terms: shown(ActTerms, { nullable: true, description: 'Null: the act takes nothing.' }),
}) {}

export const ACTS_NOW =
  'What you may do in the game now: each of these would be accepted, and change something; every other act would not. ' +
  'Limits of rate and acts that come in meanwhile are not looked at.';

@ObjectType({ description: 'A game as one of its players has it: nobody else sees any of this.' })
export class GameViewer extends model({ seat: shown(SeatEnum, { description: 'Your seat.' }) }) {
  /** Where the fields that are resolved on demand start from; in no schema. */
  readonly row: ShownGame;
}
