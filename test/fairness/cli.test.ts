import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/verify.js';
import { rulesetById } from '../../src/rules/registry.js';
import { verify } from '../../src/fairness/verify.js';
import { Made, rechained } from './made.js';

const folder = mkdtempSync(join(tmpdir(), 'halfmove-verify-'));
afterAll(() => rmSync(folder, { recursive: true }));

const banqi = rulesetById('banqi-hongkong')!;
const { record } = new Made(banqi).wander(20).act('first', 'resign');
const opened = record.rows[0]!.data;
const commitment = opened['commitment'] as string;
const dealRoot = record.rows.find(({ type }) => type === 'start')!.data['dealRoot'] as string;
const { hash } = record.rows.at(-1)!;

interface Ran {
  readonly code: number;
  readonly lines: readonly string[];
}

async function runOn(content: string, shown: readonly string[] = []): Promise<Ran> {
  const file = join(folder, 'record.json');
  writeFileSync(file, content);
  return runWith([...shown, file]);
}

async function runWith(args: readonly string[]): Promise<Ran> {
  const lines: string[] = [];
  return { code: await run(args, (text) => lines.push(text)), lines };
}

describe('the verify program', () => {
  const shown = [
    ...['--commitment', commitment],
    ...['--deal-root', dealRoot],
    ...['--hash', hash],
    // The accepter's seed came last, so that only the creator needs no receipt.
    ...['--player', 'creator'],
  ];

  it('prints every finding and exits with 0 when all is valid', async () => {
    const { code, lines } = await runOn(JSON.stringify(record), shown);
    expect(code).toBe(0);
    expect(lines).toHaveLength(verify(record, { commitment, dealRoot, hash, player: 'creator' }).length);
    expect(lines).toContain(`ok      commitment   ${commitment}`);
    const [first, second] = (['first', 'second'] as const).map((seat) => record.players![seat].id);
    expect(lines).toContain(`-       names        first is ${first}, second is ${second}: the hashes cover these user ids, and no usernames`); // prettier-ignore
  });

  it('names the ids of the parts in a game that has not started', async () => {
    const waiting = new Made(banqi, { announced: ['creator'], withheld: ['creator'] }).record;
    const { lines } = await runOn(JSON.stringify(waiting));
    expect(lines).toContainEqual(expect.stringMatching(/^- {7}names {8}the creator is u-1, the accepter is u-2: /)); // prettier-ignore
  });

  it('exits with 3 when something is left to check', async () => {
    for (const [content, given] of [
      [record, []],
      [record, shown.slice(2)],
      [new Made(banqi).wander(5).record, ['--player', 'creator']],
    ] as const) {
      const { code, lines } = await runOn(JSON.stringify(content), given);
      expect([code, lines.some((text) => text.startsWith('open '))]).toEqual([3, true]);
    }
  });

  it('exits with 1 for another game than the one that was shown', async () => {
    expect((await runOn(JSON.stringify(record), ['--hash', '0'.repeat(64)])).code).toBe(1);
  });

  it('prints each value of a record in one line, shortened and without escapes', async () => {
    const ruleset = `x\n${'ok      chain        forged\u001b[2K'.repeat(100_000)}`;
    const san = `\u001b[2K\r\nok ${'n'.repeat(1_000_000)}`;
    for (const forged of [
      rechained(record, record.rows.with(0, { ...record.rows[0]!, data: { ...opened, ruleset } })),
      rechained(record, record.rows.with(4, { ...record.rows[4]!, data: { ...record.rows[4]!.data, san } })),
    ]) {
      const { code, lines } = await runOn(JSON.stringify(forged));
      expect(code).toBe(1);
      for (const text of lines) expect(text).toMatch(/^(ok|FAILED|open|-) +[a-zA-Z]+ +[\x20-\x7e]{0,300}$/);
    }
  });

  it('exits with 1 when anything fails', async () => {
    const { code, lines } = await runOn(JSON.stringify({ ...record, serverSeed: '0'.repeat(64) }));
    expect(code).toBe(1);
    expect(lines.some((text) => text.startsWith('FAILED  commitment'))).toBe(true);
  });

  it.each(['', '{', 'null', '[]', '"text"'])('exits with 1 for the content %j', async (content) => {
    expect((await runOn(content)).code).toBe(1);
  });

  it.each([
    ['an empty file', '', /^FAILED {2}record {7}the file is empty; it must contain the record of a game/],
    ['only spaces', ' \n', /the file is empty/],
    ['text', 'oops', /the file is not JSON; it must contain the record of a game, as returned by GET/],
    [
      'an error response of the server',
      JSON.stringify({
        type: 'about:blank',
        title: 'Not Found',
        status: 404,
        detail: 'There is no such game.\nok      chain        forged',
        code: 'NOT_FOUND',
      }),
      /^FAILED {2}record {7}this is not a record but an error of the server \(404 NOT_FOUND: There is no such game\.\?ok/,
    ],
  ])('identifies %s in one line', async (_, content, words) => {
    const { code, lines } = await runOn(content);
    expect([code, lines.length]).toEqual([1, 1]);
    expect(lines[0]).toMatch(words);
    expect(lines[0]).not.toContain('\n');
  });

  it.each([
    ['record', []],
    ['receipt', ['--receipt', join(folder, 'none'), join(folder, 'record.json')]],
    ['proof', ['--proof', join(folder, 'none'), join(folder, 'record.json')]],
    ['file of keys', ['--key', join(folder, 'none'), join(folder, 'record.json')]],
  ])('exits with 2 for a missing %s', async (_, args) => {
    writeFileSync(join(folder, 'record.json'), JSON.stringify(record));
    const { code, lines } = await runWith(args.length > 0 ? args : [join(folder, 'none')]);
    expect([code, lines]).toEqual([2, [expect.stringMatching(/^not verified: ENOENT.* open '.*none'$/)]]);
  });

  it('exits with 2 for wrong usage', async () => {
    expect((await runWith([])).code).toBe(2);
    expect((await runWith(['a', 'b'])).code).toBe(2);
    expect((await runWith(['--hash', 'abc', 'a'])).code).toBe(2);
    expect((await runWith(['--hsh', '0'.repeat(64), 'a'])).code).toBe(2);
  });
});
