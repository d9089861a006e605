import type { Config } from '../../config.js';
import { urlOf } from '../../platform/http/public-url.js';

/** The URL of a game: that of the API, as games have no pages yet. */
export const gameUrl = (config: Pick<Config, 'publicUrl'>, id: string): string =>
  urlOf(config, `/v1/games/${id}`);

/** Where a picture of its board is. */
export const boardUrl = (config: Pick<Config, 'publicUrl'>, id: string): string =>
  `${gameUrl(config, id)}/board.svg`;
