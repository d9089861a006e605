import type { Aborter, End, LogEntry } from '../../fairness/log-entry.js';

/** Makes log entries from the rows of a challenge and its game. */

/** The columns of a challenge that an entry needs. */
export interface OpenedRow {
  readonly id: string;
  readonly status: string;
  readonly commitment: string;
  readonly createHash: string;
  readonly headHash: string;
}

/** The columns of an ended game that an entry needs. */
export interface EndedRow {
  readonly status: string;
  readonly creator: string;
  readonly winner: string | null;
  readonly reason: string | null;
  readonly headHash: string;
}

/** An event that can end a game without a result. */
export interface EndingEvent {
  readonly type: string;
  readonly player: string | null;
  readonly data: unknown;
}

export interface Ended {
  readonly challenge: OpenedRow;
  /** The game with the id of the challenge; null if there is none. */
  readonly game: EndedRow | null;
  /** The last of `ENDING_EVENTS`. */
  readonly event: EndingEvent | null;
  /** In hex; null if it is lost. */
  readonly serverSeed: string | null;
}

export const ENDING_EVENTS = ['abort', 'claimAbandoned', 'flag', 'adjudicate'] as const;

export const openEntry = ({ id, commitment, createHash }: OpenedRow): LogEntry => ({
  type: 'open',
  game: id,
  commitment,
  hash: createHash,
});

export function endEntry({ challenge, game, event, serverSeed }: Ended): LogEntry {
  return {
    type: 'end',
    game: challenge.id,
    end: game === null ? endOf(challenge) : (game.status as End),
    by: game?.status === 'aborted' ? aborter(game, event) : null,
    outcome:
      game === null ? null : { winner: game.winner as 'first' | 'second' | null, reason: game.reason! },
    serverSeed,
    hash: (game ?? challenge).headHash,
  };
}

/** An accepted challenge without a game of its id is a seek that was paired into the game of another. */
const endOf = ({ status }: OpenedRow): End => (status === 'accepted' ? 'joined' : (status as End));

function aborter({ creator }: EndedRow, event: EndingEvent | null): Aborter {
  if (event?.type === 'abort' || event?.type === 'claimAbandoned') {
    return event.player === creator ? 'creator' : 'accepter';
  }
  const { withheld = [] } = (event?.data ?? {}) as { withheld?: readonly Aborter[] };
  // If no player did it, the operator did.
  return withheld.length > 1 ? 'both' : (withheld[0] ?? 'operator');
}
