import type { Act as DoneAct } from '../../arbiter/acts/act.js';
import { actOf, ACTS } from '../../arbiter/acts/registry.js';
import { OFFER_KINDS, OFFER_WORDS } from '../../arbiter/offers.js';
import { isOver } from '../../arbiter/table.js';
import type { Notice, NoticeType } from '../notifications/notification.row.js';
import { opponent, PLAYERS, type Player } from '../../rules/ruleset.js';
import { userOf, type Act, type EventRow } from './game.row.js';

/** Whom an act is news for, and which older news it makes stale. */

/** A notification that has had its answer. */
export type Stale = Pick<Notice, 'userId' | 'gameId' | 'type'>;

export interface News {
  readonly notices: readonly Notice[];
  readonly stale: readonly Stale[];
}

export function newsOf(act: Act): News {
  const notices = newestOf([
    ...act.events.flatMap((event) => newsOfEvent(act, event)),
    ...turnNews(act),
    ...act.notices,
  ]);
  const isNew = ({ userId, type }: Stale) =>
    notices.some((notice) => notice.userId === userId && notice.type === type);
  return { notices, stale: staleOf(act).filter((old) => !isNew(old)) };
}

/** One of a kind for each user, as the table keeps them. */
const newestOf = (notices: readonly Notice[]): readonly Notice[] => [
  ...new Map(notices.map((notice) => [`${notice.userId} ${notice.type}`, notice])).values(),
];

function notice(
  { after }: Act,
  player: Player,
  type: NoticeType,
  at: Date,
  data: Notice['data'] = {},
): Notice {
  return { userId: userOf(after, player), gameId: after.id, type, data, at };
}

/** Whose turn has come by a ply or a takeback; not his who goes on by hand with a turn of several plies. */
function turnNews(act: Act): readonly Notice[] {
  const { after, plies, events } = act;
  const returned = events.some(({ type }) => type === 'acceptTakeback');
  const last = plies.at(-1);
  if (after.turn === null || after.status !== 'active') return [];
  if (!returned && (last === undefined || (last.player === after.turn && !last.automatic))) return [];
  const data = { ply: after.plyCount + 1, ...deadlineIn(act) };
  return [notice(act, after.turn, 'yourTurn', after.lastActivityAt, data)];
}

function newsOfEvent(act: Act, event: EventRow): readonly Notice[] {
  const { type, player, at, data } = event;
  if (type === 'end') return overNews(act, event);
  if (player === null) return [];
  if (type === 'reminder') return [notice(act, player, 'reminder', at, deadlineIn(act))];
  const done = actOf(type);
  // What lapses with a takeback needs no word beside that of the takeback.
  return done === undefined || data['byTakeback'] === true ? [] : newsOfAct(act, event, player, done);
}

/** What the opponent is told of an act: an offer, the answer to one, or what the act says itself. */
function newsOfAct(act: Act, { at, data }: EventRow, player: Player, done: DoneAct): readonly Notice[] {
  const { offers, accepts, declines, tells } = done;
  const told = (type: NoticeType, more: Notice['data']) => [notice(act, opponent(player), type, at, more)];
  if (offers !== null) {
    // It may have been answered in the same act.
    return act.after.offers[offers]?.by === player ? told(OFFER_WORDS[offers], picked(data, ['ply'])) : [];
  }
  if (accepts !== null) {
    return isOver(act.after) ? [] : told('offerAnswered', { offer: accepts, accepted: true });
  }
  if (declines !== null) {
    // Whoever moves takes his own offer back, which is no news for the other. A draw's stands.
    const isOwn = declines !== 'draw' && act.before.offers[declines]?.by === player;
    return isOwn ? [] : told('offerAnswered', { offer: declines, accepted: false });
  }
  return tells === null ? [] : told(tells.notice as NoticeType, picked(data, tells.with));
}

const deadlineIn = ({ after }: Act) => ({ deadlineAt: after.deadlineAt?.toISOString() ?? null });

const picked = (data: Notice['data'], names: readonly string[]): Notice['data'] =>
  Object.fromEntries(names.filter((name) => name in data).map((name) => [name, data[name]]));

/** The end is no news for the player whose own hand brought it about. */
function overNews(act: Act, { at, data }: EventRow): readonly Notice[] {
  const byHand = act.events.find(({ type }) => actOf(type)?.ends);
  const last = act.plies.at(-1);
  const done =
    byHand?.data['automatic'] === true
      ? null
      : (byHand?.player ?? (last?.automatic ? null : last?.player) ?? null);
  return PLAYERS.filter((player) => player !== done).map((player) =>
    notice(act, player, 'gameOver', at, data),
  );
}

/** What is of interest to a player only until he has moved. */
const UNTIL_MOVED: readonly NoticeType[] = [
  'yourTurn',
  'reminder',
  ...ACTS.flatMap(({ tells }) => (tells?.untilMoved ? [tells.notice as NoticeType] : [])),
];

function staleOf({ before, after }: Act): readonly Stale[] {
  const stale = (player: Player, type: NoticeType): Stale => ({
    userId: userOf(after, player),
    gameId: after.id,
    type,
  });
  const moved =
    before.turn !== null && (before.turn !== after.turn || before.plyCount !== after.plyCount)
      ? UNTIL_MOVED.map((type) => stale(before.turn!, type))
      : [];
  const answered = OFFER_KINDS.flatMap((kind) => {
    const offer = before.offers[kind] ?? null;
    // An offer of the other player may have taken its place in the same act.
    return offer !== null && (isOver(after) || after.offers[kind]?.by !== offer.by)
      ? [stale(opponent(offer.by), OFFER_WORDS[kind])]
      : [];
  });
  return [...moved, ...answered];
}
