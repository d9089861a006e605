import type { components } from '../../packages/client/src/client.js';
import type { Game } from '../../packages/elements/src/game/follow.js';
import { endOf, nameOf, playerIn } from '../../packages/elements/src/game/words.js';
import { en } from '../../packages/elements/src/texts/en.js';
import { day } from './reading.js';
import { lengthOf } from './time-control.js';

/** Notifications as sentences. */

export type Notification = components['schemas']['Notification'];
type Data = Notification['data'];

/** What a sentence is made of. */
interface Scene {
  readonly other: string;
  readonly data: Data;
  /** Null for a challenge. */
  readonly game: Game | null;
}

const DECLINED: Readonly<Record<string, string>> = {
  later: 'not now',
  timeControl: 'another time control',
  rated: 'a rated game instead',
  casual: 'a casual game instead',
  ruleset: 'another game',
  options: 'other options',
};

const OFFERS: Readonly<Record<string, string>> = {
  draw: 'offer of a draw',
  takeback: 'request for a takeback',
  pause: 'offer of a pause',
  time: 'request for more time',
};

const DROPPED: Readonly<Record<string, (other: string) => string>> = {
  unmatched: (other) => `${other} played something else`,
  illegal: () => 'the answer was not legal',
  yourTurn: () => 'the turn is yours',
  takeback: () => 'a move was taken back',
};

const wordsIn = (of: Readonly<Record<string, string>>, key: unknown): string | undefined => of[String(key)];

function until(data: Data): string {
  return typeof data['deadlineAt'] === 'string' ? ` until ${day(data['deadlineAt'])}` : '';
}

function ofPlan({ other, data }: Scene): string {
  if (data['resigned'] === true) return `You resigned against ${other}, as you had planned.`;
  if (data['offeredDraw'] === true) return `You offered ${other} a draw, as you had planned.`;
  return `Your conditional move ${String(data['san'])} was played against ${other}.`;
}

/** One for each type, so that a new one does not compile without. */
const SENTENCES: Readonly<Record<Notification['type'], (scene: Scene) => string>> = {
  yourTurn: ({ other, data }) => `It is your turn against ${other}${until(data)}.`,
  reminder: ({ other, data }) => `Your time against ${other} runs out: it is your turn${until(data)}.`,
  drawOffer: ({ other }) => `${other} offered a draw.`,
  takebackOffer: ({ other }) => `${other} asked for a takeback.`,
  pauseOffer: ({ other }) => `${other} offered a pause.`,
  timeRequest: ({ other }) => `${other} asked for more time.`,
  offerAnswered: ({ other, data }) =>
    `${other} ${data['accepted'] === true ? 'accepted' : 'declined'} your ${wordsIn(OFFERS, data['offer']) ?? 'offer'}.`,
  timeGiven: ({ other, data }) => `${other} gave you ${lengthOf(Number(data['seconds']))} more.`,
  pauseEnding: ({ other, data }) =>
    `The pause against ${other} ends${typeof data['resumesAt'] === 'string' ? ` ${day(data['resumesAt'])}` : ''}.`,
  gameStarted: ({ other, game }) =>
    `Your game against ${other} has started.${game?.status === 'pending' ? ' It waits for your seed: open it.' : ''}`,
  gameOver: ({ other, game }) =>
    `Your game against ${other} is over. ${(game === null ? null : endOf(game, en)) ?? ''}`.trim(),
  conditionalPlayed: ofPlan,
  conditionalDropped: ({ other, data }) => {
    const why = DROPPED[String(data['why'])]?.(other);
    return `Your conditional moves against ${other} were dropped${why === undefined ? '' : `: ${why}`}.`;
  },
  message: ({ other }) => `${other} has written to you.`,
  challenge: ({ other }) => `${other} challenges you to a game.`,
  challengeAnswered: ({ data }) => {
    const why = wordsIn(DECLINED, data['reason']);
    return `A challenge of yours was declined${why === undefined ? '' : `: ${why}`}.`;
  },
  rematch: ({ other }) => `${other} offers you a rematch.`,
};

/** Who plays against the reader, or has challenged them. */
function otherOf({ data }: Notification, game: Game | null): string {
  if (typeof data['from'] === 'string') return data['from'];
  const seat = game?.viewer?.seat ?? null;
  if (game === null || seat === null) return 'your opponent';
  return nameOf(playerIn(game, seat === 'first' ? 'second' : 'first'));
}

export function sentenceOf(notification: Notification, game: Game | null): string {
  const { type, data } = notification;
  const other = otherOf(notification, game);
  // A server that is newer than this page may have other types.
  const sentence = SENTENCES[type] as ((scene: Scene) => string) | undefined;
  return sentence?.({ other, data, game }) ?? `There is news of your game against ${other}.`;
}
