import { opponent, type Claim, type Outcome, type Player } from '../rules/ruleset.js';
import {
  leftAt,
  reminderOf,
  roomFor,
  secondsBefore,
  secondsBehind,
  usedAt,
  type Clock,
  type Stop,
} from './clock.js';
import { objectionTo, takebackPly, type ActName, type Objection, type Situation } from './conditions.js';
import {
  decide,
  finish,
  resumesAt,
  turnOf,
  withTurn,
  type Decision,
  type LogEntry,
  type Offers,
  type Table,
} from './table.js';
import { bankAfter, giftOf } from './time-control.js';

/** What each act of a player makes of the table. Legality on the board is the rules' business. */

/** An act that is refused, has nothing to change because it was done before, or changes the table. */
export type Ruling = Objection | Decision | 'unchanged';

/** The own moves after a refusal within which a draw is not offered again. */
const MOVES_BETWEEN_OFFERS = 10;
const NOTICE_MS = 24 * 3_600_000;

export const isObjection = (ruling: Ruling): ruling is Objection =>
  ruling !== 'unchanged' && 'code' in ruling;

type Act = (situation: Situation) => Ruling;

/** An act that is judged by its conditions, unless it was done before. */
const act =
  (name: ActName, effect: Act, done: (situation: Situation) => boolean = () => false): Act =>
  (situation) =>
    done(situation) ? 'unchanged' : (objectionTo(name, situation) ?? effect(situation));

const logged = (type: LogEntry['type'], player: Player, more: Partial<LogEntry> = {}): LogEntry => ({
  type,
  player,
  ...more,
});

const won = (player: Player, reason: Outcome['reason']): Outcome => ({ winner: player, reason });
const drawn = (reason: Outcome['reason']): Outcome => ({ winner: null, reason });

const endedBy = ({ outcome }: Table, reason: Outcome['reason'], winner: Player | null = null): boolean =>
  outcome?.reason === reason && outcome.winner === winner;

export const resign = act(
  'resign',
  ({ table, player, now }) =>
    finish(table, won(opponent(player), 'resignation'), [logged('resign', player)], now),
  ({ table, player }) => endedBy(table, 'resignation', opponent(player)),
);

export const abort = act(
  'abort',
  ({ table, player, now }) => finish(table, drawn('aborted'), [logged('abort', player)], now),
  ({ table }) => endedBy(table, 'aborted'),
);

export const acceptDraw = act(
  'acceptDraw',
  ({ table, player, now }) => finish(table, drawn('agreement'), [logged('acceptDraw', player)], now),
  ({ table }) => endedBy(table, 'agreement'),
);

export const declineDraw = act('declineDraw', ({ table, player, now }) =>
  decide(table, { offers: withoutDraw(table.offers, player) }, [logged('declineDraw', player)], now),
);

const offerNewDraw = act(
  'offerDraw',
  ({ table, player, now }) => {
    const offers = { ...table.offers, draw: { by: player, at: now } };
    return decide(table, { offers }, [logged('offerDraw', player)], now);
  },
  ({ table, player }) => table.offers.draw?.by === player,
);

/** An offer to somebody who has made one himself takes his. */
export const offerDraw: Act = (situation) =>
  situation.table.offers.draw?.by === opponent(situation.player) || endedBy(situation.table, 'agreement')
    ? acceptDraw(situation)
    : offerNewDraw(situation);

/** A claim of what the rules have found to hold as the game stands. */
export const claimDraw = (situation: Situation, claim: Claim): Ruling =>
  endedBy(situation.table, claim)
    ? 'unchanged'
    : (objectionTo('claimDraw', situation) ??
      finish(situation.table, drawn(claim), [claimed(situation.player, claim)], situation.now));

const claimed = (player: Player, reason: Claim): LogEntry =>
  logged('claimDraw', player, { data: { reason } });

export const offerTakeback = act(
  'offerTakeback',
  (situation) => {
    const { table, player, now } = situation;
    const ply = takebackPly(situation);
    const offers = { ...table.offers, takeback: { by: player, at: now, ply } };
    const log = [...counter(table, player), logged('offerTakeback', player, { data: { ply } })];
    return decide(table, { offers }, log, now);
  },
  ({ table, player }) => table.offers.takeback?.by === player,
);

/** Who asks for another takeback has answered the one that he was asked for. */
const counter = ({ offers }: Table, player: Player): readonly LogEntry[] =>
  offers.takeback?.by === opponent(player) ? [logged('declineTakeback', player)] : [];

