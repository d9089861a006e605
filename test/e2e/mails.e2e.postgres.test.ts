import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { ParsedMail } from 'mailparser';
import request from 'supertest';
import { Quotas } from '../../src/platform/limits/quotas.js';
import { AccessTokens } from '../../src/features/auth/access-tokens.js';
import { Sessions } from '../../src/features/auth/sessions.js';
import { Outbox } from '../../src/features/delivery/outbox.js';
import { EmailsService } from '../../src/features/recovery/emails.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { type MailServer, openMailServer, secretsIn } from '../support/mail.js';
import { bearer, PASSWORD, type Person, register } from '../support/people.js';
import { startServer, type TestServer } from '../support/server.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { type Answer, must, sendGraphql } from '../support/transport.js';

const LOCAL = { address: '127.0.0.1', quotas: new Quotas() };

/** E-mail addresses, recovery and notices, with a mail server. */

// Both databases: mails are taken from a table by several processes.

const NEW_PASSWORD = 'another horse and another battery';
const MINUTE_MS = 60_000;
const INVALID_LINK = { code: 'INVALID_LINK', field: 'token' };

let mailServer: MailServer;
let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  mailServer = await openMailServer();
  server = await startServer({
    SMTP_URL: mailServer.url,
    RECOVERIES_PER_HOUR: '100000',
    CONTACT: 'games@example.org',
    TERMS_URL: 'https://example.org/terms',
    PRIVACY_URL: 'https://example.org/privacy',
  });
  time = stopTime(server.app);
});
afterAll(async () => {
  await server.close();
  await mailServer.close();
});

let ann: Person;
let address: string;
beforeEach(async () => {
  ann = await register(server.http, 'ann');
  address = `Ann-${randomUUID().slice(0, 8)}@example.org`;
});

/** The next mail to an address, sent at once. */
async function next(to: string): Promise<ParsedMail> {
  await server.app.get(Outbox).send();
  return mailServer.next(to);
}

/** A person with a verified address. */
async function reachable(email: string, name = 'ann'): Promise<Person> {
  const api = restApi(server.http);
  const person = await register(server.http, name);
  must(await api.changeEmail(person, email));
  must(await api.verifyEmail(null, secretsIn(await next(email))[0]));
  return person;
}

