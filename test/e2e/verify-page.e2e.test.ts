import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { verify as direct } from '../../src/fairness/verify.js';
import { rulesetById } from '../../src/rules/registry.js';
import { Made } from '../fairness/made.js';
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

  it('extracts keys from any text, and refuses broken ones', async () => {
    const keys = '{"keys": ["play.example.org+00000000+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]}';
    const { verdict } = await (await opened()).verify(text, { keys });
    expect(verdict).toMatch(/^The game could not be verified: The key id must be [0-9a-f]{8}/);
  });
});
