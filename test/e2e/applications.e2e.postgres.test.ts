import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as oauth from 'oauth4webapi';
import { ApplicationsService } from '../../src/features/applications/applications.service.js';
import { MadeGamesStore } from '../../src/features/applications/made-games.store.js';
import { PlayersStore } from '../../src/features/applications/players.store.js';
import { ALL_SCOPES } from '../../src/platform/contract/scopes.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { openStream } from '../support/event-streams.js';
import { bearer, register } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { sharedServer, startServer, type TestServer } from '../support/server.js';
import { codesOf, newGame, newSite, pairOf, playAs, SITE, type Site, withToken } from '../support/sites.js';
import { openSocket } from '../support/sockets.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { must, send } from '../support/transport.js';

/** Applications: how they are registered, what they may, and how they end. */

// Both databases: sessions of applications are opened and ended by statements that lock them.

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
});
afterAll(() => server.close());

const rest = (): Api => restApi(server.http);
const db = () => server.app.get(PrismaService).db;

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let api: Api;
  let site: Site;
  beforeEach(async () => {
    api = over(server.http);
    site = await newSite(api, server.http);
  });

  it('is registered, changed and listed by its owner', async () => {
    const { id, owner, by } = site;
    must(await api.updateApplication(owner, id, { name: 'Shelbyville', chat: false }));
    const own = must(await api.application(by));
    expect(own).toMatchObject({ id, name: 'Shelbyville', url: 'https://chess.example.org/', chat: false, suspended: false, owners: [{ username: owner.username }], usage: { players: 0, runningGames: 0 } }); // prettier-ignore
    expect(must(await api.myApplications(owner))).toEqual([own]);
    expect(must(await api.myApplications(await register(server.http, 'eve')))).toEqual([]);
  });

  it('reads nothing that is of a person or of another application', async () => {
    const other = await newSite(api, server.http);
    must(await api.savePlayer(other.by, 'theirs', 'Cid'));
    const own = [await api.ownPlayer(site.by, 'theirs'), await api.createPlayerToken(site.by, 'theirs'), await api.erasePlayer(site.by, 'theirs')]; // prettier-ignore
    expect(codesOf(own)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
    const game = await begin(api, site.owner, other.owner);
    expect(must(await api.game(site.by, game.id))).toEqual(must(await api.game(null, game.id)));
    const refused = [await api.myGames(site.by), await api.me(site.by), await api.challenges(site.by, { box: 'incoming' }), await api.createChallenge(site.by, { ruleset: 'chess', timeControl: NO_CLOCK }), await api.resign(site.by, game.id), await api.myApplications(site.by), await api.updateApplication(site.by, site.id, { chat: false })]; // prettier-ignore
    expect(codesOf(refused)).toEqual(Array(7).fill('INSUFFICIENT_SCOPE'));
  });

  it('switches messages off and on in its games', async () => {
    const { players, game } = await pairOf(api, site);
    must(await api.sendMessage(players.first, game.id, 'Good luck!'));
    must(await api.updateApplication(site.owner, site.id, { chat: false }));
    const refused = await api.sendMessage(players.second, game.id, 'You too!');
    expect([refused.refusal?.code, refused.message]).toEqual(['FORBIDDEN', 'Messages are switched off in games of this application.']); // prettier-ignore
    expect(must(await api.messages(players.second, game.id))!.edges).toHaveLength(1);
    expect(must(await api.messagesAllowed(players.second, game.id))).toBe(false);
    must(await api.updateApplication(site.owner, site.id, { chat: true }));
    expect(must(await api.messagesAllowed(players.second, game.id))).toBe(true);
    must(await api.sendMessage(players.second, game.id, 'You too!'));
  });

  it('is managed only where the password was given within ten minutes', async () => {
    const { id, owner } = site;
    const [secret] = must(await api.myApplications(owner))[0]!.secrets;
    time.forward(600_000);
    const refused = [await api.createApplication(owner, SITE), await api.updateApplication(owner, id, { chat: false }), await api.createApplicationSecret(owner, id), await api.deleteApplicationSecret(owner, id, secret!.id), await api.addApplicationOwner(owner, id, owner.username), await api.removeApplicationOwner(owner, id, owner.username), await api.deleteApplication(owner, id)]; // prettier-ignore
    expect(codesOf(refused)).toEqual(Array(7).fill('CONFIRMATION_REQUIRED'));
    must(await api.myGames(owner));
  });

  it('is registered by persons alone, with the password', async () => {
    const guest = bearer(must(await api.createGuest(null)));
    const token = must(await api.createToken(site.owner, { name: 'bot', scopes: [...ALL_SCOPES] }));
    const refused = [await api.createApplication(guest, SITE), await api.createApplication(withToken(token), SITE), await api.createApplication(null, SITE)]; // prettier-ignore
    expect(codesOf(refused)).toEqual(['INSUFFICIENT_SCOPE', 'SESSION_REQUIRED', 'UNAUTHENTICATED']);
    for (const input of [
      { ...SITE, name: ' ' },
      { ...SITE, url: 'javascript:alert(1)' },
      { ...SITE, url: 'x' },
    ])
      expect((await api.createApplication(site.owner, input)).refusal?.code).toBe('BAD_INPUT');
  });

  it('has one or two owners and at most two secrets, and a person so many applications', async () => {
    const { id, owner } = site;
    const [ben, cid] = [await register(server.http, 'ben'), await register(server.http, 'cid')];
    const { user: guest } = must(await api.createGuest(null));
    expect((await api.addApplicationOwner(owner, id, guest.username)).refusal?.code).toBe('FORBIDDEN');
    expect((await api.removeApplicationOwner(owner, id, owner.username)).refusal?.code).toBe('FORBIDDEN');
    must(await api.addApplicationOwner(owner, id, ben.username));
    const third = await api.addApplicationOwner(ben, id, cid.username);
    must(await api.removeApplicationOwner(ben, id, owner.username));
    expect((await api.updateApplication(owner, id, { chat: false })).refusal?.code).toBe('NOT_FOUND');
    const secrets = [await api.createApplicationSecret(ben, id), await api.createApplicationSecret(ben, id)];
    expect(codesOf(secrets)).toEqual([undefined, 'LIMIT_REACHED']);
    const most = server.config.maxApplications;
    const made = await Promise.all(Array.from({ length: most + 2 }, () => api.createApplication(cid, SITE)));
    expect(must(await api.myApplications(cid))).toHaveLength(most);
    expect((await api.addApplicationOwner(ben, id, cid.username)).refusal?.code).toBe('LIMIT_REACHED');
    const full = [third, secrets[1]!, ...made.filter(({ refusal }) => refusal !== undefined)];
    // Waiting makes no room.
    const hints = full.map(({ refusal, retryAfter }) => [refusal?.code, retryAfter]);
    expect(hints).toEqual(Array(4).fill(['LIMIT_REACHED', undefined]));
  });

  it('loses the tokens that a deleted secret may have made', async () => {
    const { id, secret, owner, by } = site;
    const { players } = await pairOf(api, site);
    const second = must(await api.createApplicationSecret(owner, id)).secret;
    const [, first] = must(await api.myApplications(owner))[0]!.secrets;
    must(await api.deleteApplicationSecret(owner, id, first!.id));
    const refused = [await api.application(by), await api.myGames(players.first), await api.createApplicationToken(null, id, secret)]; // prettier-ignore
    expect(codesOf(refused)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED', 'INVALID_CLIENT']);
    const renewed = withToken(must(await api.createApplicationToken(null, id, second)));
    expect(must(await api.application(renewed)).secrets).toHaveLength(1);
  });

  it('gets no token by a secret that is deleted while the request waits', async () => {
    const { id, secret } = site;
    let asked: ReturnType<Api['createApplicationToken']> | undefined;
    await server.app.get(PrismaService).transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM applications WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
      asked = api.createApplicationToken(null, id, secret);
      await pause(300);
      await tx.applicationSecret.deleteMany({ where: { applicationId: id } });
    });
    expect((await asked!).refusal?.code).toBe('INVALID_CLIENT');
  });

  it('lists applications to their owner when the limit was lowered below them', async () => {
    const strict = await startServer({ MAX_APPLICATIONS: '0' });
    const owner = await register(strict.http, 'owner');
    const [id, addedAt] = [randomUUID(), new Date()];
    const owners = { create: { userId: owner.id, addedAt } };
    await strict.app.get(PrismaService).db.application.create({ data: { ...SITE, id, createdAt: addedAt, owners } }); // prettier-ignore
    expect(must(await over(strict.http).myApplications(owner)).map((one) => one.id)).toEqual([id]);
    await strict.close();
  });

  it.each(['suspended', 'deleted'])('is refused with its players while it is %s', async (how) => {
    const { id, secret, owner, by } = site;
    const { players, game } = await pairOf(api, site);
    await playAs(api, { game, players }, ['e2e4', 'e7e5']);
    const socket = await openSocket(server, players.first);
    const stream = await openStream(server.url, 'me/events', players.second);
    const service = server.app.get(ApplicationsService);
    if (how === 'suspended') await service.suspend(id, true);
    else must(await api.deleteApplication(owner, id));
    expect(await socket.closed).toBe(4401);
    expect(await stream.ended).toBe(true);
    const refused = [await api.application(by), await api.createPlayerToken(by, 'ann'), await api.myGames(players.first), await api.makeMove(players.first, game.id, 3, 'g1f3')]; // prettier-ignore
    expect(codesOf(refused)).toEqual(Array(4).fill('UNAUTHENTICATED'));
    expect((await api.createApplicationToken(null, id, secret)).refusal?.code).toBe('INVALID_CLIENT');
    if (how === 'deleted') {
      const { outcome, players: seats } = must(await api.game(null, game.id));
      expect([outcome?.reason, ...seats.map(({ player }) => player.username)]).toEqual(['resignation', 'closed-account', 'closed-account']); // prettier-ignore
      expect(must(await api.myApplications(owner))).toEqual([]);
      return;
    }
    expect(must(await api.myApplications(owner))[0]!.suspended).toBe(true);
    await service.suspend(id, false);
    expect((await api.application(by)).refusal?.code).toBe('UNAUTHENTICATED');
    const renewed = withToken(must(await api.createApplicationToken(null, id, secret)));
    const player = withToken(must(await api.createPlayerToken(renewed, 'ann')));
    must(await api.makeMove(player, game.id, 3, 'g1f3'));
  });

  it('begins no more games once it is suspended', async () => {
    await pairOf(api, site);
    const store = server.app.get(MadeGamesStore);
    const once = store.once.bind(store);
    let begun = 0;
    store.once = async (...args) => {
      begun += 1;
      if (begun === 3) await server.app.get(ApplicationsService).suspend(site.id, true);
      return once(...args);
    };
    const wanted = Array.from({ length: 5 }, (_, i) => newGame(`round-${i}`, 'ann', 'ben'));
    const { refusal } = await api.createGames(site.by, wanted);
    Reflect.deleteProperty(store, 'once');
    expect(refusal?.code).toBe('INVALID_CLIENT');
    expect(await db().game.count({ where: { applicationId: site.id } })).toBe(3);
  });
});