/** Nothing more came after a mail that was asked for later. */
async function nothingCame(): Promise<void> {
  await server.app.get(Outbox).send();
  expect(mailServer.mails.map(({ to }) => to)).toEqual([]);
}

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let api: Api;
  beforeEach(() => {
    api = over(server.http);
  });
  const login = (password: string) => api.login(null, { username: ann.username, password });

  it('verifies an address by the link that was sent there, once', async () => {
    expect(must(await api.changeEmail(ann, ` ${address} `))).toEqual({ email: null, pendingEmail: address });
    // Without being asked for.
    const mail = await mailServer.next(address);
    expect(mail.subject).toBe('Confirm your e-mail address');
    expect(mail.text).toContain(ann.username);
    const [secret] = secretsIn(mail);
    expect(mail.text).toContain(`\nhttp://localhost:${new URL(server.url).port}/verify-email#${secret}\n`);
    expect((await api.verifyEmail(null, secret)).data).toBe(address);
    expect(must(await api.myAccount(ann))).toEqual({ email: address, pendingEmail: null });
    expect((await api.verifyEmail(null, secret)).refusal).toEqual(INVALID_LINK);
    expect((await api.completeRecovery(null, secret, NEW_PASSWORD)).refusal).toEqual(INVALID_LINK);
  });

  it('recovers an account by its name or address, and ends everything that was open', async () => {
    ann = await reachable(address);
    const { token } = must(await api.createToken(ann, { name: 'my bot', scopes: ['profile:read'] }));
    await next(address);
    for (const asked of [ann.username.toUpperCase(), ` ${address.toLowerCase()}`]) {
      expect((await api.requestRecovery(null, asked)).data).toBe(true);
      const [secret] = secretsIn(await next(address));
      expect((await api.verifyEmail(null, secret)).refusal).toEqual(INVALID_LINK);
      const password = `${NEW_PASSWORD} ${asked.length}`;
      expect(must(await api.completeRecovery(null, secret, password))).toMatchObject({
        username: ann.username,
      });
      expect((await next(address)).subject).toBe('Your password was changed');
      expect((await api.completeRecovery(null, secret, password)).refusal).toEqual(INVALID_LINK);
      expect((await api.me(ann)).refusal).toEqual({ code: 'UNAUTHENTICATED' });
      expect((await api.me({ authorization: `Bearer ${token}` })).refusal).toEqual({
        code: 'UNAUTHENTICATED',
      });
      expect((await api.refresh(null, ann.refreshToken)).refusal).toEqual({ code: 'INVALID_REFRESH_TOKEN' });
      expect((await login(PASSWORD)).refusal).toEqual({ code: 'INVALID_CREDENTIALS' });
      must(await login(password));
    }
  });

  it('answers the same for what it does not know, and sends nothing', async () => {
    for (const asked of [
      ann.username,
      'nobody-of-this-name',
      'nobody@example.org',
      '',
      '!?',
      'x'.repeat(500),
      'a\0b',
    ])
      expect(await api.requestRecovery(null, asked)).toMatchObject({ data: true });
    await nothingCame();
  });

  it('refuses what is not one address', async () => {
    for (const wrong of [
      '',
      'ann',
      'ann@example',
      '@example.org',
      'a@x.org, b@x.org',
      'x@x.org\r\nRCPT TO:<y@y.org>',
      'x@x.org\nBcc: y@y.org',
      '"a b"@x.org',
      'Ann <a@x.org>',
      'a@x.org;b@x.org',
      'a@[127.0.0.1]',
      'a@x.org\0',
      'ä@x.org',
      `${'a'.repeat(65)}@x.org`,
      `a@${'x.'.repeat(126)}org`,
    ])
      // prettier-ignore
      expect((await api.changeEmail(ann, wrong)).refusal).toMatchObject({ code: 'BAD_INPUT', field: 'email' });
    await nothingCame();
  });

  it('needs the password within ten minutes, also from whoever holds a stolen token', async () => {
    time.forward(10 * MINUTE_MS);
    expect((await api.changeEmail(ann, address)).refusal).toEqual({ code: 'CONFIRMATION_REQUIRED' });
    expect((await api.changeEmail(ann, null)).refusal).toEqual({ code: 'CONFIRMATION_REQUIRED' });
    must(await api.confirmPassword(ann, PASSWORD));
    must(await api.changeEmail(ann, address));
    expect((await next(address)).subject).toBe('Confirm your e-mail address');
  });

  it('tells the old address of a new one, and of none', async () => {
    ann = await reachable(address);
    const other = `new-${address}`;
    expect(must(await api.changeEmail(ann, other))).toEqual({ email: address, pendingEmail: other });
    must(await api.verifyEmail(null, secretsIn(await next(other))[0]));
    expect((await next(address)).text).toContain('got another e-mail address');
    expect(must(await api.changeEmail(ann, null))).toEqual({ email: null, pendingEmail: null });
    expect((await next(other)).text).toContain('gave up this e-mail address');
    await nothingCame();
  });

  it('tells of a token and of a new password', async () => {
    ann = await reachable(address);
    must(await api.createToken(ann, { name: '<b>my</b> bot', scopes: ['games:read', 'games:play'] }));
    const told = await next(address);
    expect(told.subject).toBe('A personal token was made');
    expect(told.text).toContain('named “<b>my</b> bot”');
    expect(told.html).toContain('named “&lt;b&gt;my&lt;/b&gt; bot”');
    expect(told.text).toContain('games:read, games:play');
    must(await api.changePassword(ann, PASSWORD, NEW_PASSWORD));
    expect((await next(address)).subject).toBe('Your password was changed');
  });

  it('says how passwords are recovered and who runs the server', async () => {
    expect(must(await api.server(null))).toEqual({
      url: `http://localhost:${new URL(server.url).port}`,
      recovery: 'mail',
      contact: 'games@example.org',
      termsUrl: 'https://example.org/terms',
      privacyUrl: 'https://example.org/privacy',
    });
  });
});

