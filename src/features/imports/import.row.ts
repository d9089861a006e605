import type { Score, ScorePly } from '../../formats/score.js';

/** A game that was brought here as a text, without its plies. */
export interface ImportRow {
  readonly id: string;
  readonly userId: string;
  /** The id of the first game of its text: all games of one text come together. */
  readonly importId: string;
  readonly score: ImportedScore;
  readonly plyCount: number;
  /** After the last ply. */
  readonly position: string;
  readonly importedAt: Date;
}

/** What the text says but the plies. */
export type ImportedScore = Omit<Score, 'plies' | 'importedAt' | 'facts'> &
  // One that was imported before there were facts has none.
  Partial<Pick<Score, 'facts'>>;

/** The same with its plies, as it is stored. */
export interface WholeImportRow extends ImportRow {
  readonly plies: readonly ScorePly[];
}

/** Plies of a game: those behind ply `after` up to ply `until`. */
export interface Stretch {
  readonly id: string;
  readonly after: number;
  readonly until: number;
}
