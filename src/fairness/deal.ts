import type { Ruleset } from '../rules/ruleset.js';
import { hmac } from './digest.js';

/**
 * What chance decides, derived from the seeds alone so that anyone can derive it again.
 * Source: the rules, "Dealing and fairness", 3 and 4; for the sides the design of play, "Matchmaking".
 */

/** All that a deal depends on. `first` and `second` are the players by who makes ply 1. */
export interface Seeds {
  readonly gameId: string;
  /** 32 bytes, secret until the game ends. */
  readonly serverSeed: Uint8Array;
  readonly firstClientSeed: string;
  readonly secondClientSeed: string;
}

/** What dealing needs to know of a rule set. */
export type Dealt = Pick<Ruleset<never>, 'chance' | 'dealing'>;

/** Unsigned 32-bit numbers without end, eight from each block. */
type KeyStream = Generator<number, never>;

const UINT32_VALUES = 2 ** 32;

function* keyStream({ gameId, serverSeed, firstClientSeed, secondClientSeed }: Seeds): KeyStream {
  for (let block = 0; ; block++) {
    const bytes = hmac(serverSeed, `${gameId}:${firstClientSeed}:${secondClientSeed}:${block}`);
    for (let at = 0; at < bytes.length; at += 4) yield bytes.readUInt32BE(at);
  }
}

/** A number in 0 .. `bound` - 1, each equally likely: draws that would favour the small ones are thrown away. */
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

/** Could the shuffle give this text: the rule set's own letters in some order, row by row? */
export function canBeDrawn({ dealing }: Dealt, text: string): boolean {
  const rows = text.split('/');
  return rows.length === dealing.length && rows.every((row, at) => sorted(row) === sorted(dealing[at]!));
}

/**
 * Who makes ply 1 where neither a wish nor earlier games decide: the lowest bit of the first byte,
 * 0 for the creator of the seek or challenge, 1 for the player who accepted it.
 */
export function sides(
  gameId: string,
  serverSeed: Uint8Array,
  creatorClientSeed: string,
  accepterClientSeed: string,
): 'creator' | 'accepter' {
  const bytes = hmac(serverSeed, `${gameId}:sides:${creatorClientSeed}:${accepterClientSeed}`);
  return (bytes[0]! & 1) === 0 ? 'creator' : 'accepter';
}
