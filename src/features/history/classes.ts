/** The classes by which finished games are counted. */

/** Where one class of lengths ends and the next begins, in plies of both players. */
export const LENGTHS = [20, 40, 60, 80, 120] as const;
/** The same for the seconds that the player took for each of the own plies. */
export const PACES = [3_600, 21_600, 86_400, 259_200] as const;
