import { createHash, verify } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/verify.js';
import { parseLogProof, provenBy } from '../../src/fairness/tlog-formats.js';
import { LogService } from '../../src/features/transparency/log.service.js';
import { restApi } from '../support/api.js';
import { runChild } from '../support/children.js';
import { endOf, gameId, logSigner, FakeLog, openOf } from '../support/fake-log.js';
import { register } from '../support/people.js';
import { begin } from '../support/play.js';
import { startServer } from '../support/server.js';
import { must } from '../support/transport.js';

/** The witness of examples/, against a server, and against dishonest logs. */
// Long: it starts programs.

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'halfmove-witness-'));
});
afterEach(() => rm(folder, { recursive: true }));

const state = () => join(folder, 'witness.json');
const witness = (url: string, ...args: string[]) =>
  runChild('examples/witness/witness.mjs', [
    url,
    '--state',
    state(),
    '--name',
    'witness.test',
    ...args,
  ]).ended();

let log: FakeLog;
let url: string;
beforeEach(async () => {
  log = new FakeLog().grow(3);
  url = await log.start();
});
afterEach(() => log.stop());

test('a growing log is cosigned each time, also over many tiles', async () => {
  for (const count of [0, 250, 4, 1, 600]) {
    log.grow(count);
    const { code, stdout, stderr } = await witness(url);
    expect([stderr.replace(/^A new witness[^]*/, ''), code]).toEqual(['', 0]);
    expectCosigned(stdout, await readFile(state(), 'utf8'));
  }
  expect((await stat(state())).mode & 0o777).toBe(0o600);
});

/** C2SP tlog-cosignature, with the key in the state. */
function expectCosigned(note: string, remembered: string): void {
  const { secret } = JSON.parse(remembered) as { secret: string };
  const end = note.lastIndexOf('\n\n') + 1;
  const [text, lines] = [
    note.slice(0, end),
    note
      .slice(end + 1)
      .trim()
      .split('\n'),
  ];
  expect(lines.map((line) => line.split(' ')[1])).toEqual(['play.test/log', 'witness.test']);
  const bytes = Buffer.from(lines[1]!.split(' ')[2]!, 'base64');
  expect(bytes).toHaveLength(4 + 8 + 64);
  const time = Number(bytes.readBigUInt64BE(4));
  expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(60);
  const message = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);
  expect(verify(null, message, secret, bytes.subarray(12))).toBe(true);
}

test.each([
  ['has shrunk', (it: FakeLog) => it.entries.pop(), /THE LOG HAS SHRUNK FROM 300 ENTRIES TO 299/],
  ['was forked', (it: FakeLog) => void (it.entries[5] = Buffer.from('{}')), /THE LOG WAS FORKED/],
  [
    'was forked and has grown',
    (it: FakeLog) => {
      it.entries[299] = Buffer.from('{}');
      it.grow(400);
    },
    /THE LOG WAS FORKED/,
  ],
])('a log that %s is reported with evidence', async (_, lie, words) => {
  log.grow(297);
  expect((await witness(url)).code).toBe(0);
  const before = await readFile(state(), 'utf8');
  lie(log);
  for (const again of [1, 2]) {
    const { code, stdout, stderr } = await witness(url);
    expect([again, code, stdout]).toEqual([again, 1, '']);
    expect(stderr).toMatch(words);
  }
  const evidence = JSON.parse(await readFile(`${state()}.evidence.json`, 'utf8'));
  expect(evidence.older).toContain('\n300\n');
  expect(evidence.newer).toContain('— play.test/log ');
  expect(await readFile(state(), 'utf8')).toBe(before);
});

test('another key or a missing answer is not fraud, and is not cosigned', async () => {
  expect((await witness(url)).code).toBe(0);
  const other = new FakeLog().grow(3);
  const elsewhere = await other.start();
  expect(await witness(elsewhere)).toMatchObject({ code: 2, stdout: '' });
  other.stop();
  expect(await witness(elsewhere)).toMatchObject({ code: 2, stdout: '' });
  expect(await witness(url, '--key', other.key)).toMatchObject({ code: 2 });
});

