import { commitment, parseClientSeed, parseServerSeed } from '../../fairness/commitment.js';
import { deal, sides } from '../../fairness/deal.js';
import { salt } from '../../fairness/merkle.js';
import { parseDeal } from '../../rules/deal.js';
import { parseOptions } from '../../rules/options.js';
import { perft } from '../../rules/perft.js';
import { find, position } from '../../rules/play.js';
import { rulesetById, type AnyRuleset } from '../../rules/registry.js';
import { type Refusal, type Result } from '../../rules/result.js';
import { parseSetup } from '../../rules/setup.js';
import { compare, difference, type Difference } from './difference.js';
import type { DealLine, InvalidLine, PerftLine } from './format.js';
import { dealt, open } from './opening.js';

/** Checks lines with a single result: a count, a deal, a refusal. */

const cannot = (wanted: string, { field = 'line', message }: Refusal): readonly Difference[] => [
  difference(null, field, wanted, message),
];

/** Counts the moves from a position. Draws are ignored, both in the moves before it and in the count. */
export function checkPerft(line: PerftLine): readonly Difference[] {
  const opened = open(line, line.fen);
  if (!opened.ok) return cannot('a position to count from', opened.refusal);
  const { ruleset } = opened.value;
  const lies = (square: string): string => {
    const letter = dealt(ruleset, line, square);
    if (letter === null) throw new Error(`the deal has no piece on ${square}`);
    return letter;
  };
  let at = position(opened.value);
  for (const text of line.moves) {
    const move = ruleset.legalMoves(at).find((legal) => ruleset.text(legal) === text);
    if (move === undefined) return cannot(text, { ...ruleset.explain(at, text), field: 'moves' });
    const square = ruleset.turnsUp(at, move);
    at = ruleset.play(at, move, square === null ? null : lies(square));
  }
  return compare(null, { nodes: line.nodes }, { nodes: perft(ruleset, at, line.depth, lies) });
}

/** Derives a deal from its seeds and compares it with the line, in either format. */
export function checkDeal(line: DealLine): readonly Difference[] {
  const ruleset: AnyRuleset = rulesetById(line.ruleset)!;
  const seed = parseServerSeed(line.serverSeed);
  if (!seed.ok) return cannot('a seed', { ...seed.refusal, field: 'serverSeed' });
  const refused = clientSeeds(line).find(({ ok }) => !ok);
  if (refused?.ok === false) return cannot('a seed', { ...refused.refusal, field: 'clientSeed' });
  const seeds = { ...line, serverSeed: seed.value };
  const drawn = deal(ruleset, seeds);
  const isSetup = ruleset.chance === 'setup';
  const texts = [line.deal, line.setup].filter((text) => text !== null);
  const field = isSetup ? 'setup' : 'deal';
  const read = isSetup ? parseSetup(ruleset, drawn ?? '') : parseDeal(ruleset, drawn ?? '');
  return [
    ...compare(
      null,
      {
        commitment: line.commitment,
        [field]: line[field] ?? texts[0],
        creatorFirst: line.creatorFirst,
        salt: line.salt,
      },
      {
        commitment: commitment(seed.value),
        [field]: drawn,
        creatorFirst: sides(seeds) === 'creator',
        salt: salt(seeds, line.square),
      },
    ),
    ...(read.ok ? [] : cannot('a text that can be read', { ...read.refusal, field })),
  ];
}

const clientSeeds = ({ creatorSeed, accepterSeed }: DealLine): readonly Result<string>[] =>
  [creatorSeed, accepterSeed].filter((text) => text !== null).map(parseClientSeed);

/** The result of reading an invalid input, or the fault that prevents the line from getting there. */
export function readInvalid(line: InvalidLine): Result<unknown> | { readonly fault: Refusal } {
  const ruleset: AnyRuleset = rulesetById(line.ruleset)!;
  switch (line.kind) {
    case 'options':
      return parseOptions(ruleset, line.value);
    case 'deal':
      return parseDeal(ruleset, line.text);
    case 'setup':
      return parseSetup(ruleset, line.text);
    case 'fen': {
      const options = parseOptions(ruleset, line.options ?? {});
      return options.ok ? ruleset.parse(line.text, options.value) : { fault: options.refusal };
    }
    case 'move': {
      const opened = open(line, line.fen);
      return opened.ok ? find(opened.value, line.text) : { fault: opened.refusal };
    }
  }
}

/** Checks that the invalid input is refused. */
export function checkInvalid(line: InvalidLine): readonly Difference[] {
  const answer = readInvalid(line);
  if ('fault' in answer) return cannot('a position to judge the move in', answer.fault);
  if (!answer.ok) return [];
  const bad = line.kind === 'options' ? line.value : line.text;
  return [difference(null, line.kind, 'a refusal', `${JSON.stringify(bad)} accepted`)];
}
