import type { components } from '../../../client/src/client.js';

/** All texts of the elements in English. The other languages have its shape, so that a missing text does not compile. */

type Game = components['schemas']['Game'];
type Reason = NonNullable<Game['outcome']>['reason'];
export type ActName = Exclude<components['schemas']['AllowedAct']['act'], 'makeMove'>;
/** The names of sides and pieces in the API. */
export type SideName = 'white' | 'black' | 'red';

export interface ActTexts {
  readonly label: string;
  /** What is asked before an act that cannot be taken back. */
  readonly question?: string;
}

const reasons: Readonly<Record<Reason, string>> = {
  aborted: 'the game was aborted',
  agreement: 'agreed',
  allPiecesCaptured: 'all pieces were captured',
  checkmate: 'checkmate',
  fiftyMoves: 'fifty moves without progress',
  fivefoldRepetition: 'the position came five times',
  insufficientMaterial: 'nobody can win any more',
  kingCaptured: 'the king was captured',
  noLegalMove: 'no legal move is left',
  perpetualAttack: 'perpetual attack',
  perpetualChase: 'perpetual chase',
  perpetualCheck: 'perpetual check',
  quietLimit: 'too long without progress',
  resignation: 'resignation',
  seventyFiveMoves: '75 moves without progress',
  stalemate: 'stalemate',
  threefoldRepetition: 'the position came three times',
  timeout: 'out of time',
};

const acts: Readonly<Record<ActName, ActTexts>> = {
  abort: { label: 'Abort', question: 'Abort the game? It counts for nobody.' },
  acceptDraw: { label: 'Accept the draw', question: 'End the game as a draw?' },
  acceptPause: { label: 'Accept the pause' },
  acceptTakeback: { label: 'Let the move be taken back' },
  acceptTimeRequest: { label: 'Give the time asked for' },
  claimAbandoned: { label: 'End the abandoned game', question: 'End the game?' },
  claimDraw: { label: 'Claim a draw', question: 'End the game as a draw?' },
  declineDraw: { label: 'Decline the draw' },
  declinePause: { label: 'Decline the pause' },
  declineTakeback: { label: 'Do not let it be taken back' },
  declineTimeRequest: { label: 'Give no more time' },
  giveTime: { label: 'Give time' },
  offerDraw: { label: 'Offer a draw' },
  offerPause: { label: 'Offer a pause' },
  offerTakeback: { label: 'Ask to take back' },
  requestTime: { label: 'Ask for time' },
  resign: { label: 'Resign', question: 'Resign, and lose the game?' },
  unpause: { label: 'End the pause' },
};

const sides: Readonly<Record<SideName, string>> = { white: 'white', black: 'black', red: 'red' };

export interface NamedPiece {
  readonly name: string;
  readonly chinese: readonly string[] | null;
}

export const en = {
  /** The language tag of the texts, and of dates. */
  lang: 'en',
  dates: 'en-GB',
  sides,
  /** The names of rule sets by id, where they differ from those of the API. */
  rulesets: {} as Readonly<Record<string, string>>,
  /** A piece of a side, which has the place 0 or 1. */
  piece: (side: string, { name }: NamedPiece, _place: 0 | 1): string => `${side} ${name}`,
  list: (items: readonly string[]): string => items.join(', '),
  counted: (count: number, name: string): string => (count === 1 ? name : `${count} × ${name}`),
  reasons,
  acts,
  board: {
    label: (ruleset: string) => `Board of ${ruleset}`,
    empty: 'empty',
    faceDown: 'face-down piece',
    target: 'move here',
    capture: 'capture here',
    movable: 'can move',
    turnable: 'can be turned up',
    inCheck: 'in check',
    title: (ruleset: string, players: readonly string[]) => `${ruleset}: ${players.join(' against ')}`,
  },
  game: {
    reading: 'Reading the game ...',
    watching: 'You are watching: others play this game.',
    aborted: 'The game was aborted.',
    draw: (reason: string) => `Draw: ${reason}.`,
    won: (name: string, reason: string) => `${name} won: ${reason}.`,
    lost: (reason: string) => `You lost: ${reason}.`,
    waits: 'The game waits for the seed of a player.',
    yourMove: 'Your move.',
    toMove: (name: string) => `${name} is to move.`,
    you: 'You',
    played: (name: string, move: string) => `${name} played ${move}.`,
    turnedUp: (piece: string) => ` It was a ${piece}.`,
    isYou: ' (you)',
    side: (side: string) => `, ${side}`,
    until: (time: string) => `, to move until ${time}`,
    away: (time: string) => `, on vacation until ${time}`,
    paused: (time: string | null) =>
      time === null ? 'The game is paused.' : `The game is paused until ${time}.`,
    captured: (pieces: string) => `Captured: ${pieces}.`,
    faceDown: (pieces: string) => `Still face-down: ${pieces}.`,
    rating: (before: number, after: number) => `, rating ${before}, now ${after}`,
  },
  /** Offers that are open, by one of the players or "You". */
  offers: {
    draw: (name: string) => `${name} offered a draw.`,
    takeback: (name: string) => `${name} asked for a takeback.`,
    pause: (name: string) => `${name} offered a pause.`,
    time: (name: string) => `${name} asked for more time.`,
  },
  warning: {
    losing: (king: string) => `Your opponent can capture your ${king} right after it.`,
    repeats: (reason: string, isDraw: boolean) =>
      `It repeats the position: ${reason}${isDraw ? ', a draw' : ''}.`,
  },
  move: {
    label: 'The move that you have chosen',
    send: (move: string) => `Send ${move}`,
    sendWithDraw: (move: string) => `Offer a draw with ${move}`,
    other: 'Choose another move',
    pass: 'Pass',
    ask: 'Ask before a move is sent',
    turn: 'Turn the board',
    mayDo: 'What you may do',
    no: 'No',
    claimWith: (move: string) => `Claim a draw with ${move}`,
  },
  steps: {
    label: 'Steps through the game',
    first: 'First',
    back: 'Back',
    forward: 'Forward',
    newest: 'Newest',
    start: 'At the start',
    after: (ply: number, move: string) => `After ply ${ply}: ${move}`,
    moves: 'Moves',
    automatic: ' (conditional)',
    notation: 'Notation',
    notations: { san: 'Usual', coordinates: 'Squares' },
  },
  plans: {
    heading: 'Conditional moves',
    about: 'Your answers to what your opponent may play. They are sent by themselves when it happens.',
    theirs: 'Play a move of your opponent.',
    mine: (move: string) => `After ${move}: play your answer.`,
    turnedUp: 'Which piece does your opponent turn up?',
    answer: (theirs: string, mine: string) => `After ${theirs}, play ${mine}`,
    again: 'Begin again',
    remove: 'Remove',
    leave: 'Back to the game',
  },
  chat: {
    heading: 'Messages',
    none: 'No messages yet.',
    closed: 'Messages cannot be sent in this game now.',
    label: 'Your message',
    send: 'Send',
    wrote: (name: string, time: string) => `${name}, ${time}`,
  },
  rematch: {
    label: 'Rematch',
    own: 'You offered a rematch.',
    opponent: 'Your opponent offered a rematch.',
  },
  trouble: {
    unread: 'This part could not be read. Load the page again.',
    unreachable: 'The server cannot be reached. Check your connection and try again.',
    reconnecting: 'The connection was lost. It is tried again by itself; what you see may be old.',
    over: 'Your access to this game has ended. Load the page again to go on; nothing was lost.',
    dropped: 'The game went on in the meantime. The move that you had chosen was not sent.',
  },
};

export type Texts = typeof en;