const USAGE = /^usage: witness\.mjs ADDRESS/m;
const ID = gameId(1);
test.each([
  ['no address', [], /Exactly one ADDRESS is required; got 0/],
  ['two addresses', ['http://a.test', 'http://b.test'], /got 2/],
  ['an invalid address', ['a.test'], /ADDRESS must look like .*; got a\.test/],
  ['an unknown option', ['http://a.test', '--lst', '1'], /Unknown option '--lst'/],
  ['an option without its value', ['http://a.test', '--key'], /--key/],
  ['invalid days', ['http://a.test', '--list-open', 'many'], /--list-open must look like 14; got many/],
  ['an invalid id', ['http://a.test', '--game', ID.toUpperCase()], /--game must look like .*; got 0198C0DE/],
  ['an invalid key', ['http://a.test', '--key', 'x'], /--key must look like .*; got x/],
  ['a name with a space', ['http://a.test', '--name', 'a b'], /--name must look like .*; got a b/],
  ['a port without a repetition', ['http://a.test', '--port', '3001'], /--port requires --every/],
  ['no minutes', ['http://a.test', '--every', '0'], /--every must look like 5; got 0/],
  ['two exclusive options', ['http://a.test', '--game', ID, '--list-open', '1'], /Only one of/],
])('called with %s it reports the mistake', async (_, args, words) => {
  const { code, stdout, stderr } = await runChild('examples/witness/witness.mjs', args).ended();
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(words);
  expect(stderr).toMatch(USAGE);
});

test('a repeated check ends where the log is found changed, and goes on where it could not be made', async () => {
  expect((await witness(url)).code).toBe(0);
  log.entries.pop();
  expect(await witness(url, '--every', '1', '--port', '0')).toMatchObject({ code: 1, stdout: '' });
  log.stop();
  const child = runChild('examples/witness/witness.mjs', [url, '--state', state(), '--every', '1']);
  await new Promise((resolve) => child.process.stderr!.once('data', resolve));
  expect(child.process.exitCode).toBeNull();
  child.process.kill();
  expect((await child.ended()).stderr).toMatch(/^Not checked: /);
});

interface Remembered {
  readonly key: string;
  readonly logKeys: readonly string[];
  readonly seen: Readonly<Record<string, number>>;
}
const remembered = async (): Promise<Remembered> => JSON.parse(await readFile(state(), 'utf8')) as Remembered;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

test('lists openings without an end, by when the witness first saw them', async () => {
  log.entries.push(endOf(1));
  const idsIn = (listed: string) => listed.match(/\S{36}(?= )/g) ?? [];
  expect(idsIn((await witness(url, '--list-open', '0')).stdout)).toEqual([gameId(0), gameId(2)]);
  // The ids are old, but the witness has not seen them before today.
  expect((await witness(url, '--list-open', '1')).stdout).toBe('');
  const seen = { [daysAgo(9)]: 2, [daysAgo(3)]: 4 };
  await writeFile(state(), JSON.stringify({ ...(await remembered()), seen }));
  log.entries.push(openOf(7));
  const { code, stdout, stderr } = await witness(url, '--list-open', '3');
  expect([code, idsIn(stdout)]).toEqual([0, [gameId(0), gameId(2)]]);
  expect(stdout).toContain(`${daysAgo(9)} ${gameId(0)} `);
  expect(stderr).toContain('2 of 3 openings without an end');
  expect(idsIn((await witness(url, '--list-open', '4')).stdout)).toEqual([gameId(0)]);
  expect((await remembered()).seen).toEqual({ ...seen, [daysAgo(0)]: 5 });
});

