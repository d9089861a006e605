import type { Row } from '../../../src/fairness/record.js';
import { all, anew, data, drop, field, insert, moved, renumbered, row, rowOf, rows, swap, twice, type Change, type Tampering } from './tampering.js'; // prettier-ignore
import { BANK, banqi, chess, moves, OPENING } from './bases.js';

const ZEROS = '0'.repeat(64);
const later =
  (seconds: number) =>
  ({ at }: Row) => ({ at: moved(at, seconds) });
/** Plies counted again. */
const recounted: Change = (record) => {
  let ply = 0;
  return {
    ...record,
    rows: record.rows.map((each) =>
      each.type === 'ply' ? { ...each, data: { ...each.data, ply: ++ply } } : each,
    ),
  };
};
/** The pieces and proofs of two rows that turned one up, exchanged. */
const shuffled: Change = (record) => {
  const [a, b] = record.rows.filter(({ proof }) => proof != null) as [Row, Row];
  const as = (to: Row, from: Row): Row => ({
    ...to,
    data: { ...to.data, reveals: from.data['reveals'] },
    proof: from.proof!,
  });
  return {
    ...record,
    rows: record.rows.map((each) => (each === a ? as(a, b) : each === b ? as(b, a) : each)),
  };
};
const proof =
  (change: (proof: { readonly salt: string; readonly path: readonly string[] }) => unknown): Change =>
  (record) => {
    const at = record.rows.findIndex((each) => each.proof != null);
    return {
      ...record,
      rows: record.rows.with(at, { ...record.rows[at]!, proof: change(record.rows[at]!.proof!) as never }),
    };
  };

