import type { OwnAddress } from '../../platform/http/own-address.js';
import type { ShownGame } from './game.row.js';

/** The page of a game, for people. */
export const gameUrl = (address: OwnAddress, id: string): string => address.url(`/games/${id}`);

export const recordUrl = (address: OwnAddress, id: string): string => address.url(`/v1/games/${id}/record`);

/** Where the picture of its board is. Number of takebacks and ply name one position, so that it may be kept. */
export const boardUrl = (
  address: OwnAddress,
  { id, plyCount, takebacks }: Pick<ShownGame, 'id' | 'plyCount' | 'takebacks'>,
): string => address.url(`/v1/games/${id}/board.svg?ply=${plyCount}&takebacks=${takebacks.length}`);

/** The same as PNG, whose longer side has this many pixels. */
export const pngUrl = (...[address, row, size]: [...Parameters<typeof boardUrl>, number]): string =>
  `${boardUrl(address, row).replace('.svg', '.png')}&size=${size}`;

/** The game live, for a frame in a page of others. */
export const frameUrl = (address: OwnAddress, id: string): string => address.url(`/embed/games/${id}`);

/** What a page of others shows for the page of a game (oEmbed). */
export const oembedUrl = (address: OwnAddress, id: string): string =>
  address.url(`/oembed?format=json&url=${encodeURIComponent(gameUrl(address, id))}`);
