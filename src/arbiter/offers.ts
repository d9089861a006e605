import { opponent, type Player } from '../rules/ruleset.js';

/** What one player may offer the other: each kind with its word in notifications and in the inbox. */
export const OFFER_WORDS = {
  draw: 'drawOffer',
  takeback: 'takebackOffer',
  pause: 'pauseOffer',
} as const;
export type OfferKind = keyof typeof OFFER_WORDS;
export type OfferWord = (typeof OFFER_WORDS)[OfferKind];
export const OFFER_KINDS = Object.keys(OFFER_WORDS) as readonly OfferKind[];

/** One value of each kind. */
export const byKind = <T>(make: (kind: OfferKind) => T): Readonly<Record<OfferKind, T>> =>
  Object.fromEntries(OFFER_KINDS.map((kind) => [kind, make(kind)])) as Record<OfferKind, T>;

export interface Offer {
  readonly by: Player;
  readonly at: number;
}

export interface TakebackOffer extends Offer {
  /** The ply after which play would go on. */
  readonly ply: number;
}

/** What waits for an answer. */
export type Offers = {
  readonly [Kind in OfferKind]: (Kind extends 'takeback' ? TakebackOffer : Offer) | null;
} & {
  /** Own moves that a player whose draw offer was refused has to make before the next one. */
  readonly refused: Readonly<Record<Player, number>>;
};

export const NO_OFFERS: Offers = {
  draw: null,
  takeback: null,
  pause: null,
  refused: { first: 0, second: 0 },
};

/** The own moves after a refusal within which a draw is not offered again. */
const MOVES_BETWEEN_OFFERS = 10;

/** The offers after `player` refused the draw of the opponent. */
export const withoutDraw = (offers: Offers, player: Player): Offers => ({
  ...offers,
  draw: null,
  refused: { ...offers.refused, [opponent(player)]: MOVES_BETWEEN_OFFERS },
});