// A line each.
// prettier-ignore
export const PLIES: readonly Tampering[] = [
  rows('`ply.move`: another legal move', 'rated', data('ply', { move: 'd2d4' })),
  rows('another legal move, with matching SAN and position', 'rated', data('ply', { move: 'a7a6', san: 'a6', position: 'rnbqkbnr/1ppppppp/p7/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2' }, 1)),
  rows('another last move, with matching SAN and position', 'running', data('ply', { move: 'a7a6', san: 'a6', position: 'rnbqkbnr/1ppp1ppp/p7/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 0 3' }, 3)),
  rows('`ply.move`: an illegal move', 'rated', data('ply', { move: 'e2e5' })),
  rows('`ply.move`: no move at all', 'rated', data('ply', { move: 'x' })),
  rows('`ply.move`: empty', 'rated', data('ply', { move: '' })),
  rows('`ply.move`: 1001 characters', 'rated', data('ply', { move: 'e'.repeat(1001) })),
  rows('a ply left out', 'rated', drop('ply', 1)),
  rows('a ply left out, versions and plies renumbered', 'rated', all(drop('ply', 1), renumbered, recounted)),
  rows('the last ply left out, versions renumbered', 'rated', all(drop('ply', 3), renumbered)),
  rows('the last two plies left out, versions renumbered', 'rated', all(drop('ply', 3), drop('ply', 2), renumbered)),
  anew('a ply invented before the end', 'rated', () => moves(chess({ rated: true, side: 'first' }), `${OPENING} d1h5`).act('first', 'resign').record),
  rows('a ply twice', 'rated', twice('ply')),
  rows('two plies swapped', 'rated', swap(['ply', 0], ['ply', 2])),
  rows('two plies swapped, versions and plies renumbered', 'rated', all(swap(['ply', 0], ['ply', 2]), renumbered, recounted)),
  rows('a ply of another game inserted', 'rated', insert('resign', () => [chess().play('e2e4').record.rows.at(-1)!])),
  rows('`ply.ply`: another number', 'rated', data('ply', { ply: 2 })),
  rows('`ply.ply`: none', 'rated', data('ply', { ply: 0 })),
  rows('`ply.player`: the other one', 'rated', field('ply', { player: 'second' })),
  rows('`ply.player`: null', 'rated', field('ply', { player: null })),
  rows('`ply.san`: another one', 'rated', data('ply', { san: 'e3' })),
  rows('`ply.position`: a piece missing', 'rated', data('ply', { position: 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBN1 b KQkq - 0 1' })),
  rows('`ply.position`: without the right to castle', 'rated', data('ply', { position: 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b - - 0 1' })),
  rows('`ply.position`: another count of quiet plies', 'rated', data('ply', { position: 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 9 1' })),
  rows('`ply`: a field left out', 'rated', row('ply', ({ data: { san: _, ...d } }) => ({ data: d }))),
  rows('`ply`: a field too many', 'rated', data('ply', { comment: 'x' })),
  rows('`ply.at`: 30 February', 'rated', field('ply', { at: '2026-02-30T00:00:00.000Z' })),
  rows('`ply.at` in another time zone', 'rated', field('ply', { at: '2026-01-31T10:08:00.000+01:00' })),
  rows('`ply.at` without milliseconds', 'rated', field('ply', { at: '2026-01-31T09:08:00Z' })),
  rows('`ply.at`: later', 'rated', row('ply', later(10), 3)),
  rows('`ply.at`: before the ply that it answers', 'rated', row('ply', later(-600), 3)),
  rows('`ply.at` and `timeUsed`: a day later, after the deadline', 'rated', row('ply', ({ at, data: d }) => ({ at: moved(at, 86_400), data: { ...d, timeUsed: 86_460 } }), 3)),
  rows('`ply.at` and `timeUsed`: some seconds later, within the deadline', 'rated', row('ply', ({ at, data: d }) => ({ at: moved(at, 9), data: { ...d, timeUsed: 69 } }), 3)),
  rows('`ply.timeUsed`: less', 'rated', data('ply', { timeUsed: 1 })),
  rows('`ply.timeUsed`: more', 'rated', data('ply', { timeUsed: 61 })),
  rows('`ply.timeUsed`: negative', 'rated', data('ply', { timeUsed: -60 })),
  rows('`ply.timeUsed`: not whole', 'rated', data('ply', { timeUsed: 60.5 })),
  rows('`ply.timeUsed`: beyond 2^53', 'rated', data('ply', { timeUsed: 2 ** 60 })),
  rows('`ply.automatic`: a move by hand shown as conditional', 'rated', data('ply', { automatic: true })),
  rows('`ply.automatic`: a conditional move shown as made by hand', 'automatic', data('ply', { automatic: false }, 1)),
  rows('an automatic act shown as done by hand', 'automatic', row('resign', ({ data: { automatic: _, ...d } }) => ({ data: d }))),
  rows('an act by hand shown as automatic', 'rated', data('resign', { automatic: true })),
  rows('all rows a day later', 'rated', (record) => ({ ...record, rows: record.rows.map((each) => ({ ...each, at: moved(each.at, 86_400) })) })),
];

// A line each.
// prettier-ignore
export const REVEALS: readonly Tampering[] = [
  rows('`ply.reveals`: another piece', 'dealt', data('ply', { reveals: 'K' })),
  rows('`ply.reveals`: an unknown letter', 'dealt', data('ply', { reveals: 'Z' })),
  rows('`ply.reveals`: nothing', 'dealt', data('ply', { reveals: null })),
  rows('`ply.reveals` where nothing was turned up', 'rated', data('ply', { reveals: 'K' })),
  rows('another piece while the game runs', 'dealing', data('ply', { reveals: 'K' })),
  rows('the pieces of two squares swapped, with their proofs', 'dealt', shuffled),
  rows('the pieces of two squares swapped while the game runs', 'dealing', shuffled),
  rows('a proof left out', 'dealt', row('ply', () => ({ proof: null }))),
  rows('a proof with another salt', 'dealt', proof(({ path }) => ({ salt: ZEROS, path }))),
  rows('a proof with another sibling', 'dealt', proof(({ salt, path }) => ({ salt, path: path.with(0, ZEROS) }))),
  rows('a proof with its siblings in another order', 'dealt', proof(({ salt, path }) => ({ salt, path: path.toReversed() }))),
  rows('a proof with a sibling left out', 'dealt', proof(({ salt, path }) => ({ salt, path: path.slice(1) }))),
  rows('a proof with a sibling too many', 'dealt', proof(({ salt, path }) => ({ salt, path: [...path, ZEROS] }))),
  rows('a proof that is empty', 'dealt', proof(({ salt }) => ({ salt, path: [] }))),
  rows('a proof with a field too many', 'dealt', proof((given) => ({ ...given, piece: 'K' }))),
  rows('a proof of another square', 'dealt', (record) => {
    const [a, b] = record.rows.filter((each) => each.proof != null) as [Row, Row];
    return { ...record, rows: record.rows.map((each) => (each === a ? { ...a, proof: b.proof! } : each)) };
  }),
  rows('a proof in a row that turned up no piece', 'dealt', (record) => field('accept', { proof: record.rows.find((each) => each.proof != null)!.proof })(record)),
  anew('a fabricated game of Banqi', 'dealt', () => banqi({ creatorSeed: 'a'.repeat(32), accepterSeed: 'b'.repeat(32), serverSeed: '7'.repeat(64) }).wander(30).act('second', 'resign').record),
  anew('a fabricated running game of Banqi', 'dealing', () => banqi({ serverSeed: '7'.repeat(64) }).wander(7).record),
];

const instead = (type: string, more: object): Change => row(type, () => more);
const play = (): ReturnType<typeof chess> => moves(chess({ side: 'first' }), OPENING);
const putIn = (type: string, player: string | null, more: object = {}, before = 'resign'): Change =>
  all(
    insert(before, (record) => [
      {
        ...rowOf(record, before),
        seq: rowOf(record, before).seq - 0.5,
        type,
        player: player as never,
        data: more as never,
      },
    ]),
    renumbered,
  );

// A line each.
// prettier-ignore
export const ACTS: readonly Tampering[] = [
  rows('an offer of a draw left out', 'agreed', all(drop('offerDraw'), renumbered)),
  rows('an offer of a draw by the other player', 'agreed', field('offerDraw', { player: 'second' })),
  rows('an offer accepted by the player who made it', 'agreed', field('acceptDraw', { player: 'first' })),
  rows('an offer accepted before it was made', 'agreed', all(swap(['offerDraw', 0], ['acceptDraw', 0]), renumbered)),
  rows('an act with no player', 'agreed', field('offerDraw', { player: null })),
  rows('an act with a data field too many', 'agreed', data('offerDraw', { note: 'please' })),
  rows('an act of an unknown type', 'rated', field('resign', { type: 'surrender' })),
  rows('an act type in upper case', 'rated', field('resign', { type: 'RESIGN' })),
  rows('an offer of a draw invented', 'rated', putIn('offerDraw', 'second')),
  rows('a declined offer left out with its answer', 'declined', all(drop('offerDraw'), drop('declineDraw'), renumbered)),
  rows('an answer to an offer left out', 'declined', all(drop('declineDraw'), renumbered)),
  rows('a declined offer shown as accepted', 'declined', instead('declineDraw', { type: 'acceptDraw' })),
  rows('an offer made with a move left out', 'lapsed', drop('offerDraw')),
  rows('an offer that lapsed by a move, shown as open', 'lapsed', drop('declineDraw')),
  rows('a lapsed offer shown as declined by hand', 'lapsed', row('declineDraw', () => ({ data: {} }))),
  rows('the answer to a takeback left out', 'takenBack', all(drop('acceptTakeback'), renumbered)),
  rows('the request for a takeback left out', 'takenBack', all(drop('offerTakeback'), renumbered)),
  rows('a takeback hidden: its rows and the old ply left out', 'takenBack', all(drop('ply', 3), drop('offerTakeback'), drop('acceptTakeback'), renumbered)),
  anew('a takeback hidden, and the game made anew without it', 'takenBack', () => moves(chess({ side: 'first', timeControl: BANK }), 'e2e4 e7e5 f1c4 d7d6').act('first', 'resign').record),
  anew('a takeback invented', 'rated', () => moves(chess({ side: 'first' }), OPENING).act('second', 'offerTakeback').act('first', 'acceptTakeback').act('first', 'resign').record),
  rows('a takeback to another ply', 'takenBack', data('acceptTakeback', { ply: 1 })),
  rows('a takeback accepted by the player who asked', 'takenBack', field('acceptTakeback', { player: 'second' })),
  rows('a takeback asked for by the other player', 'takenBack', field('offerTakeback', { player: 'first' })),
  rows('a takeback that no player asked for', 'rated', putIn('acceptTakeback', 'first', { ply: 3 })),
  rows('a takeback after the end', 'takenBack', (record) => ({ ...record, rows: [...record.rows, { ...rowOf(record, 'acceptTakeback'), seq: record.rows.at(-1)!.seq + 1 }] })),
  rows('an offer that lapsed by a takeback, shown as open', 'talked', drop('declinePause')),
  rows('a second takeback request left out', 'talked', all(drop('offerTakeback', 1), renumbered)),
  rows('a claim with another reason', 'claimed', data('claimDraw', { reason: 'fiftyMoves' })),
  rows('a claim by the other player', 'claimed', field('claimDraw', { player: 'second' })),
  rows('a claim before its third repetition', 'claimed', all(drop('ply', 7), drop('ply', 6), renumbered)),
  rows('a claim instead of a resignation', 'rated', all(instead('resign', { type: 'claimDraw', data: { reason: 'threefoldRepetition' } }), data('end', { winner: null, reason: 'threefoldRepetition' }))),
  rows('a claim turned into an agreement', 'claimed', all(instead('claimDraw', { type: 'acceptDraw', data: {} }), data('end', { reason: 'agreement' }))),
  rows('time given left out', 'given', all(drop('giveTime'), renumbered)),
  rows('time given, with another deadline', 'given', row('giveTime', ({ data: d }) => ({ data: { ...d, deadlineAt: moved(d['deadlineAt'] as string, 3600) } }))),
  rows('time given by the player who receives it', 'given', field('giveTime', { player: 'first' })),
  rows('a request for time left out', 'given', all(drop('requestTime'), renumbered)),
  rows('a request for time accepted by the player who asked', 'given', field('acceptTimeRequest', { player: 'second' })),
  rows('a pause left out', 'paused', all(drop('offerPause'), drop('acceptPause'), drop('unpause', 1), drop('unpause'), renumbered)),
  rows('a pause accepted by the player who asked', 'paused', field('acceptPause', { player: 'first' })),
  rows('a pause ended by one player twice', 'paused', field('unpause', { player: 'first' }, 1)),
  rows('a pause that was not ended', 'paused', all(drop('unpause', 1), renumbered)),
  rows('the end of a pause a minute later', 'resumed', row('resume', later(60))),
  rows('the end of a pause left out', 'resumed', all(drop('resume'), renumbered)),
  rows('the end of a pause by a player', 'resumed', field('resume', { player: 'first' })),
  rows('a vacation left out', 'holiday', all(drop('vacationStart'), drop('vacationEnd'), renumbered)),
  anew('a vacation invented', 'rated', () => moves(chess({ rated: true, side: 'first' }), OPENING).vacation('first', 2).act('first', 'resign').record),
  rows('a vacation a day longer', 'holiday', row('vacationStart', ({ data: d }) => ({ data: { ...d, until: moved(d['until'] as string, 86_400) } }))),
  rows('a vacation of the other player', 'holiday', field('vacationStart', { player: 'second' })),
  rows('the end of a vacation left out', 'holiday', all(drop('vacationEnd'), renumbered)),
  rows('the end of a vacation an hour later', 'holiday', row('vacationEnd', later(3600))),
  rows('a used-up vacation shown as ended by hand', 'holiday', row('vacationEnd', ({ data: d }) => ({ data: { ...d, usedUp: false } }))),
  rows('a reminder left out', 'late', all(drop('reminder'), renumbered)),
  rows('a reminder of the other player', 'late', field('reminder', { player: 'second' })),
  rows('a reminder an hour earlier', 'late', row('reminder', later(-3600))),
  rows('two acts of one version in the other order', 'talked', swap(['acceptTakeback', 0], ['declinePause', 0])),
  rows('two acts swapped', 'talked', swap(['offerTakeback', 0], ['offerPause', 0])),
  rows('an act twice', 'declined', twice('offerDraw')),
  rows('an act an hour before its turn', 'declined', row('offerDraw', later(-3600))),
  rows('an act after the deadline', 'rated', all(row('resign', later(100_000)), row('end', later(100_000)))),
  rows('an act some minutes later', 'rated', all(row('resign', later(600)), row('end', later(600)))),
];

/** The end as it was, exchanged for another one. */
const ending = (act: object, end: object): Change =>
  all(
    row('resign', () => act),
    data('end', end),
  );
const until = (record: { rows: readonly Row[] }): string =>
  moved(record.rows.findLast(({ type }) => type === 'ply')!.at, 86_400);

// A line each.
// prettier-ignore
export const ENDS: readonly Tampering[] = [
  rows('`end.winner`: the other player', 'rated', data('end', { winner: 'first' })),
  rows('`end.winner`: null', 'rated', data('end', { winner: null })),
  rows('`end.reason`: another one', 'rated', data('end', { reason: 'timeout' })),
  rows('`end.reason`: an unknown one', 'rated', data('end', { reason: 'boredom' })),
  rows('`end`: a field too many', 'rated', data('end', { rating: 12 })),
  rows('`end.player`: a player', 'rated', field('end', { player: 'first' })),
  rows('`end.at`: later', 'rated', row('end', later(60))),
  rows('`end` left out', 'rated', drop('end')),
  rows('`end` twice', 'rated', twice('end')),
  rows('`end` before its act', 'rated', swap(['resign', 0], ['end', 0])),
  rows('a resignation by the other player', 'rated', ending({ player: 'second' }, { winner: 'first' })),
  rows('a resignation turned into an agreement', 'rated', ending({ type: 'acceptDraw' }, { winner: null, reason: 'agreement' })),
  anew('a resignation turned into an agreement with its offer', 'rated', () => play().act('second', 'offerDraw').act('first', 'acceptDraw').record),
  rows('a resignation turned into a timeout', 'rated', (record) => all(ending({ type: 'flag', player: 'first', at: until(record) }, { winner: 'second', reason: 'timeout' }), field('end', { at: until(record) }))(record)),
  rows('a resignation turned into an abort', 'rated', ending({ type: 'abort' }, { winner: null, reason: 'aborted' })),
  rows('a resignation turned into a win by mate', 'rated', ending({ type: 'resign' }, { winner: 'second', reason: 'checkmate' })),
  rows('a resignation turned into an adjudication', 'rated', ending({ type: 'adjudicate', player: null, data: { why: 'x' } }, { winner: null, reason: 'aborted' })),
  rows('a resignation turned into an abandoned game', 'rated', ending({ type: 'claimAbandoned', player: 'second' }, { winner: 'second', reason: 'abandoned' })),
  rows('a timeout turned into a resignation', 'late', instead('flag', { type: 'resign' })),
  anew('a timeout turned into a resignation, consistently', 'late', () => play().act('first', 'resign').record),
  rows('a timeout of the other player', 'late', all(field('flag', { player: 'second' }), data('end', { winner: 'second' }))),
  rows('a timeout a second before the deadline', 'late', row('flag', later(-1))),
  rows('a timeout a second after the deadline', 'late', all(row('flag', later(1)), row('end', later(1)))),
  rows('a timeout shown as a draw, as if the opponent could not win', 'late', data('end', { winner: null })),
  rows('the timeout left out', 'late', drop('flag')),
  rows('an agreement turned into a resignation', 'agreed', all(instead('acceptDraw', { type: 'resign' }), data('end', { winner: 'first', reason: 'resignation' }))),
  anew('an agreement turned into a resignation, consistently', 'agreed', () => play().act('first', 'offerDraw').act('second', 'resign').record),
  rows('an abort turned into a resignation', 'aborted', all(instead('abort', { type: 'resign' }), data('end', { winner: 'first', reason: 'resignation' }))),
  rows('an abort by the other player', 'aborted', field('abort', { player: 'first' })),
  rows('an abort shown as an adjudication', 'aborted', instead('abort', { type: 'adjudicate', player: null, data: { why: 'x' } })),
  rows('an adjudication shown as an abort', 'adjudicated', instead('adjudicate', { type: 'abort', player: 'first', data: {} })),
  rows('`adjudicate.data.why`: another reason', 'adjudicated', data('adjudicate', { why: 'another mistake' })),
  rows('`adjudicate` without a reason', 'adjudicated', row('adjudicate', () => ({ data: {} }))),
  rows('a mate with the other winner', 'mated', data('end', { winner: 'second' })),
  rows('a mate turned into a stalemate', 'mated', data('end', { winner: null, reason: 'stalemate' })),
  rows('a mate hidden: the last ply left out', 'mated', (record) => all(drop('ply', 6), renumbered)(drop('end')({ ...record, serverSeed: null }))),
  anew('a mate turned into a resignation of the winner', 'mated', () => moves(play(), 'd1h5 g8f6').act('first', 'resign').record),
  rows('a finished game shown as running', 'rated', (record) => all(drop('resign'), drop('end'))({ ...record, serverSeed: null })),
  rows('a running game shown as finished', 'running', (record) => ({ ...record, serverSeed: null, rows: [...record.rows, { ...record.rows.at(-1)!, seq: record.rows.at(-1)!.seq + 1, type: 'resign', player: 'first' as const, data: {} }, { ...record.rows.at(-1)!, seq: record.rows.at(-1)!.seq + 1, type: 'end', player: null, data: { winner: 'second', reason: 'resignation' } }] })),
  rows('an abandoned game claimed before the 30 days', 'abandoned', all(row('claimAbandoned', later(-5 * 86_400)), row('end', later(-5 * 86_400)))),
  rows('an abandoned game claimed by the player who abandoned it', 'abandoned', all(field('claimAbandoned', { player: 'first' }), data('end', { winner: 'first' }))),
  rows('`flag.data.withheld`: the other player', 'withheld', data('flag', { withheld: ['accepter'] })),
  rows('`flag.data.withheld`: empty', 'withheld', data('flag', { withheld: [] })),
  rows('`flag.data.withheld`: only one of two players', 'bothWithheld', data('flag', { withheld: ['creator'] })),
  rows('a withheld seed turned into an adjudication', 'withheld', instead('flag', { type: 'adjudicate', data: { why: 'x' } })),
  rows('a withheld seed flagged an hour too early', 'withheld', all(row('flag', later(-3600)), row('end', later(-3600)))),
  rows('an act after the end', 'rated', (record) => ({ ...record, rows: [...record.rows, { ...rowOf(record, 'resign'), seq: rowOf(record, 'end').seq + 1 }] })),
  rows('a second end after the end', 'rated', (record) => ({ ...record, rows: [...record.rows, { ...rowOf(record, 'end'), seq: rowOf(record, 'end').seq + 1, data: { winner: 'first', reason: 'resignation' } }] })),
];