test('gets a token by JSON, by a form and by HTTP Basic, with the right secret alone', async () => {
  const { id, secret } = await newSite(rest(), server.http);
  const ask = async (headers: Record<string, string>, body: unknown) => {
    const { status, body: answer } = await send(server.http, '/oauth/token', {
      method: 'post',
      headers,
      body,
    });
    if (status !== 200) return [status, answer.code];
    expect(answer).toMatchObject({
      token_type: 'Bearer',
      scope: 'application',
      expires_in: expect.any(Number),
    });
    const own = await rest().application(withToken({ token: answer.access_token }));
    return [status, must(own).id];
  };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const grant = { grant_type: 'client_credentials' };
  const encoded = (fields: Record<string, string>) => new URLSearchParams({ ...grant, ...fields }).toString();
  const basic = (given: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${given}`).toString('base64')}`,
  });
  expect(await ask({}, { ...grant, client_id: id, client_secret: secret })).toEqual([200, id]);
  expect(await ask(form, encoded({ client_id: id, client_secret: secret }))).toEqual([200, id]);
  expect(await ask({ ...form, ...basic(secret) }, encoded({}))).toEqual([200, id]);
  expect(await ask(basic(secret), grant)).toEqual([200, id]);
  const other = await newSite(rest(), server.http);
  const refused = [
    await ask({}, { ...grant, client_id: id, client_secret: other.secret }),
    await ask({}, { ...grant, client_id: 'nobody', client_secret: secret }),
    await ask({}, grant),
    await ask({ ...form, ...basic('wrong') }, encoded({ client_id: id, client_secret: secret })),
    await ask({ authorization: 'Basic %' }, grant),
  ];
  expect(refused).toEqual(Array(5).fill([401, 'INVALID_CLIENT']));
  const wrong = [await ask(form, encoded({ grant_type: 'password' })), await ask(form, `${encoded({ client_id: id })}&client_id=${id}`), await ask({ ...form, ...basic(secret) }, encoded({ client_id: other.id }))]; // prettier-ignore
  expect(wrong).toEqual(Array(3).fill([400, 'BAD_INPUT']));
  const elsewhere = await send(server.http, '/v1/users', {
    method: 'post',
    headers: form,
    body: 'username=x',
  });
  expect(elsewhere.status).toBe(415);
});

