import { opponent, type Claim, type Outcome, type Player } from '../rules/ruleset.js';
import { usedAt } from './clock.js';
import { lapsing, NO_OFFERS, OFFER_KINDS, withoutDraw, type Offers } from './offers.js';
import { claimed, finish, turnOf, withTurn, type Decision, type LogEntry, type GameState } from './state.js';
import { bankAfter } from './time-control.js';

/** The effect of a ply on the state: it declines the opponent's offers and starts the next turn. */

/** A legal ply: the outcome if it ended the game, else who is to move. */
export interface Played {
  readonly then: Outcome | Player;
  readonly offersDraw: boolean;
  /** The draw claimed with the ply. */
  readonly claim: Claim | null;
}

export function afterPly(state: GameState, player: Player, played: Played, at: number): Decision {
  const used = usedAt(turnOf(state), at);
  const bank = bankAfter(state.timeControl, state.clock, player, used);
  const { offers, log } = afterMove(state.offers, player, played.offersDraw ? at : null);
  const next = { ...state, plyCount: state.plyCount + 1, offers, clock: { ...state.clock, bank } };
  if (typeof played.then === 'string') return { state: withTurn(next, played.then, at), log, at };
  const claims = played.claim === null ? [] : [claimed(player, played.claim)];
  return finish(next, played.then, [...log, ...claims], at);
}

/** The seconds that the ply is charged for. */
export const timeUsed = (state: GameState, at: number): number => usedAt(turnOf(state), at);

function afterMove(
  offers: Offers,
  player: Player,
  offeredAt: number | null,
): { readonly offers: Offers; readonly log: readonly LogEntry[] } {
  const isRefused = offers.draw?.by === opponent(player);
  // The player's own draw offer stays open; all other offers of both players lapse.
  const kinds = OFFER_KINDS.filter((kind) => kind !== 'draw' || isRefused);
  const log: LogEntry[] = lapsing(offers, kinds).map(({ declined }) => {
    return { type: declined, player, data: { byMove: true } };
  });
  const left = { ...NO_OFFERS, draw: offers.draw, refused: oneLess(offers.refused, player) };
  const after = isRefused ? withoutDraw(left, player) : left;
  if (offeredAt === null || after.draw !== null) return { offers: after, log };
  return {
    offers: { ...after, draw: { by: player, at: offeredAt } },
    log: [...log, { type: 'offerDraw', player }],
  };
}

const oneLess = (refused: Offers['refused'], player: Player): Offers['refused'] => ({
  ...refused,
  [player]: Math.max(0, refused[player] - 1),
});
