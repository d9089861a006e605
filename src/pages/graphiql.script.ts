/**
 * The script beside GraphiQL: lists the examples, opens the first group as tabs, and replaces each {{name}} in variables
 * and headers with a value from earlier responses. It is a string because tsc is not set up for browsers here;
 * test/e2e/pages.e2e.test.ts runs it.
 *
 * It keeps in localStorage, shared by all windows: a session for each username, ids and tokens by name, and the number in
 * this browser's two usernames. With GraphiQL's prefix, the button "Clear data" deletes it all. Usernames have no capital
 * letters, so they cannot clash with the other names. {{inAWeek}}, {{newSeed}} and {{seedHash}} are computed each time;
 * the last one is the hash of {{seed}}, which is kept.
 */
export const startScript = String.raw`'use strict';
(() => {
  const KEPT = 'graphiql:halfmove';
  const EXPIRES_SOON_MS = 10_000;
  const WEEK_MS = 604_800_000;
  const RENEWAL =
    'mutation ($input: RefreshInput!) { refresh(input: $input) { session ' +
    '{ accessToken accessTokenExpiresAt refreshToken user { username } } } }';

  const kept = () => JSON.parse(localStorage.getItem(KEPT) ?? '{}');
  // Usernames are unique, so each browser has its own "ann" and "ben".
  const playersNumber = kept().playersNumber ?? String(Math.random()).slice(2, 8);
  const keep = (more) =>
    localStorage.setItem(KEPT, JSON.stringify({ ...kept(), playersNumber, ...more }));
  keep({});

  const url = new URL('/graphql', location.href);
  const socketUrl = new URL(url);
  socketUrl.protocol = url.protocol.replace('http', 'ws');
  const send = GraphiQL.createFetcher({
    url: url.href,
    subscriptionUrl: socketUrl.href,
    enableIncrementalDelivery: false,
  });

  const rememberSession = (payload) => {
    const { user, ...session } = payload?.session ?? {};
    if (!user?.username || !session.accessToken) return;
    keep({ [user.username]: session, refreshToken: session.refreshToken });
  };

  const remember = (data) => {
    Object.values(data ?? {}).forEach(rememberSession);
    const { challenge } = data?.createChallenge ?? data?.counterChallenge ?? data?.createSeek ?? {};
    const { game } = data?.acceptChallenge ?? data?.offerRematch ?? {};
    const news = {
      gameId: (challenge ?? game)?.id,
      linkToken: challenge?.linkToken,
      rematchId: data?.offerRematch?.challenge?.id,
      vacationId: data?.planVacation?.vacation?.id,
      importId: data?.importGames?.importedGames?.[0]?.id,
      eventId: data?.myEvents?.edges?.[0]?.node.id,
      gameEventId: data?.gameEvents?.edges?.[0]?.node.id,
    };
    keep(Object.fromEntries(Object.entries(news).filter(([, value]) => value)));
  };

  // A refresh token works once, so two windows must not refresh at once. Locks exist only in secure contexts.
  const oneByOne = (work) => (navigator.locks ? navigator.locks.request(KEPT, work) : work());

  const tokenOf = (username) =>
    oneByOne(async () => {
      const session = kept()[username];
      const left = Date.parse(session.accessTokenExpiresAt) - Date.now();
      if (!session.refreshToken || left > EXPIRES_SOON_MS) return session.accessToken;
      const answer = await send({ query: RENEWAL, variables: { input: { refreshToken: session.refreshToken } } }, {});
      if (!answer.data) throw new Error(username + ': ' + answer.errors[0].message + ' (example signIn)');
      remember(answer.data);
      return answer.data.refresh.session.accessToken;
    });

  const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const newSeed = () => hex(crypto.getRandomValues(new Uint8Array(16)));

  const announceSeed = async () => {
    if (!crypto.subtle) throw new Error('This browser cannot compute SHA-256 here. Open the page over https:// or on localhost.');
    const seed = newSeed();
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(seed));
    keep({ seed });
    return hex(hash);
  };

  const valueOf = async (name) => {
    if (name === 'inAWeek') return new Date(Date.now() + WEEK_MS).toISOString();
    if (name === 'newSeed') return newSeed();
    if (name === 'seedHash') return announceSeed();
    const all = kept();
    if (!Object.hasOwn(all, name)) {
      throw new Error('{{' + name + '}} is not known in this browser yet. Run the example that creates it first.');
    }
    return typeof all[name] === 'string' ? all[name] : tokenOf(name);
  };

  const filled = async (given) => {
    let text = JSON.stringify(given ?? {});
    for (const [mark, name] of text.matchAll(/\{\{([\w-]+)\}\}/g)) {
      const value = JSON.stringify(await valueOf(name)).slice(1, -1);
      text = text.replace(mark, () => value);
    }
    return JSON.parse(text);
  };

  const ask = async (request, options) => {
    const variables = await filled(request.variables);
    const headers = await filled(options.headers);
    const answer = await send({ ...request, variables }, { ...options, headers });
    remember(answer.data);
    return answer;
  };

  const fetcher = (request, options) =>
    // The schema needs no token: load it even if a header cannot be filled in yet.
    request.operationName === 'IntrospectionQuery'
      ? send(request, {})
      : // Return errors as a response: of a thrown error GraphiQL would show the stack.
        ask(request, options).catch(({ message }) => ({ errors: [{ message }] }));

  const groups = JSON.parse(
    document.getElementById('examples').textContent.replaceAll(/\b(?:ann|ben)\b/g, (name) => name + playersNumber),
  );

  const h = React.createElement;
  const { UnStyledButton, useEditorContext, useExecutionContext } = GraphiQL.React;

  // In the form in which GraphiQL stores its tabs.
  const tabOf = ({ name, query, variables, headers }) => ({
    id: name,
    hash: name,
    title: name,
    query,
    variables,
    headers,
    operationName: null,
    response: null,
  });

  const Examples = () => {
    const { tabs, moveTab, changeTab } = useEditorContext();
    const { stop } = useExecutionContext();
    const open = (example) => {
      stop();
      const index = tabs.findIndex(({ title }) => title === example.name);
      if (index < 0) moveTab([...tabs, tabOf(example)]);
      changeTab(index < 0 ? tabs.length : index);
    };
    const item = (example) =>
      h(
        'li',
        { key: example.name },
        h(UnStyledButton, { title: example.name, onClick: () => open(example) }, example.title),
      );
    const group = ({ name, examples }, index) =>
      h(
        'details',
        // The first group is open as tabs.
        { key: name, open: index === 1 },
        h('summary', null, name),
        h('ul', null, examples.map(item)),
      );
    return h('section', { 'aria-label': 'Examples', className: 'examples' }, [
      h('h2', { key: '' }, 'Examples'),
      ...groups.map(group),
    ]);
  };
  const ListIcon = () =>
    h('svg', { viewBox: '0 0 20 20', stroke: 'currentColor', strokeWidth: 1.5 }, [
      h('path', { key: '', d: 'M3 5h14M3 10h14M3 15h14' }),
    ]);
  const plugin = { title: 'Examples', icon: ListIcon, content: Examples };

  // Initial widths, under GraphiQL's names, with which the comments of the examples fit a window 1280 px wide.
  for (const [name, flex] of [['docExplorerFlex', '0.24'], ['editorFlex', '1.4']]) {
    if (localStorage.getItem('graphiql:' + name) === null) localStorage.setItem('graphiql:' + name, flex);
  }

  const page = h(
    GraphiQL,
    {
      fetcher,
      defaultTabs: groups[0].examples,
      plugins: [plugin],
      visiblePlugin: plugin,
      defaultEditorToolsVisibility: true,
      // Otherwise tabs would lose their Authorization header on the next visit.
      shouldPersistHeaders: true,
    },
    h(GraphiQL.Logo, null, 'Halfmove'),
  );
  ReactDOM.createRoot(document.getElementById('graphiql')).render(page);
})();
`;
