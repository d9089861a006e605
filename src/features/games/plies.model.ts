import { Int, ObjectType } from '@nestjs/graphql';
import { EVENT_TYPES } from '../../arbiter/acts/registry.js';
import { MOST_ON_A_PAGE } from '../../platform/page.js';
import { connectionOf } from '../../platform/connection.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { listed, listedBothWays } from '../../platform/listed.js';
import { enumOf, model, shown, shownJson } from '../../platform/model.js';
import { SeatEnum } from './enums.model.js';

/** What leaves the server about the log of a game. */

export const EventTypeEnum = enumOf(EVENT_TYPES, {
  name: 'GameEventType',
  description: 'Acts that are no plies, starts and ends.',
});

@ObjectType({ description: 'Shows that the turned-up piece is the one that was dealt there.' })
export class DealProof extends model({
  salt: shown(String),
  path: shown([String], { description: 'Hashes from the leaf up to dealRoot.' }),
}) {}

/** The way of a move over the board. */
export const WAY = {
  from: shown(String, {
    nullable: true,
    description: 'Square that it begins on, or turns up; null of a pass.',
    example: 'e2',
  }),
  to: shown(String, {
    nullable: true,
    description: 'Square that it ends on; null of a pass, and when it turns up a piece where it lies.',
    example: 'e4',
  }),
  promotion: shown(String, {
    nullable: true,
    description: 'Letter, in lower case, of the piece that a pawn becomes; null: it becomes none.',
  }),
};

/** What was played, as every kind of ply has it. */
export const PLAYED = {
  player: shown(SeatEnum),
  move: shown(String, { example: 'e2e4' }),
  ...WAY,
  reveals: shown(String, { nullable: true, description: 'Letter of the piece that it turned up.' }),
  captured: shown(String, { nullable: true, description: 'Letter of the piece that it captured.' }),
  san: shown(String, { description: 'As people write it.', example: 'e4' }),
};

@ObjectType({ description: 'One recorded action of one player.' })
export class Ply extends model({
  seq: shown(Int, { description: 'The version of the game that it made.' }),
  ply: shown(Int, { description: 'Its number, from 1.' }),
  ...PLAYED,
  position: shown(String, { description: 'The position after it.' }),
  timeUsed: shown(Int, { description: 'Whole seconds for which the clock ran.' }),
  clock: shown(Int, {
    nullable: true,
    description: 'Whole seconds in the bank of its player after it; null without a bank.',
  }),
  automatic: shown(Boolean, { description: 'Was it a conditional move?' }),
  takenBack: shown(Boolean, {
    description: 'Has it been taken back? Such plies are listed only when asked for.',
  }),
  playedAt: shown(DateTimeScalar),
  previousHash: shown(String),
  hash: shown(String, { description: 'SHA-256 over the ply with the hash before it.' }),
  proof: shown(DealProof, { nullable: true }),
}) {}

@ObjectType({ description: 'A page of plies (Relay).' })
export class PlyConnection extends model({
  ...connectionOf(Ply, 'A ply in a page.', { page: MOST_ON_A_PAGE }),
  totalCount: shown(Int, { description: 'All plies of the list.' }),
}) {}

/** The same in REST. */
export class PlyPage extends model({
  ...listedBothWays(Ply),
  totalCount: PlyConnection.fields.totalCount,
}) {}

@ObjectType({ description: 'An act that is no ply, a start or an end.' })
export class GameEvent extends model({
  seq: shown(Int, { description: 'The version of the game that it made.' }),
  type: shown(EventTypeEnum),
  player: shown(SeatEnum, { nullable: true }),
  data: shownJson<Readonly<Record<string, unknown>>>(),
  at: shown(DateTimeScalar),
  previousHash: shown(String, {
    nullable: true,
    description: 'Null in the first row of the chain, and in format 1, whose chain has plies alone.',
  }),
  hash: shown(String, {
    nullable: true,
    description: 'SHA-256 over the event with the hash before it; null in format 1.',
  }),
}) {}

/** Events in REST. */
export class GameEventPage extends model(listed(GameEvent)) {}
