import { RECORD_SCHEMA as PLAIN } from '../../fairness/record.js';
import type { Schema } from '../../fairness/shape.js';

/** The schemas of records with descriptions, which the verifier in browsers does not need. */

/** Descriptions by the name of the property, with the name around it where one name has several meanings. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  format: 'The format of the record.',
  id: 'The id of the game.',
  ruleset: 'The id of the rule set.',
  options: 'All options of the rule set by name.',
  setup: 'The set-up at the start; null without one.',
  deal: 'The deal as text; null or absent unless the game is over.',
  players: 'The two players; null before the start.',
  'players.first': 'The first player.',
  'players.second': 'The second player.',
  'first.id': 'The id of the user.',
  'first.username': 'The username, which no hash covers.',
  'second.id': 'The id of the user.',
  'second.username': 'The username, which no hash covers.',
  creator: 'The seat of the creator of the challenge.',
  timeControl: 'The time control, in whole seconds.',
  commitment: 'The SHA-256 of the server seed, in hex.',
  dealRoot: 'The Merkle root of the deal, in hex; null without face-down pieces.',
  clientSeeds: "The players' client seeds.",
  'clientSeeds.first': 'The client seed of the first player; null while it is awaited.',
  'clientSeeds.second': 'The client seed of the second player; null while it is awaited.',
  clientSeedHash: "The SHA-256 of the creator's client seed, if it was announced; otherwise null or absent.",
  serverSeed: 'The server seed, 32 bytes in hex; null until the end is stored.',
  termsHash: 'The hash of the terms, with which the chain begins, in hex.',
  outcome: 'The outcome; null until the end is stored.',
  status: 'The status of the game.',
  takebacks: 'The accepted takebacks, in order; null or absent without any.',
  'takebacks.seq': 'The version of the game after the takeback.',
  'takebacks.ply': 'The ply after which play continued.',
  winner: 'The seat of the winner; null if the game was drawn or aborted.',
  reason: 'The reason why the game ended.',

  rows: 'The rows of the chain, in order.',
  seq: 'The version of the game that the row belongs to.',
  type: 'The type of the row (docs/fairness.md, "The chain").',
  player: 'The seat of the player who acted; null if no player did.',
  data: 'The details, by names that depend on the type.',
  at: 'The time of the row, in UTC.',
  previousHash: 'The hash of the row before, in hex; null in the first row.',
  hash: 'The SHA-256 of the row with the hash before it, in hex.',
  proof: 'The proof of the turned-up piece; null or absent if none was turned up.',
  'proof.salt': 'The salt of the leaf, in hex.',
  'proof.path': 'The sibling hashes on the path from the leaf up to the Merkle root, in hex.',

  kind: 'The kind of the challenge.',
  'create.creator': 'The id of the user who created the challenge.',
  'create.opponent': 'The id of the challenged user; null unless the challenge is direct.',
  'create.clientSeedHash':
    "The SHA-256 of the creator's announced client seed, in hex; null if none is announced.",
  rated: 'True for a rated game.',
  'create.side': 'The seat that the creator wishes to play.',
  minRating: 'The lowest rating of an opponent, 0 to 4000; null for no limit.',
  maxRating: 'The highest rating of an opponent, 0 to 4000; null for no limit.',
  rematchOf: 'The id of the game whose rematch it is; null if it is no rematch.',
  counterTo: 'The id of the challenge to which it is a counter-offer; null if it is none.',
  expiresAt: 'The time until which the challenge can be accepted, in UTC.',

  by: 'The role of the player whose client seed it is.',
  'seed.clientSeedHash': 'The SHA-256 of the client seed, in hex.',
  'seed.clientSeed': 'The client seed, 32 hex digits; null before the acceptance.',

  accepter: 'The id of the user who accepted the challenge.',
  'accept.side': 'The seat that the accepter wishes to play.',
  seek: "The id of the accepter's own seek; null unless two seeks were paired.",
  'accept.clientSeedHash':
    "The SHA-256 of the accepter's client seed, given or announced, in hex; null without one.",
  'accept.clientSeed':
    'The client seed of the accepter, 32 hex digits; null if it is only announced, or if there is none.',
  earlier:
    'The number of earlier games of the rule set in which each was the first player; null if a wish decides the sides.',
  'earlier.creator': 'The number for the creator.',
  'earlier.accepter': 'The number for the accepter.',
  'accept.creator': 'The seat of the creator in the rows before the start, which the seeds may still change.',

  'start.first': 'The id of the first player.',
  'start.second': 'The id of the second player.',
  sidesBy: 'What decided the sides: a wish, the counts of earlier games, or the seeds.',
  creatorSeed: 'The client seed of the creator, 32 hex digits; null if it was left to the server.',
  accepterSeed: 'The client seed of the accepter, 32 hex digits; null if it was left to the server.',
  onVacationUntil:
    'The ends of the vacations of players who are away at the start; null or absent if none is.',
  'onVacationUntil.first': "The end of the first player's vacation, in UTC.",
  'onVacationUntil.second': "The end of the second player's vacation, in UTC.",

  plies: 'All plies, including those taken back, in order.',
  ply: 'The number of the ply, from 1.',
  move: 'The move in coordinates.',
  reveals: 'The letter of the piece that it turned up; null if it turned up none.',
  san: 'The move in SAN or the notation that the game has in its place.',
  position: 'The position after the ply, as FEN.',
  timeUsed: 'The time for which the clock ran, in whole seconds.',
  automatic: 'True if the ply was a conditional move.',
  playedAt: 'The time at which the ply was played, in UTC.',
  clock:
    'The time in the bank of the player after the ply, in whole seconds, which no hash covers; null or absent without a bank.',
};

const descriptionOf = (around: string, name: string): string => {
  const description = DESCRIPTIONS[`${around}.${name}`] ?? DESCRIPTIONS[name];
  if (description === undefined) throw new Error(`The property ${name} of a record has no description.`);
  return description;
};

/** What the data of a row belong to: its type, if it has only one. */
function typeOf({ type }: Readonly<Record<string, Schema>>): string {
  const types = (type?.['enum'] ?? []) as readonly string[];
  return types.length === 1 ? types[0]! : 'data';
}

/** The schema with a description of each property, also within lists and alternatives. */
function described(schema: Schema, around = ''): Schema {
  const within = (part: unknown): Schema => described(part as Schema, around);
  const { properties, items, oneOf } = schema as { readonly [name: string]: unknown };
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : { properties: describedProperties(properties as Properties, around) }),
    ...(items === undefined ? {} : { items: within(items) }),
    ...(oneOf === undefined ? {} : { oneOf: (oneOf as readonly unknown[]).map(within) }),
  };
}

type Properties = Readonly<Record<string, Schema>>;

const describedProperties = (properties: Properties, around: string): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      {
        ...described(schema, name === 'data' ? typeOf(properties) : name),
        description: descriptionOf(around, name),
      },
    ]),
  );

/** The record of a game. */
export const RECORD_SCHEMA = described(PLAIN);
