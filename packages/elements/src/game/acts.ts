import type { components, Halfmove } from '../../../client/src/client.js';
import type { ActName, ActTexts, Texts } from '../texts/en.js';

/** What a player may do beside moving, as the server lists it. */

export type AllowedAct = components['schemas']['AllowedAct'];

/** Behind the address of the game; what answers an offer first. */
const PATHS: Readonly<Record<ActName, string>> = {
  acceptDraw: '/draw-offer/accept',
  declineDraw: '/draw-offer/decline',
  acceptTakeback: '/takeback/accept',
  declineTakeback: '/takeback/decline',
  acceptPause: '/pause/accept',
  declinePause: '/pause/decline',
  acceptTimeRequest: '/time-request/accept',
  declineTimeRequest: '/time-request/decline',
  claimDraw: '/claim',
  claimAbandoned: '/abandoned',
  offerDraw: '/draw-offer',
  offerTakeback: '/takeback',
  giveTime: '/time',
  requestTime: '/time-request',
  offerPause: '/pause',
  unpause: '/unpause',
  abort: '/abort',
  resign: '/resign',
};

export interface Offered extends ActTexts {
  readonly id: string;
  readonly send: () => Promise<unknown>;
}

/** Those that the server allows now. */
export function offeredActs(
  client: Halfmove,
  gameId: string,
  allowed: readonly AllowedAct[],
  texts: Texts,
): readonly Offered[] {
  const send = (path: string, body: object) => () =>
    client.rest.POST(`/v1/games/{id}${path}` as '/v1/games/{id}/resign', {
      params: { path: { id: gameId } },
      body: body as never,
    });
  return Object.entries(PATHS).flatMap(([name, path]) => {
    const found = allowed.find(({ act }) => act === name);
    if (found === undefined) return [];
    const { terms } = found;
    const act = texts.acts[name as ActName];
    if (terms?.claims != null) {
      return terms.claims.map(({ reason, move }) => ({
        ...act,
        id: `${name}-${reason}-${move ?? ''}`,
        label: move === null ? act.label : texts.move.claimWith(move),
        send: send(path, move === null ? { reason } : { reason, move, format: 'coordinates' }),
      }));
    }
    const body = terms?.ply == null ? {} : { ply: terms.ply };
    return [{ ...act, id: name, send: send(path, body) }];
  });
}
