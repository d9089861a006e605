import { shown } from '../../platform/model.js';
import { verb } from '../../platform/verb.js';
import { Game, GameDocument } from '../games/games.model.js';
import { Challenge } from './challenges.model.js';

/** What begins games, and what it answers. */

const CHALLENGE = { challenge: shown(Challenge) };
const GAME = { game: shown(Game) };
const GAME_IN_REST = { game: shown(GameDocument) };

/** A challenge beside the game that it has become. */
const withGame = (description: string) => ({
  answers: { ...CHALLENGE, game: shown(Game, { nullable: true, description }) },
  inRest: { game: shown(GameDocument, { nullable: true, description }) },
});

export const CREATE_CHALLENGE = verb('createChallenge', {
  description: 'Invites a user, or, by link, whoever comes first.',
  answers: CHALLENGE,
});

export const ACCEPT_CHALLENGE = verb('acceptChallenge', {
  description: 'Takes a challenge or a seek of the lobby up: the game begins.',
  answers: GAME,
  inRest: GAME_IN_REST,
});

export const COUNTER_CHALLENGE = verb('counterChallenge', {
  description: 'Turns a challenge down and offers the challenger another one, on other terms.',
  answers: CHALLENGE,
});

export const DECLINE_CHALLENGE = verb('declineChallenge', {
  description: 'Turns a challenge down.',
  answers: CHALLENGE,
});

export const CANCEL_CHALLENGE = verb('cancelChallenge', {
  description: 'Takes a challenge or a seek back.',
  answers: CHALLENGE,
});

export const GIVE_CLIENT_SEED = verb('giveClientSeed', {
  description:
    'Gives your part in the shuffle, once the server has committed itself: for a challenge or a seek of yours, or for ' +
    'a game that waits for the seed that you have announced.',
  ...withGame(
    'The game, which starts when no announced seed is awaited any more; null before the acceptance.',
  ),
});

export const CREATE_SEEK = verb('createSeek', {
  description: 'Pairs you at once with the oldest seek that fits, else lists yours in the lobby.',
  ...withGame('The game, once you are paired; null while the seek waits in the lobby.'),
});

export const OFFER_REMATCH = verb('offerRematch', {
  description:
    'Offers another game on the same terms, or accepts one when your opponent has offered it already.',
  ...withGame('The new game, once both have offered it; null before.'),
});