test.each([
  ['two openings', [openOf(1)], /^entry 3, open of .*1: it was opened before$/m],
  ['an end without an opening', [endOf(9)], /^entry 3, end of .*9: it was not opened before$/m],
  ['two ends', [endOf(1), endOf(1)], /^entry 4, end of .*1: it had ended before$/m],
  [
    'another seed',
    [endOf(1, { serverSeed: '00'.repeat(32) })],
    /^entry 3, .* another hash than the commitment$/m,
  ],
  [
    'no seed at all',
    [endOf(1, { serverSeed: undefined })],
    /^entry 3, .* another hash than the commitment$/m,
  ],
  ['an invalid entry', [Buffer.from('null')], /^entry 3, .* neither an opening nor an end$/m],
])('a log with %s is reported with evidence', async (_, entries, words) => {
  log.entries.push(...entries);
  const { code, stderr } = await witness(url, '--list-open', '0');
  expect([code, stderr]).toEqual([1, expect.stringMatching(words)]);
  const evidence = JSON.parse(await readFile(`${state()}.evidence.json`, 'utf8')) as { faults: string[] };
  expect(evidence.faults.join('\n')).toMatch(words);
});

test('a game without an opening in the log is told, with evidence', async () => {
  const { code, stdout, stderr } = await witness(url, '--game', gameId(9));
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/THE LOG HAS NO OPENING OF .*9 AMONG ITS 3 ENTRIES: WITH A RECEIPT OF IT IN HAND, THAT IS PROOF/); // prettier-ignore
  const evidence = JSON.parse(await readFile(`${state()}.evidence.json`, 'utf8')) as Record<string, string>;
  expect([evidence['game'], evidence['newer']?.split('\n')[1]]).toEqual([gameId(9), '3']);
  expect(await witness(url, '--game', gameId(1))).toMatchObject({
    code: 0,
    stdout: `${openOf(1).toString()}\n`,
  });
});

test('a seed that the operator has lost is not a fault', async () => {
  log.entries.push(endOf(1, { serverSeed: null }));
  expect((await witness(url, '--list-open', '0')).code).toBe(0);
});

test('learns a new key of the log while the old one still signs', async () => {
  expect((await witness(url)).code).toBe(0);
  const [old, next, third] = [log.signers[0]!, logSigner(log.origin), logSigner(log.origin)];

  log.signers = [next];
  expect(await witness(url)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/is not signed by the key/),
  });
  log.signers = [next, { ...old, secret: next.secret }];
  expect(await witness(url)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/signature .* is wrong/),
  });

  log.signers = [next, old];
  const learned = await witness(url);
  expect([learned.code, learned.stderr]).toEqual([0, expect.stringContaining('The log has a new key')]);
  expect((await remembered()).logKeys).toHaveLength(2);

  log.grow(2).signers = [next];
  expect(await witness(url)).toMatchObject({ code: 0, stderr: '' });
  expect((await remembered()).logKeys).toEqual([log.key]);
  log.signers = [third, old];
  expect((await witness(url)).code).toBe(2);
});

async function fileOf(name: string, content: string): Promise<string> {
  await writeFile(join(folder, name), content);
  return join(folder, name);
}

test('renews a proof of the same entry with the cosigned checkpoint', async () => {
  const file = await fileOf('old.tlog-proof', log.proof(1));
  for (const count of [0, 300]) {
    log.grow(count);
    const { code, stdout, stderr } = await witness(url, '--proof', file);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`At place 1 stands ${log.entries[1]!.toString()}`),
    ]);
    const proof = parseLogProof(stdout);
    if (!proof.ok) throw new Error(proof.why);
    expect(proof.value.index).toBe(1);
    expect(provenBy(proof.value, log.entries[1]!)).toMatchObject({ ok: true, value: { size: 3 + count } });
    expectCosigned(proof.value.checkpoint, await readFile(state(), 'utf8'));
  }
});