export const declineTakeback = act('declineTakeback', ({ table, player, now }) =>
  decide(table, { offers: { ...table.offers, takeback: null } }, [logged('declineTakeback', player)], now),
);

/** The game as it stood: whose turn it was, and what was in the banks. */
export interface Earlier {
  readonly turn: Player;
  readonly bank: Clock['bank'];
}

export function acceptTakeback(situation: Situation, earlier: Earlier): Ruling {
  const objection = objectionTo('acceptTakeback', situation);
  if (objection !== null) return objection;
  const { table, player, now } = situation;
  const { ply } = table.offers.takeback!;
  const takebacks = [...table.takebacks, { seq: table.version + 1, ply }];
  // Offers were made in the game that is taken back.
  const offers = { ...table.offers, draw: null, takeback: null, pause: null };
  const back = { ...table, plyCount: ply, takebacks, offers, clock: { ...table.clock, bank: earlier.bank } };
  const log = [logged('acceptTakeback', player, { data: { ply } }), ...lapsed(table.offers)];
  return { table: withTurn(back, earlier.turn, now), log, at: now };
}

function lapsed({ draw, pause }: Offers): readonly LogEntry[] {
  const byTakeback = { data: { byTakeback: true } };
  return [
    ...(draw === null ? [] : [logged('declineDraw', opponent(draw.by), byTakeback)]),
    ...(pause === null ? [] : [logged('declinePause', opponent(pause.by), byTakeback)]),
  ];
}

export const giveTime = act(
  'giveTime',
  (situation) => {
    const { table, player, now } = situation;
    const given = Math.min(giftOf(table.timeControl)!, room(table, now));
    if (given < 1) return { code: 'TIME_CEILING', message: 'The clock cannot hold more time.' };
    const clock = { ...table.clock, given };
    return decide(
      table,
      { clock: reminding(table, clock, now) },
      [logged('giveTime', player, { data: { seconds: given } })],
      now,
    );
  },
  // Once in a turn, so that a request that is sent again gives nothing more.
  ({ table, player, ply }) =>
    table.clock.given > 0 && table.turn === opponent(player) && ply === table.plyCount + 1,
);

function room(table: Table, now: number): number {
  const turn = turnOf(table);
  const { timeControl } = table;
  const most = timeControl.type === 'bank' ? timeControl.cap - (leftAt(turn, now) ?? 0) : Infinity;
  return roomFor(turn, Math.min(giftOf(timeControl)!, most));
}

const offerNewPause = act(
  'offerPause',
  ({ table, player, now }) => {
    const offers = { ...table.offers, pause: { by: player, at: now } };
    return decide(table, { offers }, [logged('offerPause', player)], now);
  },
  ({ table, player }) => table.offers.pause?.by === player,
);

export const acceptPause = act('acceptPause', ({ table, player, now }) => {
  const from = secondsBefore(table.turnStartedAt, now);
  const offers = { ...table.offers, pause: null };
  const clock = withStop(table.clock, { kind: 'pause', from, until: null });
  return decide(table, { status: 'paused', clock, offers }, [logged('acceptPause', player)], now);
});

export const offerPause: Act = (situation) =>
  situation.table.offers.pause?.by === opponent(situation.player)
    ? acceptPause(situation)
    : offerNewPause(situation);

export const declinePause = act('declinePause', ({ table, player, now }) =>
  decide(table, { offers: { ...table.offers, pause: null } }, [logged('declinePause', player)], now),
);

const withStop = (clock: Clock, stop: Stop): Clock => ({ ...clock, stops: [...clock.stops, stop] });

/** Gives notice; when the other player has given his already, both want to go on, and play goes on at once. */
export const unpause: Act = (situation) => {
  const objection = objectionTo('unpause', situation);
  if (objection !== null) return objection;
  const { table, player, now } = situation;
  const notice = table.clock.stops.findLast(({ kind }) => kind === 'pause')?.notice ?? null;
  if (notice === player) return 'unchanged';
  const resumes = notice === null ? now + NOTICE_MS : now;
  const clock = { ...table.clock, stops: ended(table, 'pause', resumes, player) };
  const status = notice === null ? 'paused' : 'active';
  // A clock goes on at a whole second.
  const goesOnAt = resumesAt({ ...table, status, clock }) ?? now;
  const log = [logged('unpause', player, { instants: { resumesAt: goesOnAt } })];
  return decide(table, { status, clock: reminding(table, clock, now) }, log, now);
};

