import { useEffect, useRef } from 'preact/hooks';
import type { Game } from '../../../packages/elements/src/game/follow.js';
import { Form } from '../form.js';
import { Further } from '../further.js';
import { type Notification, sentenceOf } from '../news-words.js';
import { day, useRead } from '../reading.js';
import { readRulesets } from '../rulesets.js';
import { halfmove } from '../session.js';

/** The notifications, newest first, read anew after each event while they are shown. */

const PAGE = 20;
/** What the server gives at once. */
const MOST = 100;
/** The server counts no further. */
const MOST_UNREAD = 1000;
const AGAIN_MS = 3000;

/** A notification with the words for it. */
interface Item {
  readonly notification: Notification;
  readonly sentence: string;
  readonly game: string;
  readonly address: string;
}

interface Shown {
  readonly items: readonly Item[];
  readonly next: string | null;
  readonly unreadCount: number;
}

/** The games of a page in one answer; a challenge has none yet. */
async function gamesOf(notifications: readonly Notification[]): Promise<ReadonlyMap<string, Game>> {
  const ids = [...new Set(notifications.map(({ gameId }) => gameId))];
  if (ids.length === 0) return new Map();
  const { data } = await halfmove.rest.GET('/v1/games/by-ids', { params: { query: { ids: ids.join(',') } } });
  return new Map(data.items.flatMap((game) => (game === null ? [] : [[game.id, game] as const])));
}

async function readNews(first: number, after: string | null = null): Promise<Shown> {
  const query = after === null ? { first } : { first, after };
  const { data } = await halfmove.rest.GET('/v1/notifications', { params: { query } });
  const { items, next, unreadCount } = data;
  const isNamed = items.some((one) => 'ruleset' in one.data);
  const [games, rulesets] = await Promise.all([gamesOf(items), isNamed ? readRulesets() : []]);
  const itemOf = (notification: Notification): Item => {
    const { gameId, data } = notification;
    const game = games.get(gameId) ?? null;
    const name = game?.ruleset.name ?? rulesets.find(({ id }) => id === data['ruleset'])?.name ?? '';
    return {
      notification,
      sentence: sentenceOf(notification, game),
      game: name,
      address: game === null ? `/challenges/${gameId}` : `/games/${gameId}`,
    };
  };
  return { items: items.map(itemOf), next, unreadCount };
}

export function NewsList() {
  /** As many as were asked for are read again. */
  const count = useRef(PAGE);
  const [shown, again, trouble, replace] = useRead(() => readNews(Math.min(count.current, MOST)));
  useEffect(() => {
    const ending = new AbortController();
    void follow(ending.signal, again);
    return () => ending.abort();
  }, []);
  if (trouble !== null) return <p role="alert">{trouble}</p>;
  if (shown === null) return <p role="status">Reading your news …</p>;
  const { items, next, unreadCount } = shown;
  const addOlder = async () => {
    const older = await readNews(PAGE, next);
    const known = new Set(items.map(({ notification }) => notification.id));
    const added = older.items.filter(({ notification }) => !known.has(notification.id));
    count.current = items.length + added.length;
    replace({ ...older, items: [...items, ...added] });
  };
  const markAll = async () => {
    await mark({ before: items[0]!.notification.createdAt });
    await again();
  };
  return (
    <section aria-label="What has happened">
      <p role="status">{countOf(shown)}</p>
      {unreadCount > 0 && (
        <Form label="Mark all as read" action="Mark all as read" kind="second" onSend={markAll}>
          {() => null}
        </Form>
      )}
      <ul class="rows">
        {items.map((item) => (
          <Row key={item.notification.id} item={item} />
        ))}
      </ul>
      {next !== null && <Further label="Older news" onMore={addOlder} />}
    </section>
  );
}

function Row({ item }: { readonly item: Item }) {
  const { notification, sentence, game, address } = item;
  const { id, createdAt, readAt } = notification;
  // Whoever opens it has read it; if this is not stored, it stays unread.
  const open = () => void (readAt === null && mark({ ids: [id] }).catch(() => undefined));
  return (
    <li>
      <span>
        {readAt === null && <strong>Unread: </strong>}
        <a href={address} onClick={open}>
          {sentence}
        </a>
        <br />
        <small>{[...(game === '' ? [] : [game]), day(createdAt)].join(', ')}</small>
      </span>
    </li>
  );
}

function countOf({ items, unreadCount }: Shown): string {
  if (items.length === 0) return 'Nothing has happened yet. What happens in your games will be here.';
  if (unreadCount === 0) return 'You have read everything.';
  return unreadCount < MOST_UNREAD ? `${unreadCount} unread.` : `${MOST_UNREAD} or more unread.`;
}

const mark = (body: { readonly ids: string[] } | { readonly before: string }) =>
  halfmove.rest.POST('/v1/notifications/read', { body });

async function follow(signal: AbortSignal, again: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    const events = halfmove.events({ signal });
    try {
      await events.opened;
      // What happened before the stream was open.
      await again();
      for await (const _ of events) await again();
    } catch {
      // The client has tried again by itself; what is left may take longer.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    } finally {
      await events.return();
    }
  }
}