describe('a link does nothing any more', () => {
  const api = () => restApi(server.http);
  const linkFor = async (asked: string, to = address): Promise<string> => {
    must(await api().requestRecovery(null, asked));
    return secretsIn(await next(to))[0]!;
  };
  const isRefused = async (secret: string): Promise<boolean> => {
    const { refusal } = await api().completeRecovery(null, secret, NEW_PASSWORD);
    expect(refusal ?? null).toEqual(refusal === undefined ? null : INVALID_LINK);
    return refusal !== undefined;
  };

  test('after an hour', async () => {
    ann = await reachable(address);
    const secret = await linkFor(ann.username);
    time.forward(60 * MINUTE_MS);
    expect(await isRefused(secret)).toBe(true);
  });

  test('after a change of the password, of the address, or another recovery', async () => {
    ann = await reachable(address);
    const [first, second, third] = [
      await linkFor(ann.username),
      await linkFor(ann.username),
      await linkFor(ann.username),
    ];
    must(await api().changePassword(ann, PASSWORD, `${PASSWORD} 2`));
    expect(await isRefused(first)).toBe(true);
    expect(await isRefused(second)).toBe(true);
    expect(await isRefused(third)).toBe(true);
    await next(address);
    const [older, newer] = [await linkFor(ann.username), await linkFor(ann.username)];
    expect(await isRefused(newer)).toBe(false);
    expect(await isRefused(older)).toBe(true);
    await next(address);
  });

  test('to the old address, after the new one was verified', async () => {
    ann = await reachable(address);
    const secret = await linkFor(ann.username);
    const other = `new-${address}`;
    must(await api().changeEmail(ann, other));
    must(await api().verifyEmail(null, secretsIn(await next(other))[0]));
    await next(address);
    expect(await isRefused(secret)).toBe(true);
  });

  test('to verify an address, after another was named or the password was changed', async () => {
    must(await api().changeEmail(ann, address));
    const [first] = secretsIn(await next(address));
    must(await api().changeEmail(ann, `new-${address}`));
    const [second] = secretsIn(await next(`new-${address}`));
    expect((await api().verifyEmail(null, first)).refusal).toEqual(INVALID_LINK);
    must(await api().changeEmail(ann, address));
    await next(address);
    expect((await api().verifyEmail(null, first)).refusal).toEqual(INVALID_LINK);
    must(await api().changePassword(ann, PASSWORD, NEW_PASSWORD));
    expect((await api().verifyEmail(null, second)).refusal).toEqual(INVALID_LINK);
    expect(must(await api().myAccount(ann))).toEqual({ email: null, pendingEmail: null });
  });

  test('of a closed account, of which no address is left', async () => {
    ann = await reachable(address);
    const secret = await linkFor(ann.username);
    must(await api().closeAccount(ann, PASSWORD));
    expect(await isRefused(secret)).toBe(true);
    const { db } = server.app.get(PrismaService);
    const where = { userId: ann.id };
    const left = [
      await db.accountLink.count({ where }),
      await db.mail.count({ where }),
      await db.knownDevice.count({ where }),
    ];
    expect(left).toEqual([0, 0, 0]);
    expect(await db.user.findUnique({ where: { id: ann.id } })).toMatchObject({
      email: null,
      pendingEmail: null,
    });
  });

  test('when two requests use it at once, for one of them', async () => {
    ann = await reachable(address);
    const secret = await linkFor(ann.username);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => api().completeRecovery(null, secret, `${NEW_PASSWORD} ${i}`)),
    );
    expect(answers.filter(({ refusal }) => refusal === undefined)).toHaveLength(1);
    await next(address);
  });

  test('a weak password leaves it as it is', async () => {
    ann = await reachable(address);
    const secret = await linkFor(ann.username);
    expect((await api().completeRecovery(null, secret, ann.username)).refusal!.code).toBe(
      'PASSWORD_TOO_COMMON',
    );
    expect(await isRefused(secret)).toBe(false);
    await next(address);
  });
});

test('no header of a request decides where a link leads', async () => {
  ann = await reachable(address);
  const evil = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
  const body = JSON.stringify({ usernameOrEmail: ann.username });
  const status = await new Promise<number | undefined>((done, fail) => {
    const sent = httpRequest(
      `${server.url}/v1/recoveries`,
      { method: 'POST', headers: { ...evil, 'content-type': 'application/json' } },
      (answer) => {
        answer.resume();
        done(answer.statusCode);
      },
    );
    sent.on('error', fail).end(body);
  });
  expect(status).toBe(202);
  const mail = await next(address);
  expect(`${mail.text} ${String(mail.html)}`).not.toContain('evil');
  expect(mail.text).toContain(`http://localhost:${new URL(server.url).port}/recover#`);
});

