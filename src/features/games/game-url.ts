import type { Config } from '../../config.js';
import { urlOf } from '../../platform/public-url.js';

/** Where a game is shown: the API, as long as games have no pages. */
export const gameUrl = (config: Pick<Config, 'publicUrl'>, id: string): string =>
  urlOf(config, `/v1/games/${id}`);
