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
  const data = { ply: after.plyCount + 1, deadlineAt: after.deadlineAt?.toISOString() ?? null };
  return [notice(act, after.turn, 'yourTurn', after.lastActivityAt, data)];
}

function newsOfEvent(act: Act, event: EventRow): readonly Notice[] {
  const { type, player, at, data } = event;
  if (type === 'end') return overNews(act, event);
  // What lapses with a takeback needs no word beside that of the takeback.
  if (player === null || data['byTakeback'] === true) return [];
  const other = opponent(player);
  switch (type) {
    case 'reminder':
      return [
        notice(act, player, 'reminder', at, { deadlineAt: act.after.deadlineAt?.toISOString() ?? null }),
      ];
    case 'offerDraw':
      return act.after.offers.draw?.by === player ? [notice(act, other, 'drawOffer', at)] : [];
    case 'offerTakeback':
      return [notice(act, other, 'takebackOffer', at, data)];
    case 'offerPause':
      return [notice(act, other, 'pauseOffer', at)];
    case 'giveTime':
      return [notice(act, other, 'timeGiven', at, data)];
    case 'unpause':
      return [notice(act, other, 'pauseEnding', at, { resumesAt: data['resumesAt'] })];
    case 'declineDraw':
      return [answered('draw', false)];
    case 'acceptTakeback':
      return [answered('takeback', true)];
    case 'declineTakeback':
      // Whoever moves takes his own offer back, which is no news for the other.
      return act.before.offers.takeback?.by === player ? [] : [answered('takeback', false)];
    case 'acceptPause':
      return [answered('pause', true)];
    case 'declinePause':
      return act.before.offers.pause?.by === player ? [] : [answered('pause', false)];
    default:
      return [];
  }
  function answered(offer: string, accepted: boolean): Notice {
    return notice(act, other, 'offerAnswered', at, { offer, accepted });
  }
}

/** The end is no news for the player whose own hand brought it about. */
function overNews(act: Act, { at, data }: EventRow): readonly Notice[] {
  const byHand = act.events.find(({ type }) =>
    ['resign', 'abort', 'acceptDraw', 'claimDraw', 'claimAbandoned'].includes(type),
  );
  const last = act.plies.at(-1);
  const done =
    byHand?.data['automatic'] === true
      ? null
      : (byHand?.player ?? (last?.automatic ? null : last?.player) ?? null);
  return PLAYERS.filter((player) => player !== done).map((player) =>
    notice(act, player, 'gameOver', at, data),
  );
}

const OFFERS = [
  ['draw', 'drawOffer'],
  ['takeback', 'takebackOffer'],
  ['pause', 'pauseOffer'],
] as const;

function staleOf({ before, after }: Act): readonly Stale[] {
  const stale = (player: Player, type: NoticeType): Stale => ({
    userId: userOf(after, player),
    gameId: after.id,
    type,
  });
  const moved =
    before.turn !== null && (before.turn !== after.turn || before.plyCount !== after.plyCount)
      ? (['yourTurn', 'reminder', 'timeGiven'] as const).map((type) => stale(before.turn!, type))
      : [];
  const answered = OFFERS.flatMap(([kind, type]) => {
    const offer = before.offers[kind];
    // An offer of the other player may have taken its place in the same act.
    return offer !== null && (isOver(after) || after.offers[kind]?.by !== offer.by)
      ? [stale(opponent(offer.by), type)]
      : [];
  });
  return [...moved, ...answered];
}
