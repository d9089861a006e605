import type { OwnAddress } from '../../platform/http/own-address.js';
import type { ShownGame } from './game.row.js';

/** The URL of a game: that of the API, as games have no pages yet. */
export const gameUrl = (address: OwnAddress, id: string): string => address.url(`/v1/games/${id}`);

/** Where the picture of its board is. Number of takebacks and ply name one position, so that it may be kept. */
export const boardUrl = (
  address: OwnAddress,
  { id, plyCount, takebacks }: Pick<ShownGame, 'id' | 'plyCount' | 'takebacks'>,
): string => `${gameUrl(address, id)}/board.svg?ply=${plyCount}&takebacks=${takebacks.length}`;
