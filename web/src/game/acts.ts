import type { components } from '../../../packages/client/src/client.js';
import { halfmove } from '../session.js';

/** What a player may do beside moving, as the server lists it. */

export type AllowedAct = components['schemas']['AllowedAct'];

interface Act {
  readonly label: string;
  /** Behind the address of the game. */
  readonly path: string;
  /** What is asked before an act that cannot be taken back. */
  readonly question?: string;
}

const ACTS: Readonly<Partial<Record<AllowedAct['act'], Act>>> = {
  acceptDraw: { label: 'Accept the draw', path: '/draw-offer/accept', question: 'End the game as a draw?' },
  declineDraw: { label: 'Decline the draw', path: '/draw-offer/decline' },
  acceptTakeback: { label: 'Let the move be taken back', path: '/takeback/accept' },
  declineTakeback: { label: 'Do not let it be taken back', path: '/takeback/decline' },
  acceptPause: { label: 'Accept the pause', path: '/pause/accept' },
  declinePause: { label: 'Decline the pause', path: '/pause/decline' },
  acceptTimeRequest: { label: 'Give the time asked for', path: '/time-request/accept' },
  declineTimeRequest: { label: 'Give no more time', path: '/time-request/decline' },
  claimDraw: { label: 'Claim a draw', path: '/claim', question: 'End the game as a draw?' },
  claimAbandoned: { label: 'End the abandoned game', path: '/abandoned', question: 'End the game?' },
  offerDraw: { label: 'Offer a draw', path: '/draw-offer' },
  offerTakeback: { label: 'Ask to take back', path: '/takeback' },
  giveTime: { label: 'Give time', path: '/time' },
  requestTime: { label: 'Ask for time', path: '/time-request' },
  offerPause: { label: 'Offer a pause', path: '/pause' },
  unpause: { label: 'End the pause', path: '/unpause' },
  abort: { label: 'Abort', path: '/abort', question: 'Abort the game? It counts for nobody.' },
  resign: { label: 'Resign', path: '/resign', question: 'Resign, and lose the game?' },
};

export interface Offered extends Act {
  readonly act: AllowedAct['act'];
  readonly send: (gameId: string) => Promise<unknown>;
}

/** Those that the server allows now, what answers an offer first. */
export function offeredActs(allowed: readonly AllowedAct[]): readonly Offered[] {
  return Object.entries(ACTS).flatMap(([name, act]) => {
    const found = allowed.find((one) => one.act === name);
    if (found === undefined) return [];
    const { terms } = found;
    const body = { ...(terms?.ply != null ? { ply: terms.ply } : {}), ...(name === 'claimDraw' ? { reason: terms?.claims?.[0]?.reason } : {}) }; // prettier-ignore
    // A claim with a move is made by moving first, which the page cannot do yet.
    if (name === 'claimDraw' && terms?.claims?.[0]?.move != null) return [];
    const send = (id: string) =>
      halfmove.rest.POST(`/v1/games/{id}${act.path}` as '/v1/games/{id}/resign', {
        params: { path: { id } },
        body: body as never,
      });
    return [{ ...act, act: found.act, send }];
  });
}
