import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { CHECKS, type Check } from '../../src/fairness/finding.js';

/** The verifier in Python, and how what it finds is compared with what ours finds. */

const VERIFIER = fileURLToPath(new URL('verifier.py', import.meta.url));
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Skipped, and named so, on a machine without Python. */
export const withPython = (name: string, tests: () => void): void =>
  hasPython ? describe(name, tests) : describe.skip(`${name} (there is no python3 here)`, tests);

/** Some of them by chance: the same ones again with the seed that fast-check is given. */
export const drawn = <T>(all: readonly T[], count: number): readonly T[] =>
  fc.sample(fc.shuffledSubarray([...all], { minLength: count, maxLength: count }), 1)[0]!;

interface Ran {
  readonly code: number;
  readonly text: string;
}

export function python(args: readonly string[]): Ran {
  const given = { encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  const { status, stdout, stderr } = spawnSync('python3', [VERIFIER, ...args], given);
  if (status !== 2 && stderr !== '') throw new Error(stderr);
  return { code: status!, text: stdout };
}

/** The first of these that a check has found stands for it. */
const STATUSES = ['FAILED', 'open', 'ok', '-'] as const;
type Status = (typeof STATUSES)[number];
export type Statuses = ReadonlyMap<Check, Status>;

const LINE = /^(ok|FAILED|open|-) +(\w+) /;

/** What the lines say that a verifier has printed of one record. */
export function statusesIn(text: string): Statuses {
  const found = text.split('\n').flatMap((line) => {
    const [, status, name] = LINE.exec(line) ?? [];
    const check = CHECKS.find((each) => each === name);
    return check === undefined ? [] : [[check, status as Status] as const];
  });
  const of = (check: Check): Status =>
    STATUSES.find((status) => found.some((each) => each[0] === check && each[1] === status))!;
  return new Map(found.map(([check]) => [check, of(check)]));
}

/** What ours finds by playing the game again, as far as that goes; and what tells how far. */
const BY_REPLAY: readonly Check[] = ['reveals', 'proofs', 'outcome'];
const REPLAYED: readonly Check[] = ['ruleset', 'begin', 'plies', 'acts', 'times'];

/** Where the two contradict each other; a check that one of them does not make proves nothing. */
export function differences(ours: Statuses, theirs: Statuses): readonly string[] {
  const isReplayed = REPLAYED.every((check) => (ours.get(check) ?? 'ok') === 'ok');
  const found = CHECKS.filter((check) => isReplayed || !BY_REPLAY.includes(check)).flatMap((check) => {
    const [own, other] = [ours.get(check) ?? '-', theirs.get(check) ?? '-'];
    return own === other || own === '-' || other === '-' ? [] : [`${check}: ${own}, in Python ${other}`];
  });
  return fails(theirs) && !fails(ours) ? [...found, 'it fails in Python alone'] : found;
}

const fails = (statuses: Statuses): boolean => [...statuses.values()].includes('FAILED');