test('one address may serve five accounts, and recovers each of them', async () => {
  const people: Person[] = [];
  for (let i = 0; i < 5; i += 1) people.push(await reachable(address, `kid${i}`));
  must(await restApi(server.http).requestRecovery(null, address));
  const mail = await next(address);
  expect(secretsIn(mail)).toHaveLength(5);
  for (const { username } of people) expect(mail.text).toContain(`New password for ${username}:`);
  const [secret] = secretsIn(mail);
  const user = must(await restApi(server.http).completeRecovery(null, secret, NEW_PASSWORD));
  expect(user.username).toBe(people.map(({ username }) => username).sort()[0]);
  await next(address);
  must(await restApi(server.http).changeEmail(ann, address));
  const sixth = await restApi(server.http).verifyEmail(null, secretsIn(await next(address))[0]);
  expect(sixth.refusal).toEqual({ code: 'LIMIT_REACHED' });
});

test('a sign-in from another device or network is told, and from a known one is not', async () => {
  ann = await reachable(address);
  const signIn = (agent: string) =>
    request(server.http)
      .post('/v1/sessions')
      .set('user-agent', agent)
      .send({ username: ann.username, password: PASSWORD })
      .expect(201);
  await signIn('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0');
  const told = await next(address);
  expect(told.subject).toBe('A sign-in from a new device');
  expect(told.text).toContain('Firefox on Linux');
  await signIn('Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0');
  await nothingCame();
});

test('an account gets at most five links an hour, and nobody is told', async () => {
  ann = await reachable(address);
  for (let i = 0; i < 7; i += 1) {
    expect((await restApi(server.http).requestRecovery(null, ann.username)).data).toBe(true);
    if (i < 5) await next(address);
  }
  await nothingCame();
  for (let i = 0; i < 4; i += 1) {
    must(await restApi(server.http).changeEmail(ann, address));
    await next(address);
  }
  expect((await restApi(server.http).changeEmail(ann, address)).refusal).toEqual({ code: 'RATE_LIMITED' });
});

describe('when the mail server', () => {
  test('refuses for a while, the mail comes later', async () => {
    mailServer.refuse(451);
    must(await restApi(server.http).changeEmail(ann, address));
    await server.app.get(Outbox).send();
    await nothingCame();
    // More often than an account gets links: a mail that is tried again counts once.
    for (let i = 0; i < 6; i += 1) {
      time.forward(61 * MINUTE_MS);
      await server.app.get(Outbox).send();
    }
    mailServer.refuse(null);
    await nothingCame();
    time.forward(61 * MINUTE_MS);
    await server.app.get(Outbox).send();
    expect((await next(address)).subject).toBe('Confirm your e-mail address');
  });

  test('refuses for good, the mail is given up', async () => {
    mailServer.refuse(550);
    must(await restApi(server.http).changeEmail(ann, address));
    for (let i = 0; i < 50; i += 1) {
      await server.app.get(Outbox).send();
      if ((await server.app.get(PrismaService).db.mail.count({ where: { userId: ann.id } })) === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await server.app.get(PrismaService).db.mail.count({ where: { userId: ann.id } })).toBe(0);
    mailServer.refuse(null);
    await nothingCame();
  });
});

describe('whoever has a token of the account', () => {
  test('names no address any more in a document whose session ends on its way', async () => {
    const query = `mutation { a: endSessions(input: { all: true }) { ended }
      b: updateProfile(input: { displayName: "After the end" }) { user { id } }
      c: changeEmail(input: { email: "${address}" }) { account { email } } }`;
    const { data, errors } = (await sendGraphql(server.http, query, {}, ann)).body as { data: object; errors: { extensions: { code: string } }[] }; // prettier-ignore
    expect(data).toEqual({ a: { ended: 1 }, b: null, c: null });
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
    await nothingCame();
  });

  test('names none after another process has ended the session, of which this one has not heard', async () => {
    const viewer = await server.app.get(AccessTokens).verify(ann.authorization.split(' ')[1]!);
    await server.app
      .get(PrismaService)
      .db.session.updateMany({ where: { userId: ann.id }, data: { revokedAt: time.now() } });
    const emails = server.app.get(EmailsService);
    for (const email of [address, null])
      await expect(emails.change(viewer, email, LOCAL)).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
      });
    expect(await emails.of(viewer)).toEqual({ email: null, pendingEmail: null });
  });

  test('names none when the session ends between the check and the change', async () => {
    const viewer = await server.app.get(AccessTokens).verify(ann.authorization.split(' ')[1]!);
    const sessions = server.app.get(Sessions);
    const check = sessions.assertConfirmed.bind(sessions);
    sessions.assertConfirmed = async (asked) => {
      await check(asked);
      await server.app
        .get(PrismaService)
        .db.session.updateMany({ where: { userId: ann.id }, data: { revokedAt: time.now() } });
    };
    const emails = server.app.get(EmailsService);
    await expect(emails.change(viewer, address, LOCAL)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    Reflect.deleteProperty(sessions, 'assertConfirmed');
    expect(await emails.of(viewer)).toEqual({ email: null, pendingEmail: null });
  });

  test.each<[string, (thief: Person, owner: Person & { sessionId: string }) => Promise<Answer<number>>]>([
    ['all sessions are ended', (_, owner) => restApi(server.http).endSessions(owner, true)],
    ['all others are ended', (_, owner) => restApi(server.http).endSessions(owner, false)],
    [
      'the session that named it is ended',
      (_, owner) => restApi(server.http).endSession(owner, owner.sessionId),
    ],
    ['it signs out', (thief) => restApi(server.http).logout(thief)],
  ])('verifies none after %s', async (_, end) => {
    const owner = must(
      await restApi(server.http).login(null, { username: ann.username, password: PASSWORD }),
    );
    const { id: sessionId } = must(await restApi(server.http).mySessions(ann)).find(
      ({ isCurrent }) => isCurrent,
    )!;
    must(await restApi(server.http).changeEmail(ann, address));
    const [secret] = secretsIn(await next(address));
    expect((await end(ann, { ...ann, ...bearer(owner), sessionId })).refusal).toBeUndefined();
    expect((await restApi(server.http).verifyEmail(null, secret)).refusal).toEqual(INVALID_LINK);
  });

  test('writes no paragraphs into the notices, and does not bury them', async () => {
    ann = await reachable(address);
    for (let i = 0; i < 12; i += 1)
      must(await restApi(server.http).createToken(ann, { name: 'a\n\nb', scopes: ['games:read'] }));
    for (let i = 0; i < 10; i += 1) expect((await next(address)).text).toContain('named “a b”');
    await nothingCame();
    must(await restApi(server.http).changePassword(ann, PASSWORD, NEW_PASSWORD));
    expect((await next(address)).subject).toBe('Your password was changed');
  });
});

