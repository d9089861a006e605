import { ObjectType } from '@nestjs/graphql';
import { enumOf, model, shown } from '../../platform/model.js';
import { SeatEnum } from './enums.model.js';
import { SEED_STATES } from './game.row.js';

/** What leaves the server about how a game was dealt, and what proves it (docs/fairness.md). */

export const SeedStateEnum = enumOf(SEED_STATES, {
  name: 'SeedState',
  description:
    "A player's part in the shuffle: announced by its hash and awaited; given; or left to the server, which then may choose it.",
});

@ObjectType({
  description: "The players' part in the shuffle; null as long as one is awaited, or left to the server.",
})
export class ClientSeeds extends model({
  first: shown(String, { nullable: true, description: 'Client seed of the first player.' }),
  second: shown(String, { nullable: true, description: 'Client seed of the second player.' }),
}) {}

@ObjectType({ description: 'What proves that a game was dealt and kept fairly (docs/fairness.md).' })
export class Fairness extends model({
  commitment: shown(String, {
    description: 'SHA-256 of the server seed, shown before anyone gave a client seed.',
  }),
  dealRoot: shown(String, { nullable: true, description: 'Merkle root over the deal.' }),
  clientSeeds: shown(ClientSeeds),
  clientSeedHash: shown(String, {
    nullable: true,
    description: "SHA-256 of the creator's client seed, given or announced; null: left to the server.",
  }),
  creator: shown(SeatEnum, { description: 'Who made the challenge.' }),
  creatorSeed: shown(SeedStateEnum, { description: 'Of the creator of the challenge.' }),
  accepterSeed: shown(SeedStateEnum, { description: 'Of the player who accepted it.' }),
  awaitingSeed: shown(Boolean, {
    description: 'Whether the game waits for a client seed that was announced.',
  }),
  termsHash: shown(String, {
    nullable: true,
    description: 'Hash of the first row of the chain, with the terms of the challenge.',
  }),
  headHash: shown(String, {
    nullable: true,
    description: 'Hash of the newest row of the chain that is stored: it stands for the whole game.',
  }),
  receipt: shown(String, {
    nullable: true,
    onDemand: true,
    description:
      'What the server shows of the game at the version that is stored, signed (docs/fairness.md, "Receipts"): keep the ' +
      'newest one. Null in a game of format 1 that waits for a seed.',
  }),
  serverSeed: shown(String, {
    nullable: true,
    onDemand: true,
    description: 'The secret of the deal in hex; null until the game is over.',
  }),
}) {}