test('answers a client of OAuth as it expects, with tokens and with errors', async () => {
  const { id, secret } = await newSite(rest(), server.http);
  const at = server.url;
  const as = { issuer: at, token_endpoint: `${at}/oauth/token` };
  const client = { client_id: id };
  const ask = async (auth: oauth.ClientAuth, parameters: Record<string, string> = {}) => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const answer = await oauth.clientCredentialsGrantRequest(as, client, auth, parameters, insecure);
    return oauth.processClientCredentialsResponse(as, client, answer);
  };
  const refused = (...asked: Parameters<typeof ask>) => ask(...asked).catch((error: unknown) => error);
  for (const auth of [oauth.ClientSecretBasic(secret), oauth.ClientSecretPost(secret)]) {
    for (const parameters of [{}, { scope: 'application' }, { scope: '' }, { resource: at }]) {
      const { access_token: token } = await ask(auth, parameters);
      expect(must(await rest().application(withToken({ token }))).id).toBe(id);
    }
    expect(await refused(auth, { scope: 'games:read' })).toMatchObject({
      ...{ status: 400, error: 'invalid_scope' },
      error_description: "scope must be application, or left out; got 'games:read'.",
    });
  }
  expect(await refused(oauth.ClientSecretPost('wrong'))).toMatchObject({
    ...{
      status: 401,
      error: 'invalid_client',
      error_description: expect.stringContaining('unknown or suspended'),
    },
    cause: { code: 'INVALID_CLIENT', requestId: expect.any(String) },
  });
  const challenged = { scheme: 'basic', parameters: { realm: 'Halfmove' } };
  expect(await refused(oauth.ClientSecretBasic('wrong'))).toMatchObject({ cause: [challenged] });

  const form = 'application/x-www-form-urlencoded';
  const post = async (body: string, type = form) => {
    const headers = { 'content-type': type };
    const answer = await send(server.http, '/oauth/token', { method: 'post', headers, body });
    return [answer.status, answer.body.error];
  };
  expect(await post('grant_type=password')).toEqual([400, 'unsupported_grant_type']);
  expect(await post('client_id=x')).toEqual([400, 'invalid_request']);
  expect(await post('grant_type=client_credentials&client_id=a&client_id=b')).toEqual([
    400,
    'invalid_request',
  ]);
  expect(await post('{', 'application/json')).toEqual([400, 'invalid_request']);
  expect(await post('x', 'text/plain')).toEqual([415, 'invalid_request']);
});

