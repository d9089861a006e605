import { Int, ObjectType } from '@nestjs/graphql';
import { ApiSchema } from '@nestjs/swagger';
import { EVENT_MEANINGS, EVENT_TYPES } from '../../arbiter/acts/registry.js';
import { MAX_PAGE_SIZE } from '../../platform/contract/page.js';
import { connectionOf } from '../../platform/contract/connection.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { pageFieldsBothWays } from '../../platform/contract/paginated.js';
import { enumOf, model, shown, shownJson } from '../../platform/contract/model.js';
import { MOVE, SAN, SEAT } from './descriptions.js';
import { SeatEnum } from './enums.model.js';

/** Response types for the log of a game. */

export const EventTypeEnum = enumOf(EVENT_TYPES, {
  name: 'GameEventType',
  description: 'A type of entry, other than a ply, in the log of a game.',
  values: EVENT_MEANINGS,
});

@ObjectType({
  description: 'A proof that the turned-up piece is the one dealt to its square (docs/fairness.md).',
})
export class DealProof extends model({
  salt: shown(String, { description: 'The salt of the leaf in hex.' }),
  path: shown([String], {
    description: 'The sibling hashes on the path from the leaf up to dealRoot, in hex.',
  }),
}) {}

export const WAY = {
  from: shown(String, {
    nullable: true,
    description: 'The square that the move begins on or turns up; null for a pass.',
    example: 'e2',
  }),
  to: shown(String, {
    nullable: true,
    description: 'The square that the move ends on; null for a pass and for a turn-up.',
    example: 'e4',
  }),
  promotion: shown(String, {
    nullable: true,
    description: 'The letter of the piece that a pawn promotes to, in lower case; null without a promotion.',
  }),
};

/** The fields that every kind of ply has. */
export const PLAYED = {
  player: shown(SeatEnum, { description: SEAT }),
  move: shown(String, { description: MOVE, example: 'e2e4' }),
  ...WAY,
  reveals: shown(String, {
    nullable: true,
    description: 'The letter of the piece that it turned up; null if it turned up none.',
  }),
  captured: shown(String, {
    nullable: true,
    description: 'The letter of the piece that it captured; null if it captured none.',
  }),
  san: shown(String, { description: SAN, example: 'e4' }),
};

@ObjectType({ description: 'A ply: a recorded move of one player.' })
export class Ply extends model({
  seq: shown(Int, { description: 'The version of the game after it.' }),
  ply: shown(Int, { description: 'The number of the ply, from 1.' }),
  ...PLAYED,
  position: shown(String, { description: 'The position after the ply, as FEN.' }),
  timeUsed: shown(Int, { description: 'The time for which the clock ran, in whole seconds.' }),
  clock: shown(Int, {
    nullable: true,
    description: 'The time in the bank of the player after the ply, in whole seconds; null without a bank.',
  }),
  automatic: shown(Boolean, { description: 'True if the ply was a conditional move.' }),
  takenBack: shown(Boolean, {
    description: 'True if the ply was taken back; such plies are listed on request only.',
  }),
  playedAt: shown(DateTimeScalar, { description: 'The time at which the ply was played.' }),
  previousHash: shown(String, { description: 'The hash of the entry before the ply in the chain, in hex.' }),
  hash: shown(String, { description: 'The SHA-256 of the ply with the hash before it, in hex.' }),
  proof: shown(DealProof, {
    nullable: true,
    description: 'The proof of the turned-up piece; null if the ply turned up none.',
  }),
}) {}

@ObjectType({ description: 'A page of plies.' })
export class PlyConnection extends model({
  ...connectionOf(Ply, 'A ply on a page.', { page: MAX_PAGE_SIZE }),
  totalCount: shown(Int, { description: 'The number of plies in the whole list.' }),
}) {}

export class PlyPage extends model({
  ...pageFieldsBothWays(Ply),
  totalCount: PlyConnection.fields.totalCount,
}) {}

@ObjectType({ description: 'An entry, other than a ply, in the log of a game.' })
export class GameEvent extends model({
  seq: shown(Int, { description: 'The version of the game after it.' }),
  type: shown(EventTypeEnum, { description: 'The type of the entry.' }),
  player: shown(SeatEnum, {
    nullable: true,
    description: 'The seat of the player who did it; null if no player did.',
  }),
  data: shownJson<Readonly<Record<string, unknown>>>({
    description: 'The details, by names that depend on the type (docs/fairness.md, "The chain").',
  }),
  at: shown(DateTimeScalar, { description: 'The time at which it happened.' }),
  previousHash: shown(String, {
    nullable: true,
    description: 'The hash of the entry before it in the chain, in hex; null in the first entry.',
  }),
  hash: shown(String, {
    description: 'The SHA-256 of the entry with the hash before it, in hex.',
  }),
}) {}

@ObjectType({ description: 'A page of the log of a game, without its plies (Relay).' })
export class GameEventConnection extends model(
  connectionOf(GameEvent, 'An entry on a page.', { page: MAX_PAGE_SIZE }),
) {}

@ApiSchema({ description: 'A page of the log of a game, without its plies.' })
export class GameEventPage extends model(pageFieldsBothWays(GameEvent)) {}
