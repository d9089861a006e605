import { rulesetById, rulesets } from '../../src/rules/registry.js';
import { Made, SEEK_ID, type Given } from './made.js';

const chess = rulesetById('chess')!;
const banqi = rulesetById('banqi-taiwan')!;
const made = (given: Given = {}): Made => new Made(chess, given);
const SCHOLAR = ['e2e4', 'e7e5', 'f1c4', 'b8c6', 'd1h5', 'g8f6', 'h5f7'];
const playedTo = (game: Made, moves: readonly string[]): Made =>
  moves.reduce((at, move) => at.play(move), game);
const BANK = { type: 'bank', initial: 86_400, increment: 3600, cap: 172_800 } as const;
const KNIGHTS = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];

/** Games by what is played in them. */
export const GAMES: readonly (readonly [string, () => Made])[] = [
  ...rulesets().map((ruleset) => [`${ruleset.id}, wandering`, () => new Made(ruleset).wander(40)] as const),
  ...rulesets().map((ruleset) => [`${ruleset.id}, whole`, () => new Made(ruleset, { rated: true }).wander(60).act('first', 'resign')] as const), // prettier-ignore
  ['mate', () => playedTo(made(), SCHOLAR)],
  [
    'draw agreed',
    () => playedTo(made(), SCHOLAR.slice(0, 4)).act('first', 'offerDraw').act('second', 'acceptDraw'),
  ],
  ['draw offered with a move, refused by a move', () => playedTo(made(), SCHOLAR.slice(0, 4)).play('d1h5', { offersDraw: true }).play('g8f6').act('first', 'resign')], // prettier-ignore
  ['offers declined', () => playedTo(made(), SCHOLAR.slice(0, 4)).act('first', 'offerDraw').act('second', 'declineDraw').act('first', 'offerPause').act('second', 'declinePause').act('first', 'offerTakeback').act('second', 'declineTakeback')], // prettier-ignore
  ['takeback of one', () => playedTo(made({ timeControl: BANK }), SCHOLAR.slice(0, 4)).act('second', 'offerTakeback').act('first', 'acceptTakeback').play('d7d6').play('d1h5')], // prettier-ignore
  ['takeback of two, countered', () => playedTo(made({ timeControl: BANK }), SCHOLAR.slice(0, 4)).act('second', 'offerTakeback').act('first', 'offerTakeback').act('first', 'offerPause').act('second', 'acceptTakeback').play('a2a3')], // prettier-ignore
  ['claim', () => playedTo(made(), [...KNIGHTS, ...KNIGHTS]).act('first', 'claimDraw', { reason: 'threefoldRepetition' })], // prettier-ignore
  ['claim with a move', () => playedTo(made(), [...KNIGHTS, ...KNIGHTS.slice(0, 3)]).play('f6g8', { claims: 'threefoldRepetition' })], // prettier-ignore
  ['time-out', () => playedTo(made(), SCHOLAR.slice(0, 4)).wait(70_000).wait(20_000)],
  ['time given and asked for', () => playedTo(made({ timeControl: BANK }), SCHOLAR.slice(0, 4)).act('second', 'giveTime', { ply: 5 }).play('d1h5').act('second', 'requestTime').act('first', 'acceptTimeRequest').play('g8f6')], // prettier-ignore
  ['pause', () => playedTo(made(), SCHOLAR.slice(0, 4)).act('first', 'offerPause').act('second', 'acceptPause').wait(200_000).act('first', 'unpause').wait(100_000).play('d1h5')], // prettier-ignore
  ['pause ended by both', () => playedTo(made(), SCHOLAR.slice(0, 4)).act('first', 'offerPause').act('second', 'acceptPause').wait(2000).act('first', 'unpause').act('second', 'unpause').play('d1h5')], // prettier-ignore
  ['vacation', () => playedTo(made(), SCHOLAR.slice(0, 4)).vacation('first', 2).wait(2 * 86_400).play('d1h5').wait(86_401)], // prettier-ignore
  ['vacation ended early', () => playedTo(made(), SCHOLAR.slice(0, 4)).vacation('second', 5).play('d1h5').wait(9000).finishVacation('second').play('g8f6')], // prettier-ignore
  ['vacation at the start', () => playedTo(made({ away: { first: Date.UTC(2026, 1, 3) } }), []).wait(2 * 86_400).play('e2e4')], // prettier-ignore
  ['aborted', () => made().play('e2e4').act('second', 'abort')],
  ['abandoned', () => playedTo(made({ timeControl: { type: 'none' } }), SCHOLAR.slice(0, 4)).wait(31 * 86_400).act('second', 'claimAbandoned')], // prettier-ignore
  ['adjudicated', () => playedTo(made(), SCHOLAR.slice(0, 4)).adjudicate('a mistake of ours')],
  ['conditional moves', () => playedTo(made(), ['e2e4']).play('e7e5', { automatic: true }).play('f1c4').act('second', 'resign', {}, { automatic: true })], // prettier-ignore
  ['seeds announced', () => new Made(banqi, { announced: ['creator'] }).wander(20)],
  ['seek met', () => new Made(banqi, { kind: 'seek', seek: SEEK_ID, announced: ['creator', 'accepter'] }).wander(20).act('second', 'resign')], // prettier-ignore
  ['seek met, with the seed of the one that was joined', () => new Made(banqi, { kind: 'seek', seek: SEEK_ID, announced: ['creator'] }).wander(20)], // prettier-ignore
  ['rematch that both have offered', () => new Made(banqi, { rematchOf: 'g-9', side: 'second', announced: ['creator', 'accepter'] }).wander(5)], // prettier-ignore
  ['rematch, withheld by who accepted it', () => new Made(banqi, { rematchOf: 'g-9', side: 'second', announced: ['accepter'], withheld: ['accepter'] }).wait(86_401)], // prettier-ignore
  [
    'seek taken, no seeds',
    () => new Made(banqi, { kind: 'seek', creatorSeed: null, accepterSeed: null }).wander(20),
  ],
  [
    'announced and given early',
    () => new Made(banqi, { announced: ['creator'], givesEarly: true }).wander(3),
  ],
  ['wishes', () => made({ side: 'second' }).play('e2e4')],
  ['wish of the accepter', () => made({ kind: 'seek', seek: SEEK_ID, accepterSide: 'second' }).play('e2e4')],
  ['earlier games decide', () => made({ earlier: { creator: 3, accepter: 1 } }).play('e2e4')],
  ['earlier games decide, while a seed is awaited', () => new Made(banqi, { earlier: { creator: 0, accepter: 2 }, announced: ['creator'] }).wander(3)], // prettier-ignore
  ['as many earlier games', () => new Made(banqi, { earlier: { creator: 2, accepter: 2 } }).wander(3)],
  ['waiting', () => made({ announced: ['creator'], withheld: ['creator'] })],
  ['withheld', () => made({ announced: ['creator'], withheld: ['creator'] }).wait(86_401)],
  ['withheld by both', () => made({ kind: 'seek', seek: SEEK_ID, announced: ['creator', 'accepter'], withheld: ['creator', 'accepter'] }).wait(86_401)], // prettier-ignore
  ['set-up agreed on', () => new Made(rulesetById('half-court-chess')!, { options: { setup: 'NQRBK/qbnrk' } }).wander(4)], // prettier-ignore
];