test('nobody registers an application where the operator takes none', async () => {
  const closed = await startServer({ MAX_APPLICATIONS: '0' });
  const ann = await register(closed.http, 'ann');
  expect((await restApi(closed.http).createApplication(ann, SITE)).refusal?.code).toBe('LIMIT_REACHED');
  await closed.close();
});

test('an application has no more players and running games than the operator allows, also while others are saved', async () => {
  const strict = await startServer({ MAX_PLAYERS_OF_APPLICATION: '25', MAX_RUNNING_GAMES_OF_APPLICATION: '1' }); // prettier-ignore
  const api = restApi(strict.http);
  const { id, by } = await newSite(api, strict.http);
  const members = (from: number, many: number) =>
    Array.from({ length: many }, (_, i) => ({ externalId: `m${from + i}`, displayName: 'Member' }));
  let asked: ReturnType<Api['savePlayers']> | undefined;
  await strict.app.get(PrismaService).transaction(async (tx) => {
    const wanted = members(0, 20).map((player) => ({ id: randomUUID(), ...player }));
    await strict.app.get(PlayersStore).save(tx, id, wanted, new Date());
    asked = api.savePlayers(by, members(20, 10));
    await pause(300);
  });
  const tooMany = await asked!;
  expect([tooMany.refusal?.code, tooMany.retryAfter]).toEqual(['LIMIT_REACHED', undefined]);
  must(await api.savePlayers(by, members(20, 5)));
  expect(must(await api.application(by)).usage.players).toBe(25);
  must(await api.createGames(by, [newGame('g1', 'm1', 'm2')]));
  const running = await api.createGames(by, [newGame('g2', 'm1', 'm2')]);
  expect([running.refusal?.code, running.retryAfter]).toEqual(['LIMIT_REACHED', 60]);
  await strict.close();
});
