import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/conformance.js';
import type {
  GameLine,
  DealLine,
  InvalidLine,
  PerftLine,
  PlyLine,
} from '../../src/cli/conformance/format.js';
import { vectors } from '../support/vectors.js';

const folder = mkdtempSync(join(tmpdir(), 'halfmove-conformance-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Ran {
  readonly code: number;
  readonly lines: readonly string[];
}

function runWith(...args: readonly string[]): Ran {
  const lines: string[] = [];
  return { code: run(args, (text) => lines.push(text)), lines };
}

function fileOf(content: string, name = 'lines.jsonl'): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const runOn = (lines: readonly unknown[], name?: string): Ran =>
  runWith(fileOf(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), name));

const games = (id: string): readonly GameLine[] => vectors<GameLine>(`games.${id}.jsonl`);

/** The first short game with a ply that matches, and the number of that ply. */
function where(id: string, wanted: (ply: PlyLine) => boolean): readonly [GameLine, number] {
  const line = games(id).find(({ plies }) => plies.length < 60 && plies.some(wanted))!;
  return [line, line.plies.findIndex(wanted) + 1];
}

/** The game with another ply of this number. */
const withPly = (
  line: GameLine,
  number: number,
  change: Partial<Record<keyof PlyLine, unknown>>,
): unknown => ({
  ...line,
  plies: line.plies.map((ply, index) => (index + 1 === number ? { ...ply, ...change } : ply)),
});

const mated = games('chess').find(({ outcome, plies }) => outcome?.reason === 'checkmate' && plies.length > 2)!; // prettier-ignore
const last = mated.plies.length;
const running = games('chess').find(({ outcome, plies }) => outcome === null && plies.length > 1)!;
const claimed = games('chess').find(({ end }) => end?.type === 'claim')!;
const dealtGame = games('banqi-hongkong').find(
  ({ start, plies, outcome }) => start === null && outcome === null && plies.some(({ captured }) => captured),
)!;
const perft = vectors<PerftLine>('perft.jsonl').find(({ deal }) => deal !== null)!;
const deal = vectors<DealLine>('deals-2.jsonl')[0]!;
const invalid = vectors<InvalidLine>('invalid.jsonl');

describe('the conformance program', () => {
  test('accepts a folder of good files, whatever their names, and counts their lines', () => {
    const whole = join(folder, 'good', 'below');
    mkdirSync(whole, { recursive: true });
    const line = (value: unknown): string => JSON.stringify(value);
    writeFileSync(join(whole, 'mine.jsonl'), `${line(mated)}\r\n${line(perft)}\n${line(deal)}`);
    writeFileSync(join(folder, 'good', 'games.x.jsonl'), `${line(dealtGame)}\n${line(claimed)}\n`);
    writeFileSync(join(folder, 'good', 'README.md'), 'Not a file of lines.');
    expect(runWith(join(folder, 'good'))).toEqual({
      code: 0,
      lines: [
        `ok      ${join(whole, 'mine.jsonl')}: 3 of 3 lines passed`,
        `ok      ${join(folder, 'good', 'games.x.jsonl')}: 2 of 2 lines passed`,
      ],
    });
  });

  test('continues after a game that fails', () => {
    const { code, lines } = runOn([{ ...mated, final: 'x' }, mated, { ...mated, final: 'y' }]);
    expect(code).toBe(1);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/^FAILED .*lines\.jsonl: 1 of 3 lines passed$/);
  });
});

/** Rows: what is wrong, the lines with it, and the expected message. */
type Row = readonly [string, unknown, string];

const { san, fen, player, legal } = mated.plies[1]!;
const other = player === 'first' ? 'second' : 'first';
const [checking, check] = where('chess', (ply) => ply.check === true);
const [calm, quiet] = where('chess', (ply) => ply.check === undefined);
const [drawable, claimable] = where('chess', (ply) => ply.claimable !== undefined);
const [taking, captured] = where('banqi-hongkong', (ply) => ply.captured !== undefined);
const [turning, reveals] = where('banqi-hongkong', (ply) => typeof ply.reveals === 'string');