test('reports a proof from a log that was shown to someone else only', async () => {
  const other = new FakeLog().grow(3);
  other.signers = log.signers;
  other.entries[2] = openOf(2, { hash: 'another' });
  const file = await fileOf('shown.tlog-proof', other.proof(1));
  log.grow(2);
  const { code, stdout, stderr } = await witness(url, '--proof', file);
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    expect.stringMatching(/THE LOG WAS FORKED: ITS FIRST 3 ENTRIES/),
  ]);
  const evidence = JSON.parse(await readFile(`${state()}.evidence.json`, 'utf8')) as Record<string, string>;
  expect([evidence['older'], evidence['newer']].map((note) => note!.split('\n')[1])).toEqual(['3', '5']);
});

test.each([
  ['that is invalid', () => 'x', /The file is not a \.tlog-proof/],
  ['of a log with another key', () => new FakeLog().grow(3).proof(1), /is not signed by the key/],
  ['of another index', () => log.proof(1).replace('index 1', 'index 0'), /does not lead to its checkpoint/],
  [
    'of an index beyond the log',
    () => log.proof(1).replace('index 1', 'index 3'),
    /for index 3 in a log of only 3 entries/,
  ],
])('refuses a proof %s', async (_, make, words) => {
  const { code, stdout, stderr } = await witness(url, '--proof', await fileOf('bad.tlog-proof', make()));
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(words)]);
});

test('postpones a proof from a longer log than the witness is shown', async () => {
  const file = await fileOf('longer.tlog-proof', log.grow(2).proof(4));
  log.entries.splice(3);
  const { code, stderr } = await witness(url, '--proof', file);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/for a log of 5 entries, .* this witness only 3\. Try again/),
  ]);
});

test('lists a server’s running game, and what it published of an ended one', async () => {
  const server = await startServer();
  try {
    const api = restApi(server.http);
    const [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
    const [running, over] = [await begin(api, ann, ben), await begin(api, ann, ben)];
    must(await api.abort(ben, over.id));
    await server.app.get(LogService).append();
    const listed = await witness(server.url, '--list-open', '0');
    expect([listed.code, listed.stdout.match(/\S{36}(?= )/g)]).toEqual([0, [running.id]]);
    const { stdout } = await witness(server.url, '--game', over.id);
    const entries = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries).toMatchObject([{ type: 'open' }, { type: 'end', end: 'aborted', by: 'accepter' }]);
    const seed = createHash('sha256').update(Buffer.from(entries[1].serverSeed, 'hex')).digest('hex');
    expect(seed).toBe(entries[0].commitment);
  } finally {
    await server.close();
  }
});

test('verify asks a server’s witness for its cosignature', async () => {
  const server = await startServer();
  try {
    const ann = await register(server.http, 'ann');
    const terms = { ruleset: 'banqi-hongkong', timeControl: { type: 'none' } };
    const { id, receipt } = must(await restApi(server.http).createChallenge(ann, terms));
    await server.app.get(LogService).append();
    const textAt = async (path: string) => (await fetch(`${server.url}${path}`)).text();
    const keys = await fileOf('keys.json', await textAt('/.well-known/halfmove.json'));
    const given = await fileOf('open.tlog-proof', await textAt(`/v1/games/${id}/log-proof?entry=open`));
    const { stdout } = await witness(server.url, '--proof', given);
    const cosigned = await fileOf('cosigned.tlog-proof', stdout);

    const verified = async (proof: string) => {
      const lines: string[] = [];
      const args = ['--receipt', await fileOf('receipt.txt', receipt!), '--key', keys, '--proof', proof];
      const code = await run([...args, '--witness', (await remembered()).key], (line) => lines.push(line));
      return [code, lines.filter((line) => line.includes('cosigned'))] as const;
    };
    expect(await verified(given)).toEqual([
      3,
      [expect.stringMatching(/^open .* not cosigned by witness\.test/)],
    ]);
    expect(await verified(cosigned)).toEqual([
      0,
      [expect.stringMatching(/^ok .* is cosigned by witness\.test/)],
    ]);
  } finally {
    await server.close();
  }
});
