/** The ranges by which finished games are counted. */

/** The bounds between ranges of lengths, in plies of both players. */
export const LENGTHS = [20, 40, 60, 80, 120] as const;
/** The bounds between ranges of the player's average time per ply, in seconds. */
export const PACES = [3_600, 21_600, 86_400, 259_200] as const;
