import { existsSync, readFileSync } from 'node:fs';
import type { Opening } from '../../src/cli/conformance/format.js';
import { rulesetById } from '../../src/rules/registry.js';

/** The lines of test/vectors; they are checked with the code of the conformance program. */

export type { GameLine, InvalidLine, Opening, PerftLine } from '../../src/cli/conformance/format.js';
export { checkGame } from '../../src/cli/conformance/games.js';
export { checkPerft, readInvalid } from '../../src/cli/conformance/lines.js';

/** The lines of a file in test/vectors for registered rule sets; none if the file does not exist. */
export function vectors<Line extends Opening>(file: string): readonly Line[] {
  const path = new URL(`../vectors/${file}`, import.meta.url);
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  const lines = text.trimEnd().split('\n').map((line) => JSON.parse(line) as Line); // prettier-ignore
  return lines.filter(({ ruleset }) => rulesetById(ruleset) !== undefined);
}
