import type { Ruleset } from '../rules/ruleset.js';
import { hmac } from './digest.js';
import { canonicalJson } from './json.js';

/**
 * What chance decides, derived from the seeds alone so that anyone can derive it again.
 * Source: docs/fairness.md, "What the seeds decide".
 */

/** All that a deal depends on, beside the rule set. */
export interface Seeds {
  readonly gameId: string;
  /** 32 bytes, secret until the game ends. */
  readonly serverSeed: Uint8Array;
  /** Null if the player left the seed to the server. */
  readonly creatorSeed: string | null;
  readonly accepterSeed: string | null;
}

/** The two roles in a challenge: its creator, and the player who accepted it. */
export const ROLES = ['creator', 'accepter'] as const;
export type Role = (typeof ROLES)[number];

export type Dealt = Pick<Ruleset<never>, 'chance' | 'dealing'>;

/** Unsigned 32-bit numbers without end, eight from each block. */
type KeyStream = Generator<number, never>;

const UINT32_VALUES = 2 ** 32;

function* keyStream(seeds: Seeds): KeyStream {
  for (let block = 0; ; block++) {
    const bytes = hmac(seeds.serverSeed, blockMessage(seeds, block));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at < bytes.length; at += 4) yield view.getUint32(at);
  }
}

const blockMessage = ({ gameId, creatorSeed, accepterSeed }: Seeds, block: number): string =>
  canonicalJson(['halfmove deal 2', gameId, creatorSeed, accepterSeed, block]);

/** A uniform number in 0 .. `bound` - 1, by rejection sampling. */
function draw(stream: KeyStream, bound: number): number {
  const limit = Math.floor(UINT32_VALUES / bound) * bound;
  for (;;) {
    const { value } = stream.next();
    if (value < limit) return value % bound;
  }
}

/** Fisher-Yates from the last index down. */
function shuffle(stream: KeyStream, list: string): string {
  const items = [...list];
  for (let k = items.length - 1; k > 0; k--) {
    const j = draw(stream, k + 1);
    [items[k], items[j]] = [items[j]!, items[k]!];
  }
  return items.join('');
}

/**
 * The deal text of a face-down game (`ApanPp...`, square by square from a1), or the set-up text of a game with a
 * drawn opening (`NQRBK/qbnrk`, both rows from one key stream). Null where chance decides nothing.
 */
export function deal(ruleset: Dealt, seeds: Seeds): string | null {
  if (ruleset.chance === 'none') return null;
  const stream = keyStream(seeds);
  return ruleset.dealing.map((list) => shuffle(stream, list)).join('/');
}

const sorted = (letters: string): string => [...letters].sort().join('');

/** True if the shuffle could give this text: row by row a permutation of the dealing lists. */
export function canBeDrawn({ dealing }: Dealt, text: string): boolean {
  const rows = text.split('/');
  return rows.length === dealing.length && rows.every((row, at) => sorted(row) === sorted(dealing[at]!));
}

/**
 * Who makes ply 1 if neither a chosen side nor earlier games decide: the lowest bit of the first byte, 0 for the
 * creator, 1 for the accepter.
 */
export function sides(seeds: Seeds): Role {
  const bytes = hmac(seeds.serverSeed, sidesMessage(seeds));
  return (bytes[0]! & 1) === 0 ? 'creator' : 'accepter';
}

const sidesMessage = ({ gameId, creatorSeed, accepterSeed }: Seeds): string =>
  canonicalJson(['halfmove sides 2', gameId, creatorSeed, accepterSeed]);
