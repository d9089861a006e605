import type { NoticeType } from '../notifications/notification.row.js';

/** What can be told, by which channel, and when. */

export const NEWS_KINDS = [
  'yourTurn',
  'reminder',
  'challenge',
  'offer',
  'message',
  'gameOver',
  'conditional',
] as const;
export type NewsKind = (typeof NEWS_KINDS)[number];

export const NEWS_CHANNELS = ['mail', 'push'] as const;
export type NewsChannel = (typeof NEWS_CHANNELS)[number];

export const NEWS_TIMES = ['atOnce', 'daily', 'never'] as const;
export type NewsTime = (typeof NEWS_TIMES)[number];

export type NewsChoices = Readonly<Record<NewsKind, NewsTime>>;

/** What a user is told who has chosen nothing. */
const DEFAULTS: Readonly<Record<NewsChannel, NewsChoices>> = {
  /** At once is what waits for an answer or costs a game; the rest makes one mail a day at most. */
  mail: {
    yourTurn: 'daily',
    reminder: 'atOnce',
    challenge: 'atOnce',
    offer: 'daily',
    message: 'daily',
    gameOver: 'daily',
    conditional: 'never',
  },
  /** Who switches it on in a browser wants to know. */
  push: {
    yourTurn: 'atOnce',
    reminder: 'atOnce',
    challenge: 'atOnce',
    offer: 'atOnce',
    message: 'atOnce',
    gameOver: 'atOnce',
    conditional: 'never',
  },
};

/** The kind of each type of notification. */
const KINDS: Readonly<Record<NoticeType, NewsKind>> = {
  yourTurn: 'yourTurn',
  reminder: 'reminder',
  drawOffer: 'offer',
  takebackOffer: 'offer',
  pauseOffer: 'offer',
  timeRequest: 'offer',
  offerAnswered: 'offer',
  timeGiven: 'offer',
  pauseEnding: 'offer',
  gameStarted: 'challenge',
  challenge: 'challenge',
  challengeAnswered: 'challenge',
  rematch: 'challenge',
  gameOver: 'gameOver',
  conditionalPlayed: 'conditional',
  conditionalDropped: 'conditional',
  message: 'message',
};
export const kindOfNews = (type: NoticeType): NewsKind => KINDS[type];

export const isNewsKind = (word: string): word is NewsKind =>
  (NEWS_KINDS as readonly string[]).includes(word);

/** By channel, of the kinds for which the user chose something. */
type Chosen = Readonly<Record<NewsChannel, Partial<NewsChoices>>>;

/** What a user wants to be told, and when. */
export interface NewsWishes extends Chosen {
  /** Hours of the day; both or none. */
  readonly quietFrom: number | null;
  readonly quietUntil: number | null;
  readonly digestHour: number;
  readonly timeZone: string;
  /** Seconds before a deadline, the longest first. */
  readonly reminders: readonly number[];
}

export const DEFAULT_WISHES: NewsWishes = {
  mail: {},
  push: {},
  quietFrom: null,
  quietUntil: null,
  digestHour: 8,
  timeZone: 'UTC',
  reminders: [86_400, 14_400],
};

export const choicesFor = (channel: NewsChannel, wishes: Chosen): NewsChoices => ({
  ...DEFAULTS[channel],
  ...wishes[channel],
});