test('accounts whose addresses differ in capitals get their own mails', async () => {
  const [lower, upper] = [address.toLowerCase(), address.toUpperCase().replace('EXAMPLE.ORG', 'example.org')];
  const [one, other] = [await reachable(lower, 'zoe'), await reachable(upper, 'abe')];
  must(await restApi(server.http).requestRecovery(null, lower));
  for (const [to, { username }] of [
    [lower, one],
    [upper, other],
  ] as const) {
    const mail = await next(to);
    expect(secretsIn(mail)).toHaveLength(1);
    expect(mail.text).toContain(`New password for ${username}:`);
  }
  await nothingCame();
});

test('a stranger who names an address keeps nobody from verifying it', async () => {
  const eve = await register(server.http, 'eve');
  for (let i = 0; i < 5; i += 1) {
    must(await restApi(server.http).changeEmail(eve, address));
    await next(address);
  }
  must(await restApi(server.http).changeEmail(ann, address));
  const mail = await next(address);
  expect(mail.text).toContain(ann.username);
  expect((await restApi(server.http).verifyEmail(null, secretsIn(mail)[0])).data).toBe(address);
});

test('whose mailbox strangers have filled is told so', async () => {
  for (let n = 0; n < 6; n += 1) {
    const eve = await register(server.http, 'eve');
    for (let i = 0; i < 5; i += 1) must(await restApi(server.http).changeEmail(eve, address));
  }
  const { refusal, message, retryAfter } = await restApi(server.http).changeEmail(ann, address);
  expect(refusal).toEqual({ code: 'RATE_LIMITED' });
  expect(message).toMatch(/^Too many mails with links to this e-mail address\./);
  expect(retryAfter).toBeGreaterThan(80_000);
  expect(must(await restApi(server.http).myAccount(ann))).toEqual({ email: null, pendingEmail: null });
});

test('no secret of a link is stored', async () => {
  ann = await reachable(address);
  must(await restApi(server.http).requestRecovery(null, ann.username));
  const [secret] = secretsIn(await next(address));
  const { db } = server.app.get(PrismaService);
  const stored = JSON.stringify([await db.accountLink.findMany(), await db.mail.findMany(), await db.rateCount.findMany().then((rows) => rows.map(({ key }) => key))]); // prettier-ignore
  expect(stored).not.toContain(secret);
  expect(JSON.stringify(await db.rateCount.findMany({ select: { key: true } }))).not.toContain(ann.username);
});
