import { Prisma } from '../../generated/prisma/client.js';
import { arrayText } from '../../platform/database/array-text.js';
import { userOf, type Transition } from './game.row.js';

/** A vacation that a transition starts in a game. */
interface Started {
  readonly gameId: string;
  readonly userId: string;
  readonly from: string;
  readonly until: string;
}

/**
 * Keeps only those rows `a` of acts whose vacations are as they were judged: one may have been ended meanwhile, and must
 * not begin behind its end. Empty unless one begins, so that moves keep their one text.
 */
export function vacationGuard(transitions: readonly Transition[]): Prisma.Sql {
  const started = transitions.flatMap(startedIn);
  if (started.length === 0) return Prisma.empty;
  const all = (name: keyof Started) => arrayText(started.map((each) => each[name]));
  // Locked until the commit, so that an end waits for it; one that is just being ended counts as ended.
  return Prisma.sql`WHERE NOT EXISTS (
    SELECT FROM unnest(${all('gameId')}::uuid[], ${all('userId')}::uuid[], ${all('from')}::timestamptz[],
                       ${all('until')}::timestamptz[]) AS s(game_id, user_id, starts_at, ends_at)
    WHERE s.game_id = a.id AND NOT EXISTS (
      SELECT FROM vacations v
      WHERE v.user_id = s.user_id AND v.starts_at = s.starts_at AND v.ends_at = s.ends_at
      FOR SHARE SKIP LOCKED))`;
}

const startedIn = ({ before, events }: Transition): readonly Started[] =>
  events
    .filter(({ type }) => type === 'vacationStart')
    .map(({ gameId, player, data }) => {
      const { from, until } = data as { readonly from: string; readonly until: string };
      return { gameId, userId: userOf(before, player!), from, until };
    });
