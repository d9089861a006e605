import { ObjectType } from '@nestjs/graphql';
import { enumOf, model, shown } from '../../platform/contract/model.js';
import { SeatEnum } from './enums.model.js';
import { SEED_STATES } from './game.row.js';

/** Response types for how a game was dealt and what proves it (docs/fairness.md). */

export const SeedStateEnum = enumOf(SEED_STATES, {
  name: 'SeedState',
  description: "A state of a player's client seed, which takes part in the shuffle.",
  values: {
    sealed: 'Announced by its hash and awaited.',
    given: 'Given by the player.',
    leftToServer: 'Left to the server, which could then choose it.',
  },
});

@ObjectType({
  description: "The players' client seeds.",
})
export class ClientSeeds extends model({
  first: shown(String, {
    nullable: true,
    description: 'The client seed of the first player; null if it is awaited or left to the server.',
  }),
  second: shown(String, {
    nullable: true,
    description: 'The client seed of the second player; null if it is awaited or left to the server.',
  }),
}) {}

@ObjectType({
  description:
    'The data by which anyone can verify that a game was dealt and kept fairly (docs/fairness.md).',
})
export class Fairness extends model({
  commitment: shown(String, {
    description: 'The SHA-256 of the server seed in hex, shown before any client seed was given.',
  }),
  dealRoot: shown(String, {
    nullable: true,
    description: 'The Merkle root of the deal in hex; null without a deal, and until it is made.',
  }),
  clientSeeds: shown(ClientSeeds, { description: "The players' client seeds." }),
  clientSeedHash: shown(String, {
    nullable: true,
    description:
      "The SHA-256 of the creator's client seed in hex, announced or given; null if it was left to the server.",
  }),
  creator: shown(SeatEnum, { description: 'The seat of the creator of the challenge.' }),
  creatorSeed: shown(SeedStateEnum, { description: "The state of the creator's client seed." }),
  accepterSeed: shown(SeedStateEnum, {
    description: 'The state of the client seed of the player who accepted the challenge.',
  }),
  awaitingSeed: shown(Boolean, {
    description: 'True if the game waits for an announced client seed.',
  }),
  termsHash: shown(String, {
    description: 'The hash of the first entry of the chain, which has the terms of the challenge.',
  }),
  headHash: shown(String, {
    description: 'The hash of the newest stored entry of the chain, which stands for the whole game.',
  }),
  receipt: shown(String, {
    onDemand: true,
    description:
      'The signed receipt of the stored version of the game (docs/fairness.md, "Receipts"), of which the newest is worth ' +
      'keeping.',
  }),
  serverSeed: shown(String, {
    nullable: true,
    onDemand: true,
    description: 'The server seed in hex; null until the game is over.',
  }),
}) {}
