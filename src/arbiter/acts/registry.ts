import type { Act } from './act.js';
import { abort } from './abort.js';
import { claimAbandoned } from './claim-abandoned.js';
import { claimDraw } from './claim-draw.js';
import { acceptDraw, declineDraw, offerDraw } from './draw.js';
import { makeMove } from './make-move.js';
import { acceptPause, declinePause, offerPause, unpause } from './pause.js';
import { resign } from './resign.js';
import { acceptTakeback, declineTakeback, offerTakeback } from './takeback.js';
import { acceptTimeRequest, declineTimeRequest, giveTime, requestTime } from './time.js';

/** All acts, in the order in which the log lists those of one version. */
export const ACTS = [
  makeMove,
  acceptTakeback,
  declineDraw,
  declineTakeback,
  declinePause,
  declineTimeRequest,
  offerDraw,
  offerTakeback,
  offerPause,
  requestTime,
  acceptDraw,
  claimDraw,
  giveTime,
  acceptTimeRequest,
  acceptPause,
  unpause,
  claimAbandoned,
  resign,
  abort,
] as const satisfies readonly Act[];

type AnyAct = (typeof ACTS)[number];
export type ActName = AnyAct['name'];

/** The notifications of acts that are neither offers nor answers. */
export const ACT_NOTICES = ACTS.flatMap(({ notifies }) => (notifies === null ? [] : [notifies.notice]));

/** Every act but a move, which is logged as a ply, has an event. */
type LoggedName = Exclude<ActName, 'makeMove'>;
const LOGGED = ACTS.map(({ name }) => name).filter((name): name is LoggedName => name !== 'makeMove');

/** In the order in which the log lists those of one version. */
export const EVENT_TYPES = [
  'create',
  'seed',
  'accept',
  'start',
  ...LOGGED,
  'resume',
  'vacationStart',
  'vacationEnd',
  'reminder',
  'flag',
  'adjudicate',
  'end',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What each event records, in a sentence for readers of the log. */
export const EVENT_MEANINGS: Readonly<Record<EventType, string>> = {
  create: 'The challenge that the game comes from was created.',
  seed: 'A player gave a client seed.',
  accept: 'The challenge was accepted.',
  start: 'The game started.',
  acceptTakeback: 'A player accepted a takeback.',
  declineDraw: 'A player declined a draw offer, or a move or a takeback did.',
  declineTakeback: 'A player declined a takeback, or a move or an offer of another takeback did.',
  declinePause: 'A player declined a pause, or a move or a takeback did.',
  declineTimeRequest: 'A player declined a request for time, or a move or a takeback did.',
  offerDraw: 'A player offered a draw.',
  offerTakeback: 'A player asked for a takeback.',
  offerPause: 'A player offered a pause.',
  requestTime: 'The player to move asked for more time.',
  acceptDraw: 'A player accepted a draw.',
  claimDraw: 'The player to move claimed a draw that holds.',
  giveTime: 'A player gave the opponent more time.',
  acceptTimeRequest: 'A player gave the opponent the time that was asked for.',
  acceptPause: 'A player accepted a pause.',
  unpause: 'A player gave notice to end a pause.',
  claimAbandoned: 'A player ended a game in which nobody had moved for 30 days.',
  resign: 'A player resigned.',
  abort: 'A player aborted the game.',
  resume: 'A pause ended, and the clocks run again.',
  vacationStart: 'A vacation of a player began.',
  vacationEnd: 'A vacation of a player ended.',
  reminder: 'The player to move had used 80 percent of the time for the turn.',
  flag: 'The time for a turn, or for an announced client seed, ran out.',
  adjudicate: 'The operator of the server aborted the game.',
  end: 'The game ended.',
};

/** The act that an event records; undefined for events of the clock and of the game itself. */
export const actOf = (type: EventType): Act | undefined => ACTS.find(({ name }) => name === type);
