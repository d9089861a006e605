import type { Score, ScorePly } from '../../formats/score.js';

/** An imported game without its plies. */
export interface ImportRow {
  readonly id: string;
  readonly userId: string;
  /** The id of the first game of the same text, which identifies the import. */
  readonly importId: string;
  readonly score: ImportedScore;
  readonly plyCount: number;
  /** The position after the last ply. */
  readonly position: string;
  readonly importedAt: Date;
}

/** The contents of the text except the plies. */
export type ImportedScore = Omit<Score, 'plies' | 'importedAt' | 'facts'> &
  // Older imports have no facts.
  Partial<Pick<Score, 'facts'>>;

/** An imported game with its plies, as stored. */
export interface WholeImportRow extends ImportRow {
  readonly plies: readonly ScorePly[];
}

/** A range of plies: those behind ply `after` up to ply `until`. */
export interface Stretch {
  readonly id: string;
  readonly after: number;
  readonly until: number;
}
