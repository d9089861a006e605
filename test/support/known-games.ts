import { KnownGames } from '../../src/features/games/known-games.js';
import type { TestServer } from './server.js';

/** Makes the server forget the games that it has read, and with them what it keeps of them. */
export const forgetGames = ({ app }: TestServer): void => app.get(KnownGames, { strict: false }).clear();
