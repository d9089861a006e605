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

/** The acts of the two players of a game, in the order in which the log tells those of one version. */
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

/** What the opponent may be told of acts that offer and answer nothing. */
export type ActNotice = AnyAct extends Act<string, infer Notice> ? Notice : never;
export const ACT_NOTICES = ACTS.flatMap(({ tells }) => (tells === null ? [] : [tells.notice]));

/** What has an event of its own: all acts but a move, which is a ply. */
type LoggedName = Exclude<ActName, 'makeMove'>;
const LOGGED = ACTS.map(({ name }) => name).filter((name): name is LoggedName => name !== 'makeMove');

/** In the order in which those of one version are told. */
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

/** The act that an event tells of; undefined for those of the clock and of the game itself. */
export const actOf = (type: EventType): Act | undefined => ACTS.find(({ name }) => name === type);
