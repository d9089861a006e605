import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { printVerifierKey } from '../../src/fairness/note.js';
import { verify as direct } from '../../src/fairness/verify.js';
import { rulesetById } from '../../src/rules/registry.js';
import { Made } from '../fairness/made.js';
import { cosigned, witness } from '../fairness/tampering/cosigned.js';
import { ending, log, proofsIn, type Signer, signed } from '../fairness/tampering/held.js';
import { expectPolicy, loadedBy } from '../support/graphiql.js';
import { bundled } from '../support/library.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { type Json, type Response, send } from '../support/transport.js';

/** The page that verifies a game in the browser. */

let server: TestServer;
let page: Response;
beforeAll(async () => {
  server = await sharedServer();
  page = await send(server.http, '/verify');
});
afterAll(() => server.close());

describe('the page', () => {
  it('may load its own files and connect to nothing', () => {
    expect(page.status).toBe(200);
    expectPolicy(page);
    expect(page.headers['content-security-policy']).not.toMatch(/connect-src|unsafe/);
    expect(page.text).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=/);
    expect(page.text).not.toContain('//');
  });

  it('of a game may ask this server, and nobody else', async () => {
    const { headers } = await send(server.http, '/verify?game=1');
    expect(headers['content-security-policy']).toMatch(/^connect-src 'self'; default-src 'none'; /);
  });

  it('is served with everything that it loads', async () => {
    const loaded = loadedBy(page.text).filter((address) => address !== 'data:,');
    expect(loaded).toContain('/verify.js');
    for (const path of loaded) expect((await send(server.http, path)).status).toBe(200);
    for (const path of loaded.filter((each) => each.startsWith('/verify/'))) {
      const { status, headers } = await send(server.http, path);
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
  });

  it('includes the built library', async () => {
    const { status, headers, text } = await send(server.http, '/verify.js');
    expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(text).toBe(readFileSync('dist/verify.js', 'utf8'));
  });
});

/** The page's own script in a browser with only what it needs. */
async function opened() {
  const { text: script } = await send(
    server.http,
    loadedBy(page.text).find((path) => path.startsWith('/assets/verify-'))!,
  );
  const elements = new Map<string, Json>();
  const element = (): Json => ({
    value: '',
    textContent: '',
    hidden: true,
    children: [],
    append(...children: Json[]) {
      this.children.push(...children);
    },
    replaceChildren(...children: Json[]) {
      this.children = children;
    },
    addEventListener(name: string, listener: unknown) {
      this[name] = listener;
    },
    checkValidity: () => true,
    scrollIntoView: () => undefined,
  });
  const byId = (id: string): Json => elements.get(id) ?? elements.set(id, element()).get(id)!;
  runInNewContext(script.replace('import("/verify.js")', 'Promise.resolve(built)'), {
    built: bundled(),
    setTimeout,
    URLSearchParams,
    location: { search: '' },
    document: { getElementById: byId, createElement: element, querySelectorAll: () => [] },
  });
  const said = () => ({
    verdict: byId('verdict').textContent as string,
    findings: byId('findings').children.map(({ className, children }: Json) => [
      className,
      ...children.map((each: Json) => each.textContent),
    ]),
  });
  const verify = async (record: string, shown: Readonly<Record<string, string>> = {}) => {
    byId('record').value = record;
    for (const [id, value] of Object.entries(shown)) byId(id).value = value;
    // It scrolls to its output.
    await new Promise((resolve) => {
      byId('result').scrollIntoView = resolve;
      byId('form').submit({ preventDefault: () => undefined });
    });
    return said();
  };
  return { verify };
}