/** The stops with the last of this kind ending at an instant. */
export function ended(
  table: Table,
  kind: Stop['kind'],
  at: number,
  notice: Player | null = null,
): readonly Stop[] {
  const { stops } = table.clock;
  const last = stops.findLastIndex((stop) => stop.kind === kind);
  const until = secondsBehind(table.turnStartedAt, at);
  return stops.map((stop, index) =>
    index === last ? { ...stop, until: Math.max(stop.from, until), ...(notice && { notice }) } : stop,
  );
}

/** A clock whose reminder goes out again when its moment has come to lie ahead. */
export function reminding(table: Table, clock: Clock, now: number): Clock {
  const reminder = reminderOf({ startedAt: table.turnStartedAt, clock });
  return { ...clock, reminded: clock.reminded && !(reminder !== null && reminder > now) };
}

/** Nobody has moved for 30 days: called off before ply 2, else won by the player who waits, if he could ever win. */
export const claimAbandoned = (situation: Situation, canWin: boolean): Ruling => {
  if (wasAbandoned(situation.table)) return 'unchanged';
  const objection = objectionTo('claimAbandoned', situation);
  if (objection !== null) return objection;
  const { table, player, now } = situation;
  const outcome = table.plyCount < 2 ? drawn('aborted') : timeoutFor(player, canWin);
  return finish(table, outcome, [logged('claimAbandoned', player)], now);
};

/** Without a time control nothing else ends by timeout; and what was called off is called off. */
const wasAbandoned = ({ outcome, timeControl }: Table): boolean =>
  timeControl.type === 'none' && (outcome?.reason === 'timeout' || outcome?.reason === 'aborted');

/** The result of a turn that ran out: a draw when the opponent could never win. */
export const timeoutFor = (winner: Player, canWin: boolean): Outcome =>
  canWin ? won(winner, 'timeout') : drawn('timeout');

/** A ply that the rules allow: what it ended the game with, or who is to move after it. */
export interface Played {
  readonly then: Outcome | Player;
  readonly offersDraw: boolean;
  /** The draw that was claimed with it. */
  readonly claim: Claim | null;
}

/** What a ply makes of the table: it answers the opponent's offers, and begins the next turn. */
export function afterPly(table: Table, player: Player, played: Played, at: number): Decision {
  const used = usedAt(turnOf(table), at);
  const bank = bankAfter(table.timeControl, table.clock, player, used);
  const { offers, log } = afterMove(table.offers, player, played.offersDraw ? at : null);
  const next = { ...table, plyCount: table.plyCount + 1, offers, clock: { ...table.clock, bank } };
  if (typeof played.then === 'string') return { table: withTurn(next, played.then, at), log, at };
  const claims = played.claim === null ? [] : [claimed(player, played.claim)];
  return finish(next, played.then, [...log, ...claims], at);
}

/** The seconds that the ply is charged for. */
export const timeUsed = (table: Table, at: number): number => usedAt(turnOf(table), at);

function afterMove(
  offers: Offers,
  player: Player,
  offeredAt: number | null,
): { readonly offers: Offers; readonly log: readonly LogEntry[] } {
  const log: LogEntry[] = [];
  let after: Offers = { ...offers, takeback: null, pause: null, refused: oneLess(offers.refused, player) };
  const byMove = { data: { byMove: true } };
  if (offers.draw?.by === opponent(player)) {
    after = withoutDraw(after, player);
    log.push(logged('declineDraw', player, byMove));
  }
  if (offers.takeback !== null) log.push(logged('declineTakeback', player, byMove));
  if (offers.pause !== null) log.push(logged('declinePause', player, byMove));
  if (offeredAt !== null && after.draw === null) {
    after = { ...after, draw: { by: player, at: offeredAt } };
    log.push(logged('offerDraw', player));
  }
  return { offers: after, log };
}

const oneLess = (refused: Offers['refused'], player: Player): Offers['refused'] => ({
  ...refused,
  [player]: Math.max(0, refused[player] - 1),
});

/** The offers after `player` refused the draw of his opponent. */
const withoutDraw = (offers: Offers, player: Player): Offers => ({
  ...offers,
  draw: null,
  refused: { ...offers.refused, [opponent(player)]: MOVES_BETWEEN_OFFERS },
});
