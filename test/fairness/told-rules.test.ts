import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/verify.js';
import { printVerifierKey } from '../../src/fairness/note.js';
import type { GameRecord, Row } from '../../src/fairness/record.js';
import { receiptText } from '../../src/fairness/receipt.js';
import { printTilePath } from '../../src/fairness/tlog-formats.js';
import { verify } from '../../src/fairness/verify.js';
import { rulesetById } from '../../src/rules/registry.js';
import { CREATOR_SEED, DAY, Made, rechained } from './made.js';
import { python, withPython } from './python.js';
import { log, openingOfSeek, proofsIn, receiptOfSeek, server, signed } from './tampering/held.js';

/** What docs/fairness.md tells a literal reader, "The clock", "Client seeds", "The log", "The order of time". */

const chess = rulesetById('chess')!;
const bank = { type: 'bank', initial: 3600, increment: 600, cap: 4000 } as const;
const failures = (record: GameRecord): readonly string[] => [
  ...new Set(verify(record).flatMap(({ ok, check }) => (ok === false ? [check] : []))),
];
const last = (game: Made): Row => game.rows.at(-1)!;
const TO_AND_FRO = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
/** Plies 1 to `count`. */
const knights = (game: Made, count: number): Made =>
  Array.from({ length: count }, (_, at) => TO_AND_FRO[at % 4]!).reduce((each, move) => each.play(move), game);

/** The record with one row altered, and the chain written again. */
const altered = ({ record }: Made, type: string, change: (row: Row) => Partial<Row>): GameRecord =>
  rechained(
    record,
    record.rows.map((row) => (row.type === type ? { ...row, ...change(row) } : row)),
  );
const movedBy = (ms: number) => (row: Row) => ({ at: new Date(Date.parse(row.at) + ms).toISOString() });

const paused = (): Made =>
  knights(new Made(chess), 2)
    .act('first', 'offerPause', {}, { after: 7.25 })
    .act('second', 'acceptPause', {}, { after: 7.25 })
    .act('first', 'unpause', {}, { after: 7.25 });

test('notice ends a pause at a whole second of the turn, and the second notice exactly then', () => {
  const turn = Date.parse(paused().rows.find(({ data }) => data['ply'] === 2)!.at);
  const first = last(paused());
  const resumesAt = Date.parse(first.data['resumesAt'] as string);
  expect((resumesAt - turn) % 1000).toBe(0);
  expect(resumesAt - Date.parse(first.at) - DAY).toBe(250);
  const second = last(paused().act('second', 'unpause', {}, { after: 7.1 }));
  expect(second.data['resumesAt']).toBe(second.at);
});

test('a gift is the least of a turn, what the cap leaves, and what the 60 days leave', () => {
  const given = (timeControl: object, after: number): unknown =>
    last(new Made(chess, { timeControl: timeControl as typeof bank }).act('second', 'giveTime', { ply: 1 }, { after })).data['seconds']; // prettier-ignore
  // Of 3600 seconds 3540 are left, so that 460 of the 600 are below the cap.
  expect(given(bank, 60.9)).toBe(460);
  expect(given(bank, 300)).toBe(600);
  expect(given({ ...bank, increment: 0 }, 3000)).toBe(3400);
  expect(given({ type: 'perMove', seconds: 5_184_000 - 5 }, 60)).toBe(5);
});

test('plies taken back count as moves after a refusal, and a lapse by takeback is none', () => {
  const refused = knights(new Made(chess), 2).act('first', 'offerDraw').act('second', 'declineDraw');
  refused.play('f3g1').act('first', 'offerTakeback').act('second', 'acceptTakeback');
  expect([refused.state.plyCount, refused.state.offers.refused.first]).toEqual([2, 9]);
  const lapsed = knights(new Made(chess), 2)
    .act('first', 'offerDraw')
    .act('second', 'offerTakeback')
    .act('first', 'acceptTakeback');
  expect(last(lapsed)).toMatchObject({ type: 'declineDraw', data: { byTakeback: true } });
  expect(lapsed.state.offers.refused).toEqual({ first: 0, second: 0 });
});

test('a reminder may come late or be missing, but not early or behind the deadline', () => {
  const reminded = new Made(chess, { timeControl: { type: 'perMove', seconds: 61 } }).wait(49);
  expect(last(reminded).type).toBe('reminder');
  const after = (ms: number) => failures(altered(reminded, 'reminder', movedBy(ms)));
  expect([after(0), after(12_000)]).toEqual([[], []]);
  expect([after(-1), after(12_001)]).toEqual([['times'], ['times']]);
  const { record } = reminded;
  expect(failures(rechained(record, record.rows.slice(0, -1)))).toEqual([]);
});

test('a seed given before the acceptance is in start alone', () => {
  const early = new Made(chess, { givesEarly: true });
  const holders = early.rows.filter((row) => JSON.stringify(row.data).includes(CREATOR_SEED));
  expect(holders.map(({ type }) => type)).toEqual(['start']);
});

test('a ply may be ten seconds before its turn and the latest row, and no more', () => {
  const game = new Made(chess).play('e2e4', { after: 0 });
  const moved = (ms: number) => failures(altered(game, 'ply', movedBy(ms)));
  expect([moved(-10_000), moved(-10_001)]).toEqual([[], ['times']]);
});

test('tiles have numbers in groups of three digits', () => {
  const path = (index: number, width = 256) => printTilePath({ level: 'entries', index, width });
  expect(path(67)).toBe('entries/067');
  expect(path(1_234, 5)).toBe('entries/x001/234.p/5');
  expect(path(1_234_067)).toBe('entries/x001/x234/067');
});

const folder = mkdtempSync(join(tmpdir(), 'halfmove-told-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const [PROOF] = proofsIn([openingOfSeek]) as [string];
const [HEAD, CHECKPOINT] = PROOF.split(/(?<=\n\n)(?=halfmove)/) as [string, string];
const text = CHECKPOINT.slice(0, CHECKPOINT.indexOf('\n\n') + 1);
const PROOFS: readonly (readonly [string, string, number])[] = [
  ['as the log gives it', PROOF, 0],
  ['with more newlines at its end', `${PROOF}\n\n`, 0],
  ['with an extra line', PROOF.replace('\nindex', '\nextra AAAA\nindex'), 1],
  ['of a checkpoint with a fourth line', HEAD + signed(`${text}more\n`, log), 1],
  ['with 65 hashes', PROOF.replace('\n\n', `\n${`${'A'.repeat(43)}=\n`.repeat(65)}\n`), 1],
];
const asked = (proof: string): readonly string[] => [
  ...['--receipt', fileOf('receipt.txt', signed(receiptText(receiptOfSeek), server))],
  ...['--proof', fileOf('open.tlog-proof', proof)],
  ...[server, log].flatMap(({ key }) => ['--key', printVerifierKey(key)]),
];

test.each(PROOFS)('a proof %s', async (_, proof, code) => {
  expect(await run(asked(proof), () => undefined)).toBe(code);
});

withPython('the verifier in Python', () => {
  test.each(PROOFS)('reads a proof %s alike', (_, proof, code) => {
    expect(python(asked(proof)).code).toBe(code);
  });
});
