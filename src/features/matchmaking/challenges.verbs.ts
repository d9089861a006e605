import { shown } from '../../platform/contract/model.js';
import { verb } from '../../platform/contract/verb.js';
import { Game, GameDocument } from '../games/games.model.js';
import { Challenge } from './challenges.model.js';

/** The mutations and routes that start games. */

const CHALLENGE = { challenge: shown(Challenge, { description: 'The challenge as it is now.' }) };
const STARTED = 'The game that the challenge has become.';
const GAME = { game: shown(Game, { description: STARTED }) };
const GAME_IN_REST = { game: shown(GameDocument, { description: STARTED }) };

/** An answer with a challenge and the game that it has become. */
const withGame = (description: string) => ({
  answers: { ...CHALLENGE, game: shown(Game, { nullable: true, description }) },
  inRest: { game: shown(GameDocument, { nullable: true, description }) },
});

/** The errors of terms. */
const OF_TERMS = ['INVALID_RULESET', 'INVALID_OPTIONS', 'INVALID_SEED', 'INVALID_TIME_CONTROL'] as const;

export const CREATE_CHALLENGE = verb('createChallenge', {
  needs: 'challenges:write',
  description: 'Challenge a user, or create a link for the first user who accepts it.',
  codes: [
    'CLAIM_REQUIRED',
    ...OF_TERMS,
    'NOT_FOUND',
    'FORBIDDEN',
    'BLOCKED',
    'CHALLENGES_REFUSED',
    'ACCOUNT_CLOSED',
    'LIMIT_REACHED',
  ],
  takesKey: true,
  answers: CHALLENGE,
});

export const ACCEPT_CHALLENGE = verb('acceptChallenge', {
  needs: 'challenges:write',
  description: 'Accept a challenge, or a seek of the lobby. The game has the same id.',
  codes: [
    'CLAIM_REQUIRED',
    'INVALID_SEED',
    'NOT_FOUND',
    'FORBIDDEN',
    'OWN_CHALLENGE',
    'BLOCKED',
    'RATING_OUT_OF_RANGE',
    'CHALLENGE_CLOSED',
    'ACCOUNT_CLOSED',
    'LIMIT_REACHED',
  ],
  answers: GAME,
  inRest: GAME_IN_REST,
});

export const COUNTER_CHALLENGE = verb('counterChallenge', {
  needs: 'challenges:write',
  description: 'Decline a challenge and offer the challenger another one, on other terms.',
  codes: [
    'CLAIM_REQUIRED',
    ...OF_TERMS,
    'NOT_FOUND',
    'FORBIDDEN',
    'BLOCKED',
    'CHALLENGE_CLOSED',
    'ACCOUNT_CLOSED',
    'LIMIT_REACHED',
  ],
  takesKey: true,
  answers: CHALLENGE,
});

export const DECLINE_CHALLENGE = verb('declineChallenge', {
  needs: 'challenges:write',
  description: 'Decline a challenge.',
  codes: ['NOT_FOUND', 'FORBIDDEN', 'CHALLENGE_CLOSED'],
  answers: CHALLENGE,
});

export const CANCEL_CHALLENGE = verb('cancelChallenge', {
  needs: 'challenges:write',
  description: 'Cancel a challenge or a seek of yours.',
  codes: ['NOT_FOUND', 'FORBIDDEN', 'CHALLENGE_CLOSED'],
  answers: CHALLENGE,
});

export const GIVE_CLIENT_SEED = verb('giveClientSeed', {
  needs: 'challenges:write',
  description:
    'Give your client seed, your part in the shuffle: for a challenge or a seek of yours, or for a game that waits for ' +
    'the seed that you have announced. Idempotent for the same seed.',
  codes: ['INVALID_SEED', 'NOT_FOUND', 'FORBIDDEN', 'CHALLENGE_CLOSED', 'ACCOUNT_CLOSED', 'GAME_OVER'],
  ...withGame(
    'The game, which starts once no announced seed is awaited; null until the challenge is accepted.',
  ),
});

export const CREATE_SEEK = verb('createSeek', {
  needs: 'challenges:write',
  description:
    'Seek an opponent: be paired at once with the oldest seek that fits, or be listed in the lobby.',
  codes: ['CLAIM_REQUIRED', ...OF_TERMS, 'FORBIDDEN', 'ACCOUNT_CLOSED', 'LIMIT_REACHED'],
  takesKey: true,
  ...withGame('The game if you are paired; null while the seek waits in the lobby.'),
});

export const OFFER_REMATCH = verb('offerRematch', {
  needs: 'challenges:write',
  description: 'Offer another game on the same terms, or accept it if your opponent has already offered one.',
  codes: [
    'INVALID_SEED',
    'NOT_FOUND',
    'NOT_YOUR_GAME',
    'GAME_RUNNING',
    'REMATCH_DECLINED',
    'BLOCKED',
    'ACCOUNT_CLOSED',
    'LIMIT_REACHED',
  ],
  ...withGame('The new game once both players have offered it; null before.'),
});