describe('its script', () => {
  const { record } = new Made(rulesetById('banqi-hongkong')!).wander(20).act('first', 'resign');
  const text = JSON.stringify(record);
  const commitment = record.rows[0]!.data['commitment'] as string;
  const shown = {
    commitment,
    dealRoot: ` ${record.rows.find(({ type }) => type === 'start')!.data['dealRoot'] as string}\n`,
    hash: record.rows.at(-1)!.hash,
    player: 'creator',
  };

  it('lists the findings of the library', async () => {
    const { verdict, findings } = await (await opened()).verify(text);
    expect(verdict).toBe('No check failed; 3 checks are left open.');
    expect(findings).toHaveLength(direct(record).length);
    expect(findings).toContainEqual(['ok', 'ok', 'Server seed', commitment]);
    expect(findings).toContainEqual(['none', '–', 'Names', expect.any(String)]);
  });

  it('compares the record with what the player was shown', async () => {
    expect((await (await opened()).verify(text, shown)).verdict).toBe('All checks passed.');
    const other = await (await opened()).verify(text, { ...shown, hash: '0'.repeat(64) });
    expect(other.verdict).toBe('1 check failed.');
  });

  it.each([
    ['', /^The record is missing\. Paste/, []],
    ['{"a": 1, "a": 2}', /^1 check failed/, [/^The text is not a record\. Line 1, column 10: /]],
    ['{}', /checks failed/, [/record\.format must be 2/]],
  ] as const)('says what is wrong with %j', async (given, words, details) => {
    const { verdict, findings } = await (await opened()).verify(given);
    expect(verdict).toMatch(words);
    for (const detail of details) expect(findings[0].at(-1)).toMatch(detail);
  });

  it('asks the chosen player for what shows the server’s earlier commitment', async () => {
    const game = new Made(rulesetById('banqi-hongkong')!, { announced: ['creator'] })
      .wander(6)
      .act('first', 'resign').record;
    const [given, hash] = [JSON.stringify(game), game.rows.at(-1)!.hash];
    const both = await (await opened()).verify(given, { hash });
    expect(both.verdict).toBe('No check failed; 2 checks are left open.');
    expect(both.findings.at(-1)).toEqual(['open', 'open', 'Committed before the seeds', expect.stringMatching(/^the accepter: give the receipt/)]); // prettier-ignore
    const one = await (await opened()).verify(given, { hash, player: 'creator' });
    expect(one.verdict).toBe('No check failed; 1 check is left open.');
    const commitment = game.rows[0]!.data['commitment'] as string;
    const accepter = { hash, commitment, player: 'accepter' };
    expect((await (await opened()).verify(given, accepter)).verdict).toBe('All checks passed.');
  });

  describe('of checkpoints with cosignatures', () => {
    const [ann, ben] = [witness('witness.example/ann'), witness('witness.example/ben')];
    const [proof] = proofsIn([ending(record, null)!]) as [string];
    const checkpoint = proof.slice(proof.indexOf('\n\n') + 2);
    const ofBoth = proof.replace(checkpoint, cosigned(cosigned(checkpoint, ann), ben));
    const other = signed(checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1).replace(/\n.*\n$/, `\n${'A'.repeat(43)}=\n`), log); // prettier-ignore
    const longer = signed(checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1).replace('\n3\n', '\n4\n'), log); // prettier-ignore
    const keyOf = ({ key }: Signer) => printVerifierKey(key);
    const told = async (given: Readonly<Record<string, string>>) => {
      const entered = { ...shown, keys: keyOf(log), witnesses: `${keyOf(ann)}\n${keyOf(ben)}`, ...given };
      const { findings } = await (await opened()).verify(text, entered);
      return findings.filter(([, , check]: string[]) => check === 'Log').map(([kind, , , detail]: string[]) => `${kind}: ${detail}`); // prettier-ignore
    };
    const OF_ANN = 'ok: the checkpoint of 3 entries is cosigned by witness.example/ann';

    it.each([
      ['in a proof', { proofs: ofBoth }, ['ok: the checkpoint is cosigned by witness.example/ann', 'ok: the checkpoint is cosigned by witness.example/ben']], // prettier-ignore
      ['apart from its proof, by two witnesses', { proofs: proof, checkpoints: `${cosigned(checkpoint, ann)}\n${cosigned(checkpoint, ben)}` }, ['ok: the checkpoint is cosigned by witness.example/ann', 'ok: the checkpoint is cosigned by witness.example/ben', OF_ANN, OF_ANN.replace('ann', 'ben')]], // prettier-ignore
      ['by one of two', { proofs: proof, checkpoints: cosigned(checkpoint, ann) }, ['ok: the checkpoint is cosigned by witness.example/ann', 'open: the checkpoint is not cosigned by witness.example/ben: ask this witness for the proof', OF_ANN]], // prettier-ignore
      ['by a stranger', { checkpoints: cosigned(checkpoint, { ...ben, key: ann.key }) }, ['bad: the checkpoint of 3 entries: the cosignature of witness.example/ann is wrong', 'open: the checkpoint of 3 entries is not that of a proof: take the proof to the witness']], // prettier-ignore
      ['by none', { proofs: ofBoth, checkpoints: checkpoint }, [expect.any(String), expect.any(String), 'open: the checkpoint of 3 entries: no witness that you named has cosigned it']], // prettier-ignore
      ['without keys', { checkpoints: cosigned(checkpoint, ann), proofs: proof, witnesses: '' }, ['open: the checkpoint of 3 entries: give the keys of its witnesses']], // prettier-ignore
      ['of another size', { checkpoints: cosigned(longer, ann), proofs: proof, witnesses: keyOf(ann) }, ['open: the checkpoint is not cosigned by witness.example/ann: ask this witness for the proof', OF_ANN.replace('3', '4'), 'open: the checkpoint of 4 entries is not that of a proof: take the proof to the witness']], // prettier-ignore
      ['of a fork', { checkpoints: cosigned(other, ann), proofs: proof, witnesses: keyOf(ann) }, ['open: the checkpoint is not cosigned by witness.example/ann: ask this witness for the proof', OF_ANN, 'bad: the checkpoint of 3 entries has another root than that of a proof: the log was forked']], // prettier-ignore
      ['that is none', { checkpoints: 'hello' }, ['bad: A note must have an empty line before its signatures.']], // prettier-ignore
    ] as const)('says who has signed one %s', async (_, given, expected) => {
      const proven = 'proofs' in given ? ['ok: the end is at index 1 of 3 in halfmove.example/log'] : [];
      expect(await told(given)).toEqual([...proven, ...expected]);
    });
  });

  it('extracts keys from any text, and refuses broken ones', async () => {
    const keys = '{"keys": ["play.example.org+00000000+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}';
    const { verdict } = await (await opened()).verify(text, { keys });
    expect(verdict).toMatch(/^The game could not be verified: The key id must be [0-9a-f]{8}/);
    expect((await (await opened()).verify(text, { keys: 'play.example.org' })).verdict).toMatch(/could not be verified: The field of the keys contains no key/); // prettier-ignore
    expect((await (await opened()).verify(text, { ...shown, keys: ' ' })).verdict).toBe('All checks passed.');
  });
});
