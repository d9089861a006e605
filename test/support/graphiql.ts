import { runInNewContext } from 'node:vm';
import type { Example, ExampleGroup } from '../../src/pages/examples.js';
import type { TestServer } from './server.js';
import { openSocket } from './sockets.js';
import { type Json, type Response, send } from './transport.js';

/** Runs the GraphiQL page without a browser: its examples and its own script. */

const LOADED = /\s(?:src|href)="([^"]*)"/g;

/** The URLs that a page loads or links to. */
export const loadedBy = (html: string): string[] => [...html.matchAll(LOADED)].map(([, address]) => address!);

/** Checks that the page may neither load nor send anything elsewhere. */
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
type Tab = Omit<Example, 'name'>;

interface Opened {
  urls?: Json;
  fetcher?: Fetcher;
  defaultTabs?: Example[];
  plugins?: { content: () => unknown }[];
}

const textOf = (html: string): string =>
  /<script type="application\/json" id="examples">(.*)<\/script>/.exec(html)![1]!;

export const examplesOf = (html: string): Example[] =>
  (JSON.parse(textOf(html)) as ExampleGroup[]).flatMap(({ examples }) => examples);

/** The tab state that GraphiQL keeps and changes. */
function fakeTabs() {
  const state = { tabs: [] as Tab[], active: 0 };
  const moveTab = (tabs: Tab[]): void => void (state.tabs = tabs);
  const changeTab = (index: number): void => void (state.active = index);
  const useEditorContext = () => ({ tabs: state.tabs, moveTab, changeTab });
  return { state, useEditorContext };
}

/** The page's own script in a minimal browser environment; `run` is the play button. */
export async function openPage(server: TestServer, stored = new Map<string, string>()) {
  const { text: html } = await send(server.http, '/graphiql');
  const start = loadedBy(html).find((address) => address.includes('/graphiqlStart-'))!;
  const { text: script } = await send(server.http, start);
  const opened: Opened = {};
  const listed = new Map<string, () => void>();
  const { state, useEditorContext } = fakeTabs();
  const sent: { query: string; headers: Json }[] = [];
  const createFetcher = (urls: Json): Fetcher => {
    opened.urls = urls;
    return async (body, { headers = {} }) => {
      sent.push({ query: body.query, headers });
      if (/^subscription/m.test(body.query)) return firstNews(server, body, headers);
      return (await send(server.http, '/graphql', { method: 'post', headers, body })).body;
    };
  };
  const createElement = (_: unknown, props: Json) => {
    if (props?.onClick) listed.set(props.title, props.onClick);
    return props;
  };
  runInNewContext(script, {
    URL,
    crypto,
    TextEncoder,
    Uint8Array,
    location: { href: `${server.url}/graphiql` },
    navigator: {},
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    },
    document: { getElementById: () => ({ textContent: textOf(html) }) },
    GraphiQL: {
      createFetcher,
      React: { useEditorContext, useExecutionContext: () => ({ stop: () => undefined }) },
    },
    React: { createElement },
    ReactDOM: { createRoot: () => ({ render: (props: object) => Object.assign(opened, props) }) },
  });
  state.tabs = opened.defaultTabs!.map(({ name, ...texts }) => ({ ...texts, title: name }));
  /** A click on an entry of the list. */
  const open = (name: string): Tab => {
    opened.plugins![0]!.content();
    listed.get(name)!();
    return state.tabs[state.active]!;
  };
  const run = (name: string): Promise<Json> => {
    const { query, variables, headers } = open(name);
    const body = { query, variables: JSON.parse(variables ?? '{}'), operationName: name };
    return opened.fetcher!(body, { headers: JSON.parse(headers ?? '{}') });
  };
  return { open, run, stored, sent, tabs: () => state.tabs, urls: opened.urls!, fetcher: opened.fetcher! };
}

async function firstNews(
  server: TestServer,
  { query, variables }: Json,
  { Authorization }: Json,
): Promise<Json> {
  const socket = await openSocket(server, null, Authorization);
  const news = await socket.send(query, variables).next();
  await socket.close();
  return news;
}
