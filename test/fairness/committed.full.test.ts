import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/verify.js';
import type { GameRecord } from '../../src/fairness/record.js';
import { printVerifierKey } from '../../src/fairness/note.js';
import { receiptText } from '../../src/fairness/receipt.js';
import { rulesetById } from '../../src/rules/registry.js';
import { rounds } from '../support/scale.js';
import { Made, SEEK_ID, type Given } from './made.js';
import { differences, drawn, python, statusesIn, withPython } from './python.js';
import { ending, log, opening, openingOfSeek, proofsIn, receiptOf, receiptOfSeek, server, signed, stranger } from './tampering/held.js'; // prettier-ignore

/** Whether the server had committed before it knew a seed: the receipts that prove it, and those that do not. */

const folder = mkdtempSync(join(tmpdir(), 'halfmove-committed-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function fileOf(content: string): string {
  const path = join(folder, String(files++));
  writeFileSync(path, content);
  return path;
}

const KEYS = ['--key', printVerifierKey(server.key), '--key', printVerifierKey(log.key)];

/** The arguments of the program in these tests, and its output. */
const called: (readonly [readonly string[], number, string])[] = [];

/** The exit code and the findings about the two parts; `-` where nothing is checked. */
async function verdict(record: GameRecord, ...shown: readonly string[]): Promise<readonly [number, string]> {
  const lines: string[] = [];
  const args = [...KEYS, ...shown, fileOf(JSON.stringify(record))];
  const code = await run(args, (line) => lines.push(line));
  called.push([args, code, lines.join('\n')]);
  const found = lines.flatMap((line) => /^(\S+) +committed +(creator|accepter|the \w+)?/.exec(line) ?? []);
  return [code, found.filter((_, at) => at % 3 === 1).join(' ')];
}

const receipts = (record: GameRecord, ...versions: readonly number[]): readonly string[] =>
  versions.flatMap((version) => ['--receipt', fileOf(signed(receiptText(receiptOf(record, version)), server))]); // prettier-ignore

const dealt = (given: Given = {}): GameRecord =>
  new Made(rulesetById('banqi-taiwan')!, given).wander(6).act('second', 'resign').record;
const newest = (record: GameRecord): number => record.rows.at(-1)!.seq;
const commitmentOf = ({ rows }: GameRecord): string => rows[0]!.data['commitment'] as string;

/** Where each player gave a seed: the version of the row that has it. */
const EARLY = dealt(); // creator 1, accepter 2
const ANNOUNCED = dealt({ announced: ['creator'] }); // accepter 1, creator 2
const REMATCH = dealt({ rematchOf: 'g-9', side: 'first', announced: ['creator', 'accepter'] }); // creator 2, accepter 3
const MET = dealt({ kind: 'seek', seek: SEEK_ID, announced: ['creator', 'accepter'] }); // creator 2, accepter 3
const JOINED = dealt({ kind: 'seek', seek: SEEK_ID, announced: ['creator'] }); // accepter with the seek, creator 2

describe('receipts from before a seed', () => {
  it.each([
    ['none, for a seed given early', EARLY, [], 'open open'],
    ['the newest, for a seed given early', EARLY, [newest(EARLY)], 'open open'],
    ['the opening, before the creator gave a seed', EARLY, [0], 'ok open'],
    ['the opening and the seed', EARLY, [0, 1], 'ok ok'],
    ['the seed, which is from before the acceptance', EARLY, [1], 'open ok'],
    ['the acceptance', EARLY, [2], 'open open'],
    ['an announced seed: the opening, before the accepter gave one', ANNOUNCED, [0], 'open ok'],
    ['an announced seed: the opening and the acceptance', ANNOUNCED, [0, 1], 'ok ok'],
    ['an announced seed: the acceptance', ANNOUNCED, [1], 'ok open'],
    ['an announced seed: its own row', ANNOUNCED, [2], 'open open'],
    ['a rematch: the acceptance', REMATCH, [1], 'ok ok'],
    ['a rematch: the seed of the creator', REMATCH, [2], 'open ok'],
    ['a rematch: the seed of the accepter', REMATCH, [3], 'open open'],
    ['two seeks: the seed of the creator', MET, [2], 'open ok'],
  ] as const)('%s', async (_, record, versions, found) => {
    const last = versions.some((version) => version === newest(record)) ? [] : [newest(record)];
    const [code, said] = await verdict(record, ...receipts(record, ...versions, ...last));
    expect(said).toBe(found);
    // Two paired seeks need the log, too.
    expect(code).toBe(found === 'ok ok' && record !== MET ? 0 : 3);
  });

  it('are checked only for the player who is named', async () => {
    const id = (role: string) => (role === 'creator' ? 'u-1' : 'u-2');
    const start = EARLY.rows.find(({ type }) => type === 'start')!.data;
    for (const [role, code] of [
      ['creator', 3],
      ['accepter', 0],
    ] as const) {
      // prettier-ignore
      const seat = start['first'] === id(role) ? 'first' : 'second';
      for (const player of [role, id(role), seat]) {
        const held = receipts(EARLY, 1, newest(EARLY));
        expect([player, await verdict(EARLY, ...held, '--player', player)]).toEqual([player, [code, code === 0 ? 'ok' : 'open']]); // prettier-ignore
      }
    }
    expect(await verdict(EARLY, ...receipts(EARLY, 0), '--player', 'u-3')).toEqual([1, 'FAILED']);
    expect((await verdict(EARLY, '--player'))[0]).toBe(2);
  });

  it('must be signed by a trusted key, and match the record', async () => {
    const text = receiptText(receiptOf(EARLY, 0));
    const last = receipts(EARLY, newest(EARLY));
    expect(await verdict(EARLY, '--receipt', fileOf(signed(text, stranger)), ...last)).toEqual([3, 'open open']); // prettier-ignore
    const other = receiptText({ ...receiptOf(EARLY, 0), commitment: '0'.repeat(64) });
    expect(await verdict(EARLY, '--receipt', fileOf(signed(other, server)), ...last)).toEqual([1, 'open open']); // prettier-ignore
  });

  it('do not count for another seed if the server drew it again', async () => {
    const redrawn = dealt({ serverSeed: '5'.repeat(64) });
    expect(await verdict(redrawn, ...receipts(redrawn, newest(redrawn)))).toEqual([3, 'open open']);
    const held = receipts(EARLY, 0);
    expect(await verdict(redrawn, ...held, ...receipts(redrawn, newest(redrawn)))).toEqual([1, 'open open']);
  });
});

describe('the commitment', () => {
  it('is confirmed by a player who had it before', async () => {
    const held = receipts(EARLY, newest(EARLY));
    // It says nothing about the other player's seed.
    expect(await verdict(EARLY, ...held, '--commitment', commitmentOf(EARLY))).toEqual([3, 'ok open']);
    const more = receipts(EARLY, 1);
    expect(await verdict(EARLY, ...held, ...more, '--commitment', commitmentOf(EARLY))).toEqual([0, 'ok ok']);
    expect(await verdict(EARLY, ...held, '--commitment', '0'.repeat(64))).toEqual([1, 'open open']);
  });

  it.each([
    ['the creator gave no seed', dealt({ creatorSeed: null }), [3, '- open']],
    ['neither gave a seed', dealt({ creatorSeed: null, accepterSeed: null }), [0, '- -']],
    ['the seeds decide nothing', new Made(rulesetById('chess')!, { side: 'first' }).play('e2e4').act('second', 'resign').record, [0, '-']], // prettier-ignore
    ['earlier games decide the sides', new Made(rulesetById('chess')!, { earlier: { creator: 1, accepter: 0 } }).play('e2e4').act('second', 'resign').record, [0, '-']], // prettier-ignore
    ['the players chose the set-up', new Made(rulesetById('half-court-chess')!, { side: 'first', options: { setup: 'NQRBK/qbnrk' } }).wander(2).act('first', 'resign').record, [0, '-']], // prettier-ignore
    ['the set-up is drawn', new Made(rulesetById('half-court-chess')!, { side: 'first' }).wander(2).act('first', 'resign').record, [3, 'open open']], // prettier-ignore
    ['the sides are drawn', new Made(rulesetById('chess')!).play('e2e4').act('second', 'resign').record, [3, 'open open']], // prettier-ignore
    ['the game never started', new Made(rulesetById('chess')!, { announced: ['creator'], withheld: ['creator'] }).wait(86_401).record, [0, '-']], // prettier-ignore
    ['the game waits', new Made(rulesetById('chess')!, { announced: ['creator'], withheld: ['creator'] }).record, [3, 'open']], // prettier-ignore
  ] as const)('is required where it matters: %s', async (_, record, due) => {
    expect(await verdict(record, ...receipts(record, newest(record)))).toEqual(due);
  });
});

describe('a seed that was given to an open seek', () => {
  const BOTH = dealt({ kind: 'seek', seek: SEEK_ID }); // creator 1, accepter with the seek
  const TAKEN = dealt({ kind: 'seek' }); // creator 1, accepter 2
  it.each([
    ['both gave one', BOTH, ['creator', 'accepter']],
    ['the creator gave one, and the seek was taken by hand', TAKEN, ['creator']],
    ['the creator announced one', JOINED, ['accepter']],
    ['both announced one', MET, []],
    ['it was no seek', EARLY, []],
  ] as const)('does not bind the pairing, as is said: %s', async (_, record, roles) => {
    await verdict(record, ...receipts(record, 0, newest(record)), '--commitment', commitmentOf(record));
    const said = called
      .at(-1)![2]
      .split('\n')
      .filter((line) => line.includes('does not bind the pairing'));
    expect(said.map((line) => / committed +the (\w+): /.exec(line)![1])).toEqual(roles);
  });
});

describe('a seed that came with the joined seek', () => {
  const ofSeek = ['--receipt', fileOf(signed(receiptText(receiptOfSeek), server))];
  const proofs = (...entries: Parameters<typeof proofsIn>[0]): readonly string[] =>
    proofsIn(entries).flatMap((proof) => ['--proof', fileOf(proof)]);
  const held = [...receipts(JOINED, 0, 1, newest(JOINED))];
  const end = ending(JOINED, null)!;

  it('is after the commitment if the log has the opening of the game first', async () => {
    const shown = [...held, ...ofSeek, ...proofs(opening(JOINED), openingOfSeek, end)];
    expect(await verdict(JOINED, ...shown)).toEqual([0, 'ok ok']);
  });

  it('is not proven by receipts of the game alone, in another order, or unsigned', async () => {
    expect(await verdict(JOINED, ...held, ...ofSeek)).toEqual([3, 'ok open']);
    const turned = [...held, ...ofSeek, ...proofs(openingOfSeek, opening(JOINED), end)];
    expect(await verdict(JOINED, ...turned)).toEqual([1, 'ok open']);
    const unsigned = ['--receipt', fileOf(signed(receiptText(receiptOfSeek), stranger))];
    const shown = [...held, ...unsigned, ...proofs(opening(JOINED), openingOfSeek, end)];
    expect(await verdict(JOINED, ...shown)).toEqual([3, 'ok open']);
  });

  it('is after the commitment by the statement of its player', async () => {
    const shown = ['--player', 'accepter', '--commitment', commitmentOf(JOINED)];
    expect((await verdict(JOINED, ...shown))[1]).toBe('ok');
  });
});

withPython('the verifier in Python', () => {
  it('has the same results for everything in these tests', () => {
    expect(called.length).toBeGreaterThan(30);
    for (const [args, code, text] of drawn(called, rounds(called.length, 12))) {
      const theirs = python(args);
      expect([args, theirs.code, differences(statusesIn(text), statusesIn(theirs.text))]).toEqual([args, code, []]); // prettier-ignore
    }
  });
});
