import { runInNewContext } from 'node:vm';
import { getOperationAST, parse, type OperationDefinitionNode } from 'graphql';
import type { TestServer } from './server.js';
import { type Json, type Response, send } from './transport.js';

/** The page of GraphiQL without a browser: its tabs, and its own script at work. */

interface Tab {
  readonly query: string;
  readonly variables?: string;
  readonly headers?: string;
}

const LOADED = /\s(?:src|href)="([^"]*)"/g;

/** What a page loads or links to. */
export const loadedBy = (html: string): string[] => [...html.matchAll(LOADED)].map(([, address]) => address!);

/** That the page may load and send nothing from elsewhere. */
export function expectPolicy({ headers }: Response): void {
  const policy = headers['content-security-policy'] ?? '';
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]),
  );
  expect(policy).not.toMatch(/\*|https?:|unsafe-eval|script-src[^;]*unsafe/);
}

type Fetcher = (request: Json, options: Json) => Promise<Json>;

export const tabsOf = (html: string): readonly Tab[] =>
  JSON.parse(/<script type="application\/json" id="tabs">(.*)<\/script>/.exec(html)![1]!);

/** The page's own script in a browser that has no more than it needs; `run` is what the play button does. */
export async function openPage(server: TestServer) {
  const html = await newPage(server);
  const start = loadedBy(html).find((address) => address.endsWith('start.js'))!;
  const { text: script } = await send(server.http, start);
  const stored = new Map<string, string>();
  const opened: { urls?: Json; fetcher?: Fetcher; defaultTabs?: Tab[] } = {};
  const sent: { query: string; headers: Json }[] = [];
  const createFetcher = (urls: Json): Fetcher => {
    opened.urls = urls;
    return async (body, { headers = {} }) => {
      sent.push({ query: body.query, headers });
      return (await send(server.http, '/graphql', { method: 'post', headers, body })).body;
    };
  };
  runInNewContext(script, {
    URL,
    location: { href: `${server.url}/graphiql` },
    navigator: {},
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    },
    document: { getElementById: () => ({ textContent: JSON.stringify(tabsOf(html)) }) },
    GraphiQL: { createFetcher },
    React: { createElement: (_: unknown, props: object | null) => props },
    ReactDOM: { createRoot: () => ({ render: (props: object) => Object.assign(opened, props) }) },
  });
  const tabs = new Map(opened.defaultTabs!.map((tab) => [operationOf(tab).name!.value, tab]));
  const run = (name: string): Promise<Json> => {
    const { query, variables = '{}', headers = '{}' } = tabs.get(name)!;
    const body = { query, variables: JSON.parse(variables), operationName: name };
    return opened.fetcher!(body, { headers: JSON.parse(headers) });
  };
  return { tabs, run, stored, sent, urls: opened.urls!, fetcher: opened.fetcher! };
}

const namesSeen = new Set<string>();

/** A page whose names no page before has had: of those that are drawn, two may be the same. */
async function newPage(server: TestServer): Promise<string> {
  for (;;) {
    const { text } = await send(server.http, '/graphiql');
    const names = /ann\d{4}/.exec(text)![0];
    if (namesSeen.has(names)) continue;
    namesSeen.add(names);
    return text;
  }
}

export const operationOf = ({ query }: Tab): OperationDefinitionNode => getOperationAST(parse(query))!;
