import { createHash, createHmac } from 'node:crypto';
import {
  OF_GAMES,
  USER_EVENT_TYPES,
  type EventRow,
  type EventType,
  type Place,
  type Placed,
} from '../events/event.row.js';

/** What goes out, in the words and the form of Standard Webhooks (standardwebhooks.com). */

/** The type of the message that only tries whether an address answers. */
export const TEST = 'test';

/** `game.move` for a ply, `game.end`; `challenge.seedGiven`: the thing, a full stop, and what became of it. */
function nameOf(type: EventType): string {
  if (type === 'ply') return 'game.move';
  if (type === 'ratingChanged') return 'rating.changed';
  if ((OF_GAMES as readonly string[]).includes(type)) return `game.${type}`;
  const [, thing, became] = /^([a-z]+)(.+)$/.exec(type)!;
  return `${thing}.${became![0]!.toLowerCase()}${became!.slice(1)}`;
}

/** The name of each type of events, as it goes out. */
export const NAMES: ReadonlyMap<EventType, string> = new Map(
  USER_EVENT_TYPES.map((type) => [type, nameOf(type)]),
);

const TYPES: ReadonlyMap<string, EventType> = new Map([...NAMES].map(([type, name]) => [name, type]));

/** The type with this name. */
export const typeOf = (name: string): EventType | undefined => TYPES.get(name);

/** What is sent: its id is the same at each try. */
export interface Message {
  readonly messageId: string;
  readonly type: string;
  readonly body: string;
}

const ID_CHARACTERS = 32;

/** Named after the mark of the event as well: where a failover lost commits, other events get their numbers. */
export function messageOf(
  webhookId: string,
  { event, place }: Placed<Place>,
  receipt: string | null,
): Message {
  const { tide, id, mark, part } = place;
  const digest = createHash('sha256').update([webhookId, tide, id, mark, part].join()).digest('base64url');
  return { messageId: `msg_${digest.slice(0, ID_CHARACTERS)}`, ...contentOf(event, receipt) };
}

function contentOf(
  { type, at, gameId, version, player, subject }: EventRow,
  receipt: string | null,
): Omit<Message, 'messageId'> {
  const name = NAMES.get(type)!;
  return { type: name, body: bodyOf(name, at, { gameId, version, player, subject, receipt }) };
}

export const bodyOf = (type: string, at: Date, data: object): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data });

/** Which of `lanes` an event goes through: those of one game go one after another. */
export const laneOf = ({ gameId }: Pick<EventRow, 'gameId'>, lanes: number): number =>
  gameId === null ? 0 : parseInt(gameId.slice(-2), 16) % lanes;

/** Signed with each of the secrets, of which there are two while one is replaced. */
export function headersOf(
  { messageId, body }: Pick<Message, 'messageId' | 'body'>,
  secrets: readonly Buffer[],
  now: Date,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = secrets.map(
    (secret) =>
      `v1,${createHmac('sha256', secret).update(`${messageId}.${timestamp}.${body}`).digest('base64')}`,
  );
  return {
    'content-type': 'application/json',
    'user-agent': 'Halfmove-Webhooks',
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
