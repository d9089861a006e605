import { opponent, type Player } from '../../rules/ruleset.js';
import type { ShownGame } from '../games/game.row.js';
import type { NoticeType } from '../notifications/notification.row.js';
import { kindOfNews, type NewsKind } from './news-kinds.js';

/** What mails of news say: no text that a player wrote, and of names only usernames. */

interface Scene {
  /** The name of the rule set. */
  readonly game: string;
  readonly other: string;
  readonly row: ShownGame;
  readonly seat: Player;
  readonly until: string | null;
}

const SUBJECTS: Readonly<Record<NewsKind, string>> = {
  yourTurn: 'Your turn',
  reminder: 'Your time is running out',
  challenge: 'A challenge',
  offer: 'An offer in a game',
  message: 'A message from an opponent',
  gameOver: 'A game is over',
  conditional: 'A conditional move',
};

export const STOP_WORDS: Readonly<Record<NewsKind, string>> = {
  yourTurn: 'No more mail about your turns',
  reminder: 'No more reminders by mail',
  challenge: 'No more mail about challenges',
  offer: 'No more mail about offers',
  message: 'No more mail about messages',
  gameOver: 'No more mail about the ends of games',
  conditional: 'No more mail about conditional moves',
};

/** Without names. A deadline goes before everything else. */
export function subjectOf(items: readonly { readonly type: NoticeType; readonly gameId: string }[]): string {
  const kinds = new Set(items.map(({ type }) => kindOfNews(type)));
  if (kinds.has('reminder')) return SUBJECTS.reminder;
  if (kinds.size > 1) return 'News of your games';
  const [kind] = kinds;
  const games = new Set(items.map(({ gameId }) => gameId)).size;
  if (items.every(({ type }) => type === 'gameStarted')) return 'A game has started';
  return kind === 'yourTurn' && games > 1 ? `Your turn in ${games} games` : SUBJECTS[kind!];
}

/** A moment in a time zone, as `27 November 2026, 18:18 (Europe/Berlin)`. */
export function momentIn(moment: Date, timeZone: string): string {
  const style = { dateStyle: 'long', timeStyle: 'short' } as const;
  try {
    const text = new Intl.DateTimeFormat('en-GB', { ...style, timeZone }).format(moment);
    return `${text.replace(' at ', ', ')} (${timeZone})`;
  } catch {
    return momentIn(moment, 'UTC');
  }
}

export function ofChallenge(type: NoticeType, from: string | null, game: string): string {
  if (type === 'challengeAnswered') return 'A challenge of yours was declined.';
  return type === 'rematch'
    ? `${from} offers you a rematch: ${game}.`
    : `${from} challenges you to a game: ${game}.`;
}

/** One sentence or two. */
export function ofGame(type: NoticeType, { game, other, row, seat, until }: Scene): string {
  const inGame = `in your game against ${other} (${game})`;
  switch (type) {
    case 'yourTurn':
      return `It is your turn ${inGame}.${until === null ? '' : ` You have until ${until}.`}`;
    case 'reminder':
      return `Your time ${inGame} runs out on ${until}. It is your turn.`;
    case 'drawOffer':
      return `A draw is offered to you ${inGame}.`;
    case 'takebackOffer':
      return `You are asked for a takeback ${inGame}.`;
    case 'pauseOffer':
      return `A pause is offered to you ${inGame}.`;
    case 'timeRequest':
      return `You are asked for more time ${inGame}.`;
    case 'offerAnswered':
      return `An offer of yours was answered ${inGame}.`;
    case 'timeGiven':
      return `You were given more time ${inGame}.`;
    case 'pauseEnding':
      return `The pause ends ${inGame}.`;
    case 'gameStarted':
      return `Your game against ${other} (${game}) has started.${row.status === 'pending' ? ' It waits for your client seed: open it.' : ''}`;
    case 'gameOver':
      return `Your game against ${other} (${game}) is over: ${endOf(row, seat)}.`;
    case 'conditionalPlayed':
      return `A conditional move of yours was played ${inGame}.`;
    case 'conditionalDropped':
      return `Conditional moves of yours were dropped ${inGame}.`;
    case 'message':
      return `${other} has written to you (${game}).`;
    default:
      return `There is news ${inGame}.`;
  }
}

/** `fiftyMoves` is "fifty moves". */
const spelled = (reason: string): string => reason.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function endOf({ winner, reason }: ShownGame, seat: Player): string {
  if (reason === null || reason === 'aborted') return 'it was aborted';
  const result = winner === null ? 'a draw' : winner === opponent(seat) ? 'you lost' : 'you won';
  return `${result} (${spelled(reason)})`;
}
