/** Descriptions of fields that several models share. */

export const GAME_AFTER = 'The game as it is now.';
export const SEAT = 'The seat of the player.';
export const USERNAME = 'The username of the player.';
export const OPTIONS = 'The options of the rule set by name, complete with the defaults.';
export const SETUP_NUMBER = 'The published number of the set-up; null without one.';
export const POSITION = "The position as FEN, in the rule set's form of it; a face-down piece is x.";
export const MOVE = 'The move in coordinates, as it is stored and may be submitted.';
export const SAN = 'The move in SAN or the notation that the game has in its place.';
