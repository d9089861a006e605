import { Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { EVENT_TYPES } from '../../arbiter/acts/registry.js';
import { connectionOf } from '../../platform/connection.js';
import { DateTimeScalar, JsonScalar } from '../../platform/graphql/scalars.js';
import { enumOf, Shown } from '../../platform/model.js';
import { PlayerEnum } from './enums.model.js';

/** What leaves the server about the log of a game. */

export const EventTypeEnum = enumOf(EVENT_TYPES);
registerEnumType(EventTypeEnum, {
  name: 'GameEventType',
  description: 'Acts that are no plies, starts and ends.',
});

@ObjectType({ description: 'Shows that the turned-up piece is the one that was dealt there.' })
export class DealProof {
  @Shown(() => String)
  readonly salt: string;

  @Shown(() => [String], { description: 'Hashes from the leaf up to dealRoot.' })
  readonly path: readonly string[];
}

@ObjectType({ description: 'One recorded action of one player.' })
export class Ply {
  @Shown(() => Int, { description: 'The version of the game that it made.' })
  readonly seq: number;

  @Shown(() => Int, { description: 'Its number, from 1.' })
  readonly ply: number;

  @Shown(() => PlayerEnum)
  readonly player: keyof typeof PlayerEnum;

  @Shown(() => String, { example: 'e2e4' })
  readonly move: string;

  @Shown(() => String, { nullable: true, description: 'Letter of the piece that it turned up.' })
  readonly reveals: string | null;

  @Shown(() => String, { nullable: true, description: 'Letter of the piece that it captured.' })
  readonly captured: string | null;

  @Shown(() => String, { description: 'As people write it.', example: 'e4' })
  readonly san: string;

  @Shown(() => String, { description: 'The position after it.' })
  readonly position: string;

  @Shown(() => Int, { description: 'Whole seconds for which the clock ran.' })
  readonly timeUsed: number;

  @Shown(() => Int, {
    nullable: true,
    description: 'Whole seconds in the bank of its player after it; null without a bank.',
  })
  readonly clock: number | null;

  @Shown(() => Boolean, { description: 'Was it a conditional move?' })
  readonly automatic: boolean;

  @Shown(() => Boolean, { description: 'Has it been taken back? Such plies are listed only when asked for.' })
  readonly takenBack: boolean;

  @Shown(() => DateTimeScalar)
  readonly playedAt: Date;

  @Shown(() => String)
  readonly previousHash: string;

  @Shown(() => String, { description: 'SHA-256 over the ply with the hash before it.' })
  readonly hash: string;

  @Shown(() => DealProof, { nullable: true })
  readonly proof: DealProof | null;
}

@ObjectType({ description: 'A page of plies (Relay).' })
export class PlyConnection extends connectionOf(Ply, 'A ply in a page.') {
  @Shown(() => Int, { description: 'All plies of the list.' })
  readonly totalCount: number;
}

@ObjectType({ description: 'An act that is no ply, a start or an end.' })
export class GameEvent {
  @Shown(() => Int, { description: 'The version of the game that it made.' })
  readonly seq: number;

  @Shown(() => EventTypeEnum)
  readonly type: keyof typeof EventTypeEnum;

  @Shown(() => PlayerEnum, { nullable: true })
  readonly player: keyof typeof PlayerEnum | null;

  @Shown(() => JsonScalar)
  readonly data: Readonly<Record<string, unknown>>;

  @Shown(() => DateTimeScalar)
  readonly at: Date;
}
