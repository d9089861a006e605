import type { Config } from '../config.js';

/** The URL of a path of this server: the path alone as long as PUBLIC_URL does not say where the server is reached. */
export const urlOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, path: string): string =>
  `${publicUrl ?? ''}${path}`;
