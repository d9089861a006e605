/** A text with one game. */
export const MATE = '[White "Ada"]\n[Black "Ben"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n';
