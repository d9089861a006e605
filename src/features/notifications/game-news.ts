import { awaitedOf } from '../../engine/deals.service.js';
import { Injectable } from '@nestjs/common';
import type { Act } from '../../arbiter/acts/act.js';
import { actOf, ACTS } from '../../arbiter/acts/registry.js';
import { OFFER_KINDS, OFFER_WORDS } from '../../arbiter/offers.js';
import { isOver } from '../../arbiter/state.js';
import type { Sql, Transaction } from '../../platform/database/prisma.service.js';
import { opponent, PLAYERS, type Player } from '../../rules/ruleset.js';
import { userOf, type EventRow, type GameRow, type Transition } from '../games/game.row.js';
import { Participants, type Participant } from '../games/participants.js';
import type { Answered, Notice, NoticeType } from './notification.row.js';
import { NotificationsStore } from './notifications.store.js';

/** Whom a change of a game is news for, and which older news it makes stale. */

export interface News {
  readonly notices: readonly Notice[];
  readonly stale: readonly Answered[];
}

/** Writes the news of games together with what they tell of. */
@Injectable()
export class GameNews implements Participant {
  constructor(
    private readonly store: NotificationsStore,
    participants: Participants,
  ) {
    participants.join(this);
  }

  rows(transitions: readonly Transition[]): readonly Sql[] {
    const news = transitions.map(newsOf);
    return this.store.besideGames(
      news.flatMap(({ notices }) => notices),
      news.flatMap(({ stale }) => stale),
    );
  }

  begun(tx: Transaction, row: GameRow): Promise<void> {
    return this.store.upsert(tx, newsOfStart(row));
  }
}

/** That a game has begun, for its creator, and that the first turn has come. */
function newsOfStart(row: GameRow): readonly Notice[] {
  const at = row.lastActivityAt;
  const creator = notice(row, row.creator, 'gameStarted', at, {
    awaitingSeed: awaitedOf(row).includes('creator'),
  });
  return row.turn === null
    ? [creator]
    : [notice(row, row.turn, 'yourTurn', at, { ply: 1, ...deadlineIn(row) }), creator];
}

export function newsOf(transition: Transition): News {
  const { after, events, planNews } = transition;
  const notices = newestOf([
    ...events.flatMap((event) => newsOfEvent(transition, event)),
    ...turnNews(transition),
    ...planNews.map(({ player, type, at, data }) => notice(after, player, type, at, data)),
  ]);
  const isNew = ({ userId, type }: Answered) =>
    notices.some((notice) => notice.userId === userId && notice.type === type);
  return { notices, stale: staleOf(transition).filter((old) => !isNew(old)) };
}

/** One of a kind for each user, as the table keeps them. */
const newestOf = (notices: readonly Notice[]): readonly Notice[] => [
  ...new Map(notices.map((notice) => [`${notice.userId} ${notice.type}`, notice])).values(),
];

function notice(row: GameRow, player: Player, type: NoticeType, at: Date, data: Notice['data']): Notice {
  return { userId: userOf(row, player), gameId: row.id, type, data, at };
}

/** Whose turn has come by a ply or a takeback; not his who goes on by hand with a turn of several plies. */
function turnNews(transition: Transition): readonly Notice[] {
  const { after, plies, events } = transition;
  const returned = events.some(({ type }) => type === 'acceptTakeback');
  const last = plies.at(-1);
  if (after.turn === null || after.status !== 'active') return [];
  if (!returned && (last === undefined || (last.player === after.turn && !last.automatic))) return [];
  const data = { ply: after.plyCount + 1, ...deadlineIn(transition.after) };
  return [notice(transition.after, after.turn, 'yourTurn', after.lastActivityAt, data)];
}

function newsOfEvent(transition: Transition, event: EventRow): readonly Notice[] {
  const { type, player, at, data } = event;
  if (type === 'end') return overNews(transition, event);
  if (player === null) return [];
  if (type === 'reminder')
    return [notice(transition.after, player, 'reminder', at, deadlineIn(transition.after))];
  const done = actOf(type);
  // What lapses with a takeback needs no word beside that of the takeback.
  return done === undefined || data['byTakeback'] === true ? [] : newsOfAct(transition, event, player, done);
}

/** What the opponent is told of an act: an offer, the answer to one, or what the act says itself. */
function newsOfAct(
  transition: Transition,
  { at, data }: EventRow,
  player: Player,
  done: Act,
): readonly Notice[] {
  const { offers, accepts, declines, tells } = done;
  const told = (type: NoticeType, more: Notice['data']) => [
    notice(transition.after, opponent(player), type, at, more),
  ];
  if (offers !== null) {
    // It may have been answered in the same transition.
    return transition.after.offers[offers]?.by === player
      ? told(OFFER_WORDS[offers], picked(data, ['ply']))
      : [];
  }
  if (accepts !== null) {
    return isOver(transition.after) ? [] : told('offerAnswered', { offer: accepts, accepted: true });
  }
  if (declines !== null) {
    // Whoever moves takes his own offer back, which is no news for the other. A draw's stands.
    const isOwn = declines !== 'draw' && transition.before.offers[declines]?.by === player;
    return isOwn ? [] : told('offerAnswered', { offer: declines, accepted: false });
  }
  return tells === null ? [] : told(tells.notice as NoticeType, picked(data, tells.with));
}

const deadlineIn = ({ deadlineAt }: GameRow) => ({ deadlineAt: deadlineAt?.toISOString() ?? null });

const picked = (data: Notice['data'], names: readonly string[]): Notice['data'] =>
  Object.fromEntries(names.filter((name) => name in data).map((name) => [name, data[name]]));

/** The end is no news for the player whose own hand brought it about. */
function overNews(transition: Transition, { at, data }: EventRow): readonly Notice[] {
  const byHand = transition.events.find(({ type }) => actOf(type)?.ends);
  const last = transition.plies.at(-1);
  const done =
    byHand?.data['automatic'] === true
      ? null
      : (byHand?.player ?? (last?.automatic ? null : last?.player) ?? null);
  return PLAYERS.filter((player) => player !== done).map((player) =>
    notice(transition.after, player, 'gameOver', at, data),
  );
}

/** What is of interest to a player only until he has moved. */
const UNTIL_MOVED: readonly NoticeType[] = [
  'yourTurn',
  'reminder',
  ...ACTS.flatMap(({ tells }) => (tells?.untilMoved ? [tells.notice as NoticeType] : [])),
];

function staleOf({ before, after }: Transition): readonly Answered[] {
  const stale = (player: Player, type: NoticeType): Answered => ({
    userId: userOf(after, player),
    gameId: after.id,
    type,
    at: after.lastActivityAt,
  });
  const moved =
    before.turn !== null && (before.turn !== after.turn || before.plyCount !== after.plyCount)
      ? UNTIL_MOVED.map((type) => stale(before.turn!, type))
      : [];
  const answered = OFFER_KINDS.flatMap((kind) => {
    const offer = before.offers[kind] ?? null;
    // An offer of the other player may have taken its place in the same transition.
    return offer !== null && (isOver(after) || after.offers[kind]?.by !== offer.by)
      ? [stale(opponent(offer.by), OFFER_WORDS[kind])]
      : [];
  });
  return [...moved, ...answered];
}
