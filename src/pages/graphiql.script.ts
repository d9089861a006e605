/**
 * What runs in the browser beside GraphiQL: it fills in what stands in {{ }} in variables and headers, from what it
 * has seen in answers. A text, because tsc knows no browser here; test/e2e/pages.e2e.test.ts runs it.
 *
 * Kept in localStorage, where a second window finds it too, under GraphiQL's prefix, so that its button "Clear data"
 * forgets it: a session for each username, gameId, linkToken, rematchId and vacationId. No username has a capital
 * letter. {{inAWeek}} is reckoned anew each time.
 */
export const startScript = String.raw`'use strict';
(() => {
  const KEPT = 'graphiql:halfmove';
  const EXPIRES_SOON_MS = 10_000;
  const WEEK_MS = 604_800_000;
  const RENEWAL =
    'mutation ($token: String!) { refresh(refreshToken: $token) ' +
    '{ accessToken accessTokenExpiresAt refreshToken user { username } } }';

  const kept = () => JSON.parse(localStorage.getItem(KEPT) ?? '{}');
  const keep = (more) => localStorage.setItem(KEPT, JSON.stringify({ ...kept(), ...more }));

  const url = new URL('/graphql', location.href);
  const socketUrl = new URL(url);
  socketUrl.protocol = url.protocol.replace('http', 'ws');
  const send = GraphiQL.createFetcher({
    url: url.href,
    subscriptionUrl: socketUrl.href,
    enableIncrementalDelivery: false,
  });

  const remember = (data) => {
    const { user, ...session } = data?.register ?? data?.login ?? data?.refresh ?? {};
    if (user?.username && session.accessToken) keep({ [user.username]: session });
    const rematch = data?.offerRematch;
    const taken = rematch?.status === 'accepted' ? rematch : null;
    const { id, linkToken } = data?.createChallenge ?? data?.acceptChallenge ?? taken ?? {};
    if (id) keep({ gameId: id });
    if (data?.createSeek?.gameId) keep({ gameId: data.createSeek.gameId });
    if (linkToken) keep({ linkToken });
    if (rematch?.id) keep({ rematchId: rematch.id });
    if (data?.planVacation?.id) keep({ vacationId: data.planVacation.id });
  };

  // A refresh token works once, so two windows must not renew at once. Browsers have locks on safe origins only.
  const oneByOne = (work) => (navigator.locks ? navigator.locks.request(KEPT, work) : work());

  const tokenOf = (username) =>
    oneByOne(async () => {
      const session = kept()[username];
      const left = Date.parse(session.accessTokenExpiresAt) - Date.now();
      if (!session.refreshToken || left > EXPIRES_SOON_MS) return session.accessToken;
      const answer = await send({ query: RENEWAL, variables: { token: session.refreshToken } }, {});
      if (!answer.data) throw new Error(username + ': ' + answer.errors[0].message + ' (tab signIn)');
      remember(answer.data);
      return answer.data.refresh.accessToken;
    });

  const valueOf = async (name) => {
    if (name === 'inAWeek') return new Date(Date.now() + WEEK_MS).toISOString();
    const all = kept();
    if (!Object.hasOwn(all, name)) {
      throw new Error('{{' + name + '}} is not known in this browser yet: run the tab that makes it first.');
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
    // The schema is for everybody: a header that cannot be filled yet must not stand in its way.
    request.operationName === 'IntrospectionQuery'
      ? send(request, {})
      : // As an answer: of an error that is thrown GraphiQL shows the stack.
        ask(request, options).catch(({ message }) => ({ errors: [{ message }] }));

  const page = React.createElement(
    GraphiQL,
    {
      fetcher,
      defaultTabs: JSON.parse(document.getElementById('tabs').textContent),
      defaultEditorToolsVisibility: true,
      // Or a tab would have lost its user at the next visit.
      shouldPersistHeaders: true,
    },
    React.createElement(GraphiQL.Logo, null, 'Halfmove'),
  );
  ReactDOM.createRoot(document.getElementById('graphiql')).render(page);
})();
`;
