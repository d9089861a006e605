import { chess } from './chess/chess.js';
import { halfCourtChess } from './chess/half-court-chess.js';
import { banqiHongkong, banqiTaiwan } from './facedown/banqi.js';
import { halfChess } from './facedown/half-chess.js';
import type { Ruleset } from './ruleset.js';
import { xiangqi, xiangqiTournament } from './xiangqi/xiangqi.js';

/** All rule sets, one line each. The one place where their position types are erased. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyRuleset = Ruleset<any>;

const all: readonly AnyRuleset[] = [
  chess,
  halfCourtChess,
  xiangqi,
  xiangqiTournament,
  banqiHongkong,
  banqiTaiwan,
  halfChess,
];

const byId: ReadonlyMap<string, AnyRuleset> = new Map(all.map((ruleset) => [ruleset.id, ruleset]));

export const rulesets = (): readonly AnyRuleset[] => all;

export const rulesetById = (id: string): AnyRuleset | undefined => byId.get(id);
