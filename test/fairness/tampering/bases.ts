import type { GameRecord } from '../../../src/fairness/record.js';
import type { Aborter } from '../../../src/fairness/log-entry.js';
import { rulesetById } from '../../../src/rules/registry.js';
import { Made, SEEK_ID, type Given } from '../made.js';
import { heldOf, type Held } from './held.js';

/** The games that are tampered with, each with what players and strangers hold of it. */

const by = (id: string, given: Given = {}): Made => new Made(rulesetById(id)!, given);
export const chess = (given: Given = {}): Made => by('chess', given);
export const banqi = (given: Given = {}): Made => by('banqi-taiwan', given);
export const moves = (game: Made, text: string): Made => text.split(' ').reduce((at, move) => at.play(move), game); // prettier-ignore

export const BANK = { type: 'bank', initial: 86_400, increment: 3600, cap: 172_800 } as const;
export const OPENING = 'e2e4 e7e5 f1c4 b8c6';
const KNIGHTS = 'g1f3 g8f6 f3g1 f6g8';

const GAMES = {
  /** Seed given before the acceptance, sides by the seeds; resigned. */
  dealt: () => banqi().wander(12).act('first', 'resign'),
  announced: () =>
    banqi({ announced: ['creator'] })
      .wander(6)
      .act('first', 'resign'),
  met: () => banqi({ kind: 'seek', seek: SEEK_ID, announced: ['creator', 'accepter'] }).wander(8).act('second', 'resign'), // prettier-ignore
  seek: () => moves(chess({ kind: 'seek', creatorSeed: null, accepterSeed: null }), OPENING).act('first', 'resign'), // prettier-ignore
  running: () => moves(chess(), OPENING),
  dealing: () => banqi().wander(5),
  /** The seed of the accepter came with the seek that was joined. */
  joined: () => banqi({ kind: 'seek', seek: SEEK_ID, announced: ['creator'] }).wander(6).act('second', 'resign'), // prettier-ignore
  waiting: () => banqi({ announced: ['creator'], withheld: ['creator'] }),
  wished: () => moves(chess({ side: 'second' }), OPENING).act('first', 'resign'),
  balanced: () => moves(chess({ earlier: { creator: 2, accepter: 1 } }), OPENING).act('first', 'resign'),
  rated: () => moves(chess({ rated: true, side: 'first' }), OPENING).act('first', 'resign'),
  mated: () => moves(chess({ side: 'first' }), `${OPENING} d1h5 g8f6 h5f7`),
  agreed: () => moves(chess({ side: 'first' }), OPENING).act('first', 'offerDraw').act('second', 'acceptDraw'), // prettier-ignore
  declined: () => moves(chess({ side: 'first' }), OPENING).act('first', 'offerDraw').act('second', 'declineDraw').act('first', 'resign'), // prettier-ignore
  lapsed: () => moves(chess({ side: 'first' }), OPENING).play('d1h5', { offersDraw: true }).play('g8f6').act('first', 'resign'), // prettier-ignore
  takenBack: () => moves(chess({ side: 'first', timeControl: BANK }), OPENING).act('second', 'offerTakeback').act('first', 'acceptTakeback').play('d7d6').act('first', 'resign'), // prettier-ignore
  talked: () => moves(chess({ timeControl: BANK }), OPENING).act('second', 'offerTakeback').act('first', 'offerTakeback').act('first', 'offerPause').act('second', 'acceptTakeback').play('a2a3').act('first', 'resign'), // prettier-ignore
  claimed: () => moves(chess(), `${KNIGHTS} ${KNIGHTS}`).act('first', 'claimDraw', { reason: 'threefoldRepetition' }), // prettier-ignore
  late: () =>
    moves(chess({ side: 'first' }), OPENING)
      .wait(70_000)
      .wait(20_000),
  given: () => moves(chess({ timeControl: BANK }), OPENING).act('second', 'giveTime', { ply: 5 }).play('d1h5').act('second', 'requestTime').act('first', 'acceptTimeRequest').play('g8f6').act('first', 'resign'), // prettier-ignore
  paused: () => moves(chess(), OPENING).act('first', 'offerPause').act('second', 'acceptPause').wait(2000).act('first', 'unpause').act('second', 'unpause').play('d1h5').act('second', 'resign'), // prettier-ignore
  resumed: () => moves(chess(), OPENING).act('first', 'offerPause').act('second', 'acceptPause').wait(200_000).act('first', 'unpause').wait(100_000).play('d1h5').act('second', 'resign'), // prettier-ignore
  holiday: () => moves(chess(), OPENING).vacation('first', 2).wait(2 * 86_400).play('d1h5').act('second', 'resign'), // prettier-ignore
  awayFirst: () => chess({ away: { first: Date.UTC(2026, 1, 3) } }).wait(2 * 86_400).play('e2e4').act('second', 'resign'), // prettier-ignore
  automatic: () => chess().play('e2e4').play('e7e5', { automatic: true }).play('f1c4').act('second', 'resign', {}, { automatic: true }), // prettier-ignore
  aborted: () => chess({ side: 'first' }).play('e2e4').act('second', 'abort'),
  abandoned: () => moves(chess({ timeControl: { type: 'none' } }), OPENING).wait(31 * 86_400).act('second', 'claimAbandoned'), // prettier-ignore
  adjudicated: () => moves(chess(), OPENING).adjudicate('a mistake of ours'),
  withheld: () => banqi({ announced: ['creator'], withheld: ['creator'] }).wait(86_401),
  /** By the creator alone: that of the accepter came with the seek. */
  oneWithheld: () => banqi({ kind: 'seek', seek: SEEK_ID, announced: ['creator'], withheld: ['creator'] }).wait(86_401), // prettier-ignore
  bothWithheld: () => banqi({ kind: 'seek', seek: SEEK_ID, announced: ['creator', 'accepter'], withheld: ['creator', 'accepter'] }).wait(86_401), // prettier-ignore
  setUp: () => by('half-court-chess').wander(4).act('first', 'resign'),
  setUpAgreed: () => by('half-court-chess', { options: { setup: 'NQRBK/qbnrk' } }).wander(4).act('first', 'resign'), // prettier-ignore
} as const satisfies Readonly<Record<string, () => Made>>;
export type BaseName = keyof typeof GAMES;

const ABORTED_BY: Partial<Record<BaseName, Aborter>> = {
  aborted: 'accepter',
  adjudicated: 'operator',
  withheld: 'creator',
  oneWithheld: 'creator',
  bothWithheld: 'both',
};

export interface Base {
  readonly record: GameRecord;
  readonly held: Held;
}

async function made(name: BaseName): Promise<Base> {
  const record = JSON.parse(JSON.stringify(GAMES[name]().record)) as GameRecord;
  return { record, held: await heldOf(record, ABORTED_BY[name] ?? null) };
}

const once = <T>(work: () => T): (() => T) => {
  let done: { readonly value: T } | undefined;
  return () => (done ??= { value: work() }).value;
};

export const BASES = Object.fromEntries(
  Object.keys(GAMES).map((name) => [name, once(() => made(name as BaseName))]),
) as Readonly<Record<BaseName, () => Promise<Base>>>;
