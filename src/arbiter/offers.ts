import { opponent, type Player } from '../rules/ruleset.js';

/** The kinds of offers, each with its name, its word in notifications and the inbox, and the name of declining it. */
const KINDS = {
  draw: { name: 'draw offer', word: 'drawOffer', declined: 'declineDraw' },
  takeback: { name: 'takeback offer', word: 'takebackOffer', declined: 'declineTakeback' },
  pause: { name: 'pause offer', word: 'pauseOffer', declined: 'declinePause' },
  time: { name: 'request for more time', word: 'timeRequest', declined: 'declineTimeRequest' },
} as const;
export type OfferKind = keyof typeof KINDS;
export const OFFER_KINDS = Object.keys(KINDS) as readonly OfferKind[];
export const OFFER_NAMES = byKind((kind) => KINDS[kind].name);
export const OFFER_WORDS = byKind((kind) => KINDS[kind].word);

/** One value of each kind. */
export function byKind<T>(make: (kind: OfferKind) => T): Readonly<Record<OfferKind, T>> {
  return Object.fromEntries(OFFER_KINDS.map((kind) => [kind, make(kind)])) as Record<OfferKind, T>;
}

export interface Offer {
  readonly by: Player;
  readonly at: number;
}

export interface TakebackOffer extends Offer {
  /** The ply to which play would return. */
  readonly ply: number;
}

/** The open offers. */
export type Offers = {
  readonly [Kind in OfferKind]: (Kind extends 'takeback' ? TakebackOffer : Offer) | null;
} & {
  /** The moves that each player must make before offering a draw again, after one was declined. */
  readonly refused: Readonly<Record<Player, number>>;
};

export const NO_OFFERS: Offers = { ...byKind(() => null), refused: { first: 0, second: 0 } };

/** An offer that lapses as if declined, and the name of that in the log. */
export interface Lapsed {
  readonly offer: Offer;
  readonly declined: string;
}

/** The offers of these kinds that are open. */
export const lapsing = (offers: Offers, kinds: readonly OfferKind[]): readonly Lapsed[] =>
  kinds.flatMap((kind) => {
    const offer = offers[kind];
    return offer === null ? [] : [{ offer, declined: KINDS[kind].declined }];
  });

/** The moves that a player must make after a declined draw offer before the next one. */
const MOVES_BETWEEN_OFFERS = 10;

/** The offers after `player` declined the opponent's draw. */
export const withoutDraw = (offers: Offers, player: Player): Offers => ({
  ...offers,
  draw: null,
  refused: { ...offers.refused, [opponent(player)]: MOVES_BETWEEN_OFFERS },
});