const wrong: readonly Row[] = [
  ['san', withPly(mated, 2, { san: 'Zz9' }), `ply 2 san: expected "Zz9", got "${san}"`],
  ['fen', withPly(mated, 2, { fen: `x${fen}` }), `ply 2 fen: expected "x`],
  ['player', withPly(mated, 2, { player: other }), `ply 2 player: expected "${other}", got "${player}"`],
  ['legal', withPly(mated, 2, { legal: legal!.slice(1) }), 'ply 2 legal: expected ['],
  [
    'the order of legal',
    withPly(running, 1, { legal: running.plies[0]!.legal!.toReversed() }),
    'ply 1 legal: expected [',
  ],
  ['legalCount', withPly(mated, 2, { legalCount: 999 }), `ply 2 legalCount: expected 999, got ${legal!.length}`], // prettier-ignore
  ['legalSha256', withPly(mated, 2, { legalSha256: 'ff' }), 'ply 2 legalSha256: expected "ff", got "'],
  ['an illegal move', withPly(mated, 2, { move: 'a1a1' }), 'ply 2 move: expected "a1a1", got "'],
  ['check missing', withPly(checking, check, { check: undefined }), `ply ${check} check: expected false, got true`], // prettier-ignore
  ['check added', withPly(calm, quiet, { check: true }), `ply ${quiet} check: expected true, got false`],
  ['claimable missing', withPly(drawable, claimable, { claimable: undefined }), `ply ${claimable} claimable: expected [], got [`], // prettier-ignore
  ['claimable added', withPly(calm, quiet, { claimable: ['fiftyMoves'] }), `ply ${quiet} claimable: expected [fiftyMoves], got []`], // prettier-ignore
  ['claimable on the last ply', withPly(mated, last, { claimable: ['fiftyMoves'] }), `ply ${last} claimable: expected [fiftyMoves], got []`], // prettier-ignore
  [
    'losing added',
    withPly(calm, quiet, { losing: ['e2e4'] }),
    `ply ${quiet} losing: expected [e2e4], got []`,
  ],
  ['reveals', withPly(turning, reveals, { reveals: null }), `ply ${reveals} reveals: expected null, got "`],
  ['captured missing', withPly(taking, captured, { captured: undefined }), `ply ${captured} captured: expected null, got "`], // prettier-ignore
  ['a false capture in chess', withPly(calm, quiet, { captured: 'q' }), `ply ${quiet} captured: expected "q", got `], // prettier-ignore
  ['a ply after the end', { ...mated, plies: [...mated.plies, mated.plies[0]] }, `ply ${last} outcome: expected null, got {"winner"`], // prettier-ignore
  ['no outcome', { ...mated, outcome: null }, 'outcome: expected null, got {"winner"'],
  ['an outcome too early', { ...running, outcome: mated.outcome }, 'outcome: expected {"winner"'],
  ['another winner', { ...mated, outcome: { ...mated.outcome, winner: null } }, 'outcome: expected {"winner":null'], // prettier-ignore
  [
    'an end after the end',
    { ...mated, end: { type: 'agreement' } },
    `ply ${last} outcome: expected null, got {`,
  ],
  ['an invalid claim', { ...running, end: claimed.end, outcome: claimed.outcome }, 'outcome: expected {"winner":null'], // prettier-ignore
  ['a resignation by the other player', { ...running, end: { type: 'resignation', player: 'first' }, outcome: { winner: 'first', reason: 'resignation' } }, 'got {"winner":"second"'], // prettier-ignore
  ['a claim before ply 1 by the player not to move', { ...claimed, ...claimedAtOnce() }, 'outcome: expected {"winner":null,"reason":"fiftyMoves"}, got null'], // prettier-ignore
  ['final', { ...mated, final: mated.final.replace(' ', '  ') }, 'final: expected "'],
  ['captured in shown', { ...dealtGame, shown: { ...dealtGame.shown, captured: { r: '', b: '' } } }, 'shown: expected {"captured":{'], // prettier-ignore
  [
    'face-down in shown',
    { ...dealtGame, shown: { ...dealtGame.shown, faceDown: { K: 7 } } },
    'shown: expected {',
  ],
  ['shown missing', { ...dealtGame, shown: undefined }, 'shown: expected nothing, got {'],
  ['the deal of a game', { ...dealtGame, deal: dealtGame.deal!.slice(1) }, 'deal: expected "a game that can begin", got "'], // prettier-ignore
  ['a set-up in a game without one', { ...running, setup: 'NQRBK/qbnrk' }, 'Chess has no set-up'],
  ['a deal in a game without one', { ...running, deal: 'K' }, 'Chess has no deal'],
  ['the options of a game', { ...mated, options: { speed: 1 } }, 'Chess has no option'],
  ['nodes', { ...perft, nodes: perft.nodes + 1 }, `nodes: expected ${perft.nodes + 1}, got ${perft.nodes}`],
  ['a move before a count', { ...perft, moves: ['z9'] }, 'moves: expected "z9", got "'],
  ['a count without its deal', { ...perft, deal: null, depth: 2 }, 'threw the deal has no piece on '],
  ['deal', { ...deal, deal: deal.deal!.toLowerCase() }, 'deal: expected "'],
  ['a deal as set-up', { ...deal, deal: undefined, setup: 'NQRBK/qbnrk' }, 'deal: expected "NQRBK/qbnrk"'],
  ['commitment', { ...deal, commitment: '00' }, 'commitment: expected "00", got "'],
  ['a server seed', { ...deal, serverSeed: 'ff' }, 'serverSeed: expected "a seed", got "'],
  ['a client seed', { ...deal, creatorSeed: 'ff' }, 'clientSeed: expected "a seed", got "'],
  ['another client seed', { ...deal, creatorSeed: null }, 'deal: expected "'],
  ['creatorFirst', { ...deal, creatorFirst: !deal.creatorFirst }, 'creatorFirst: expected '],
  ['salt', { ...deal, salt: '00' }, 'salt: expected "00", got "'],
  [
    'a bad position that is good',
    { ...of('fen'), text: mated.plies[0]!.fen },
    'fen: expected "a refusal", got "',
  ],
  [
    'a bad move that is good',
    { ...of('move'), fen: null, text: 'e2e4' },
    'move: expected "a refusal", got "',
  ],
  ['bad options that are good', { ...of('options'), value: {} }, 'options: expected "a refusal", got "{} accepted"'], // prettier-ignore
  ['a bad deal that is good', { ruleset: deal.ruleset, kind: 'deal', text: deal.deal, why: '' }, 'deal: expected "a refusal"'], // prettier-ignore
  ['a bad move in a bad position', { ...of('move'), fen: 'x' }, 'a position to judge the move in'],
];

