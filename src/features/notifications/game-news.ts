import { awaitedOf } from '../../engine/deals.service.js';
import { Injectable } from '@nestjs/common';
import type { Act } from '../../arbiter/acts/act.js';
import { actOf, ACTS } from '../../arbiter/acts/registry.js';
import type { Clock } from '../../arbiter/clock.js';
import { OFFER_KINDS, OFFER_WORDS } from '../../arbiter/offers.js';
import { isOver } from '../../arbiter/state.js';
import type { Sql, Transaction } from '../../platform/database/prisma.service.js';
import { opponent, PLAYERS, type Player } from '../../rules/ruleset.js';
import { userOf, type EventRow, type GameRow, type Transition } from '../games/game.row.js';
import { Participants, type Participant } from '../games/participants.js';
import type { Answered, Notice, StoredType } from './notification.row.js';
import { NotificationsStore } from './notifications.store.js';

/** The notifications that a change of a game causes, and the older ones that it makes stale. */

export interface News {
  readonly notices: readonly Notice[];
  readonly stale: readonly Answered[];
}

/** Writes the notifications of games in the same statement as their changes. */
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
    const awaitingSeed = awaitedOf(row).includes('creator');
    return this.store.upsert(tx, [
      notice(row, row.creator, 'gameStarted', row.lastActivityAt, { awaitingSeed }),
    ]);
  }
}

export function newsOf(transition: Transition): News {
  const { after, events, planNews } = transition;
  const notices = newestOf([
    ...events.flatMap((event) => newsOfEvent(transition, event)),
    ...planNews.map(({ player, type, at, data }) => notice(after, player, type, at, data)),
  ]);
  const isNew = ({ userId, type }: Answered) =>
    notices.some((notice) => notice.userId === userId && notice.type === type);
  return { notices, stale: staleOf(transition).filter((old) => !isNew(old)) };
}

/** Keeps one of each type for each user, as the table does. */
const newestOf = (notices: readonly Notice[]): readonly Notice[] => [
  ...new Map(notices.map((notice) => [`${notice.userId} ${notice.type}`, notice])).values(),
];

function notice(row: GameRow, player: Player, type: StoredType, at: Date, data: Notice['data']): Notice {
  return { userId: userOf(row, player), gameId: row.id, type, data, at };
}

function newsOfEvent(transition: Transition, event: EventRow): readonly Notice[] {
  const { type, player, at, data } = event;
  if (type === 'end') return overNews(transition, event);
  if (player === null) return [];
  if (type === 'reminder')
    return [notice(transition.after, player, 'reminder', at, deadlineIn(transition.after))];
  const done = actOf(type);
  // An offer that lapses with a takeback needs no notification of its own.
  return done === undefined || data['byTakeback'] === true ? [] : newsOfAct(transition, event, player, done);
}

/** For the opponent of the player who acts: an offer, an answer, or what the act declares. */
function newsOfAct(
  transition: Transition,
  { at, data }: EventRow,
  player: Player,
  done: Act,
): readonly Notice[] {
  const { offers, accepts, declines, notifies } = done;
  const told = (type: StoredType, more: Notice['data']) => [
    notice(transition.after, opponent(player), type, at, more),
  ];
  if (offers !== null) {
    // The offer may have been answered in the same transition.
    return transition.after.offers[offers]?.by === player
      ? told(OFFER_WORDS[offers], picked(data, ['ply']))
      : [];
  }
  if (accepts !== null) {
    return isOver(transition.after) ? [] : told('offerAnswered', { offer: accepts, accepted: true });
  }
  if (declines !== null) {
    // A move withdraws the player's own offer without notification. A draw offer stands.
    const isOwn = declines !== 'draw' && transition.before.offers[declines]?.by === player;
    return isOwn ? [] : told('offerAnswered', { offer: declines, accepted: false });
  }
  return notifies === null ? [] : told(notifies.notice as StoredType, picked(data, notifies.with));
}

const deadlineIn = ({ deadlineAt }: GameRow) => ({ deadlineAt: deadlineAt?.toISOString() ?? null });

const picked = (data: Notice['data'], names: readonly string[]): Notice['data'] =>
  Object.fromEntries(names.filter((name) => name in data).map((name) => [name, data[name]]));

/** For players who did not end the game themselves. */
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

/** The notifications that matter to a player only until their next move, and whether a turn can have one. */
const UNTIL_MOVED: readonly (readonly [StoredType, (clock: Clock) => boolean])[] = [
  // After a change of the deadline another reminder may follow one that was sent.
  ['reminder', ({ reminded, given, stops }) => reminded || given > 0 || stops.length > 0],
  ...ACTS.flatMap(({ notifies }) =>
    notifies?.untilMoved ? [[notifies.notice as StoredType, notifies.untilMoved] as const] : [],
  ),
];

function staleOf({ before, after }: Transition): readonly Answered[] {
  const stale = (player: Player, type: StoredType): Answered => ({
    userId: userOf(after, player),
    gameId: after.id,
    type,
    at: after.lastActivityAt,
  });
  const moved =
    before.turn !== null && (before.turn !== after.turn || before.plyCount !== after.plyCount)
      ? UNTIL_MOVED.flatMap(([type, isPossible]) =>
          isPossible(before.clock) ? [stale(before.turn!, type)] : [],
        )
      : [];
  const answered = OFFER_KINDS.flatMap((kind) => {
    const offer = before.offers[kind] ?? null;
    // An offer of the other player may have replaced it in the same transition.
    return offer !== null && (isOver(after) || after.offers[kind]?.by !== offer.by)
      ? [stale(opponent(offer.by), OFFER_WORDS[kind])]
      : [];
  });
  return [...moved, ...answered];
}
