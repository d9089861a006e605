import type { Config } from '../../config.js';

/** The URL of a path of this server, or the path alone if PUBLIC_URL is not set. */
export const urlOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, path: string): string =>
  `${publicUrl ?? ''}${path}`;