function of(kind: InvalidLine['kind']): InvalidLine {
  return invalid.find((line) => line.kind === kind && line.ruleset === 'chess')!;
}

/** A game that stops at its start, with a claim by the player who is not to move. */
function claimedAtOnce(): Partial<GameLine> {
  const start = '4k3/8/8/8/8/8/8/R3K3 w - - 100 80';
  const end = { type: 'claim', player: 'second', reason: 'fiftyMoves' } as const;
  return { start, plies: [], end, outcome: { winner: null, reason: 'fiftyMoves' }, final: start };
}

describe('reports a line with one fault', () => {
  test.each(wrong)('%s', (_, line, message) => {
    const { code, lines } = runOn([line]);
    const { ruleset, id } = line as { readonly ruleset: string; readonly id?: string };
    expect(code).toBe(1);
    expect(lines).toContainEqual(expect.stringContaining(message));
    const place = `lines.jsonl:1  ${ruleset} ${id ?? ''}`;
    for (const text of lines.slice(0, -1)) expect(text).toContain(place);
    expect(lines.at(-1)).toMatch(/^FAILED .*: 0 of 1 lines passed$/);
  });

  test('shortens long values to where they differ', () => {
    const { lines } = runOn([withPly(mated, 2, { fen: `${fen.slice(0, -1)}7` })]);
    expect(Math.max(...lines.map((text) => text.length))).toBeLessThan(folder.length + 300);
  });
});

