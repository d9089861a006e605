/** The options of rule sets in words; the API has a sentence for each. */

export const OPTIONS: Readonly<Record<string, string>> = {
  darkCaptures: 'Captures of face-down pieces',
  multipleCaptures: 'Several captures in a turn',
  slidingChariots: 'Chariots capture along a line',
  adjacentCannons: 'Cannons capture next to them',
  perpetualAttack: 'Perpetual attack',
  quietLimit: 'Plies without progress until a draw',
  captures: 'Who captures whom',
  setup: 'Set-up',
};

export const VALUES: Readonly<Record<string, string>> = {
  draw: 'a draw',
  forbidden: 'forbidden: the attacker loses',
  asWritten: 'by the table of the document',
  hierarchy: 'by rank (recommended)',
};