const xiangqi = vectors<GameLine>('games.xiangqi.jsonl');
(xiangqi.length === 0 ? test.skip : test)('reports losing moves that a line does not list', () => {
  const [line, ply] = where('xiangqi', ({ losing }) => losing !== undefined);
  const { code, lines } = runOn([withPly(line, ply, { losing: undefined })]);
  expect(code).toBe(1);
  expect(lines[0]).toContain(`xiangqi ${line.id} ply ${ply} losing: expected [], got [`);
});

const strange: readonly Row[] = [
  ['an unknown rule set', { ...mated, ruleset: 'go' }, 'no rule set has the id "go"'],
  ['an unknown kind of line', { ruleset: 'chess', rating: 1500 }, 'its kind is unknown'],
  ['an unknown kind of bad input', { ...of('fen'), kind: 'rating' }, 'kind: it must be fen, move, options, deal or setup'], // prettier-ignore
  ['an unknown end', { ...mated, end: { type: 'flag', player: 'first' } }, 'end.type: it must be claim, resignation'], // prettier-ignore
  ['a field missing', { ...mated, final: undefined }, 'the game line is malformed: final: '],
  ['a field of another type', { ...perft, nodes: '20' }, 'the perft line is malformed: nodes: '],
  ['a field of a ply missing', withPly(mated, 1, { san: undefined }), 'plies.0.san: '],
  ['no legal moves', withPly(mated, 1, { legal: undefined }), 'plies.0: legal is missing'],
  ['a deal without one', { ...deal, deal: undefined }, 'deal or setup is missing'],
  ['a deal without salt', { ...deal, salt: undefined }, 'salt: '],
  ['bad options without a value', { ...of('options'), value: undefined }, 'value: '],
  ['a list', [1], 'it is not a JSON object'],
  ['null', null, 'it is not a JSON object'],
];

describe('reports what is not in the format', () => {
  test.each(strange)('%s', (_, line, message) => {
    const { code, lines } = runOn([mated, line]);
    expect(code).toBe(1);
    expect(lines[0]).toMatch(/^FAILED .*lines\.jsonl:2 {2}/);
    expect(lines[0]).toContain(message);
  });

  test('takes the kind of a line from the file name if the line does not name it', () => {
    const { lines } = runOn([{ ruleset: 'chess' }], 'perft.jsonl');
    expect(lines[0]).toContain('the perft line is malformed: depth: ');
  });

  test.each(['{', 'x', '\n', '{}{}\n', '\u{feff}{}'])('reports the content %j', (content) => {
    const { code, lines } = runWith(fileOf(content));
    expect([code, lines[0]]).toEqual([1, expect.stringContaining(':1  not a line of the format: it is not JSON')]); // prettier-ignore
  });

  test('reports an empty file, an empty folder, and a missing path', () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty, { recursive: true });
    expect(runWith(fileOf(''))).toMatchObject({
      code: 1,
      lines: [expect.stringMatching(/: the file is empty$/)],
    });
    expect(runWith(empty)).toMatchObject({ code: 1, lines: [expect.stringMatching(/no \*\.jsonl file/)] });
    writeFileSync(join(empty, 'README.md'), '');
    expect(runWith(empty).code).toBe(1);
    expect(runWith(join(folder, 'none'))).toMatchObject({
      code: 1,
      lines: [expect.stringMatching(/ENOENT/)],
    });
    expect(runWith(fileOf(JSON.stringify(mated)), join(folder, 'none')).code).toBe(1);
  });

  test('continues after a file that cannot be read', () => {
    const mixed = join(folder, 'mixed');
    mkdirSync(mixed, { recursive: true });
    symlinkSync(join(folder, 'none'), join(mixed, 'a.jsonl'));
    writeFileSync(join(mixed, 'b.jsonl'), JSON.stringify(mated));
    const { code, lines } = runWith(mixed);
    expect([code, lines.length]).toEqual([1, 2]);
    expect(lines[0]).toMatch(/^FAILED .*a\.jsonl: .*ENOENT/);
    expect(lines[1]).toMatch(/^ok .*b\.jsonl: 1 of 1 lines passed$/);
  });

  test('reports a missing argument', () => {
    expect(runWith()).toEqual({ code: 2, lines: [expect.stringMatching(/^usage: /)] });
  });
});
