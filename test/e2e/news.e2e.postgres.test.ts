import type { ParsedMail } from 'mailparser';
import { Outbox } from '../../src/features/delivery/outbox.js';
import { NewsLog } from '../../src/features/news/news-log.js';
import { NewsStore } from '../../src/features/news/news.store.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { DAY_MS } from '../../src/platform/process/time.js';
import { graphqlApi, restApi, TRANSPORTS } from '../support/api.js';
import { freshPlace, type Place } from '../support/databases.js';
import { type MailServer, openMailServer, secretsIn } from '../support/mail.js';
import { type Person, register, renewed } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { onServer } from '../support/scale.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { type Body, must } from '../support/transport.js';

/** What users are told by mail, from the log of events to a mail server. */

// Both databases: the log is walked by one of several processes, and what is due is posted by one.

const HOUR_MS = 3_600_000;
const THREE_DAYS = { type: 'perMove', seconds: 3 * 86_400 };
const AT_ONCE = { yourTurn: 'atOnce', offer: 'atOnce', message: 'atOnce', gameOver: 'atOnce' };

let mailServer: MailServer;
let place: Place;
let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  mailServer = await openMailServer();
  place = await freshPlace();
  server = await startServer({ ...SHARED_SETTINGS, SMTP_URL: mailServer.url }, place);
  time = stopTime(server.app);
});
afterAll(async () => {
  await server.close();
  await place.remove();
  await mailServer.close();
});

const api = () => restApi(server.http);

/** A person with a verified address. */
async function reachable(name: string, mail: Body = {}): Promise<Person & { readonly email: string }> {
  const person = await register(server.http, name);
  const email = `${person.username}@example.org`;
  must(await api().changeEmail(person, email));
  await server.app.get(Outbox).send();
  must(await api().verifyEmail(null, secretsIn(await mailServer.next(email))[0]));
  if (Object.keys(mail).length > 0) must(await api().updateNewsSettings(person, { mail }));
  return { ...person, email };
}

/** The log is walked to its end, what is due is posted and sent. */
async function told(by: TestServer = server): Promise<void> {
  const { db } = by.app.get(PrismaService);
  for (let left = true; left;) {
    await by.app.get(NewsLog).work();
    const [row] = await db.$queryRaw<[{ left: boolean }]>`
      SELECT EXISTS (SELECT FROM events e, log_readers r WHERE r.name = 'news' AND (e.tide, e.id) > (r.tide, r.id))
        OR EXISTS (SELECT FROM news_items WHERE due_at <= ${time.now()}::timestamptz) AS left`;
    left = row.left;
  }
  await by.app.get(Outbox).send();
}

/** Walks the log, lets time pass, and sends what is due then. */
async function after(milliseconds: number): Promise<void> {
  await told();
  time.forward(milliseconds);
  await told();
}

const mailsTo = ({ email }: { readonly email: string }): readonly ParsedMail[] =>
  mailServer.mails.filter(({ to }) => to.includes(email)).map(({ mail }) => mail);

const nothing = async (to: { readonly email: string }): Promise<void> => {
  await told();
  expect(mailsTo(to).map(({ subject }) => subject)).toEqual([]);
};

/** Until an hour of the day, UTC. */
const until = (hour: number): number => {
  const now = time.now();
  const day = new Date(now).setUTCHours(hour, 0, 0, 0);
  return (day > now.getTime() ? day : day + DAY_MS) - now.getTime();
};

describe('a turn', () => {
  it('is told within a minute, with the board inline and in words', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', AT_ONCE)];
    const game = await begin(api(), ann, ben, { timeControl: THREE_DAYS });
    await playMoves(api(), game, ['e2e4'], { first: ann, second: ben });
    await nothing(ben);
    await after(61_000);
    const mail = await mailServer.next(ben.email);
    expect(mail.subject).toBe('Your turn');
    expect(mail.text).toContain(
      `It is your turn in your game against ${ann.username} (Chess). You have until `,
    );
    expect(mail.text).toContain('White: king e1, queen d1,');
    expect(mail.text).toContain('Black to move. Marked move: e2e4.');
    expect(mail.text).toContain(`:\nhttp://localhost:${new URL(server.url).port}/games/${game.id}\n`);
    const [board] = mail.attachments;
    expect(board).toMatchObject({ contentType: 'image/png', contentDisposition: 'inline', related: true });
    expect(board!.content.subarray(1, 4).toString()).toBe('PNG');
    // The parser has put the picture in the place of its cid.
    expect(String(mail.html)).toContain('<img src="data:image/png;base64,');
    expect(String(mail.html)).toMatch(/<img [^>]*alt="White: king e1, /);
    expect(String(mail.html)).not.toMatch(/<img [^>]*src="(?!data:)/);
    await after(DAY_MS / 24);
    await nothing(ben);
  });

  it('is told with what is due in the minute after it, in one mail', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', AT_ONCE)];
    const games = [await begin(api(), ann, ben), await begin(api(), ann, ben)];
    await playMoves(api(), games[0]!, ['e2e4'], { first: ann, second: ben });
    await after(30_000);
    await playMoves(api(), games[1]!, ['d2d4'], { first: ann, second: ben });
    await after(31_000);
    const { text } = await mailServer.next(ben.email);
    for (const { id } of games) expect(text).toContain(`/games/${id}\n`);
    await after(61_000);
    await nothing(ben);
  });

  it('of more games than a mail has room for is told in several mails', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', { yourTurn: 'daily' })];
    const games: string[] = [];
    for (let i = 0; i < 60; i += 1) {
      const game = await begin(api(), ann, ben);
      await playMoves(api(), game, ['e2e4'], { first: ann, second: ben });
      games.push(game.id);
    }
    await after(DAY_MS);
    const mails = [await mailServer.next(ben.email), await mailServer.next(ben.email)];
    const text = mails.map((mail) => mail.text).join('\n');
    expect(games.filter((id) => !text.includes(`/games/${id}\n`))).toEqual([]);
    await nothing(ben);
  });

  it('is told to neither a player who has moved nor one whose conditional move has answered', async () => {
    const [ann, ben] = [await reachable('ann', AT_ONCE), await reachable('ben', AT_ONCE)];
    const moved = await begin(api(), ann, ben);
    await playMoves(api(), moved, ['e2e4'], { first: ann, second: ben });
    await told();
    await playMoves(api(), { ...moved, plyCount: 1, turn: 'second' }, ['e7e5'], { first: ann, second: ben });
    await playMoves(api(), { ...moved, plyCount: 2, turn: 'first' }, ['d2d4'], { first: ann, second: ben });
    must(await api().resign(ben, moved.id));
    const planned = await begin(api(), ann, ben);
    must(await api().setConditionalMoves(ben, planned.id, [{ when: 'e2e4', reply: 'e7e5' }]));
    expect(must(await api().makeMove(ann, planned.id, 1, 'e2e4')).plyCount).toBe(2);
    await after(61_000);
    await nothing(ben);
    const mail = await mailServer.next(ann.email);
    expect(mail.subject).toBe('News of your games');
    expect(mail.text).toContain(`against ${ben.username} (Chess) is over: you won (resignation).`);
    expect(mail.text!.match(/It is your turn/g)).toHaveLength(1);
    await nothing(ann);
  });

  it('stands in the digest of the day at the hour that was chosen, with all others', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben')];
    must(await api().updateNewsSettings(ben, { digestHour: 7, timeZone: 'Asia/Tokyo' }));
    time.forward(until(23));
    const games = [await begin(api(), ann, ben), await begin(api(), ann, ben)];
    const again = await renewed(server.http, ann);
    for (const game of games) await playMoves(api(), game, ['e2e4'], { first: again, second: ben });
    await after(22 * HOUR_MS + 58 * 60_000);
    // The challenges were answered meanwhile.
    await nothing(ben);
    await after(3 * 60_000);
    const mail = await mailServer.next(ben.email);
    expect(mail.subject).toBe('Your turn in 2 games');
    for (const { id } of games) expect(mail.text).toContain(`/games/${id}\n`);
    expect(mail.attachments).toHaveLength(2);
    await after(DAY_MS);
    await nothing(ben);
  });

  it('waits for the end of the quiet hours', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', AT_ONCE)];
    time.forward(until(22));
    const [first, second] = [await renewed(server.http, ann), await renewed(server.http, ben)];
    must(await api().updateNewsSettings(second, { quietFrom: 22, quietUntil: 6 }));
    const game = await begin(api(), first, second);
    await playMoves(api(), game, ['e2e4'], { first, second });
    await after(7 * HOUR_MS + 59 * 60_000);
    await nothing(ben);
    await after(2 * 60_000);
    expect((await mailServer.next(ben.email)).subject).toBe('Your turn');
  });

  it('that waits for a digest is told as soon as the user wants it at once', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben')];
    const game = await begin(api(), ann, ben);
    await playMoves(api(), game, ['e2e4'], { first: ann, second: ben });
    await after(61_000);
    await nothing(ben);
    must(await api().updateNewsSettings(ben, { mail: { yourTurn: 'atOnce' } }));
    await after(61_000);
    expect((await mailServer.next(ben.email)).subject).toBe('Your turn');
  });
});

describe('reminders', () => {
  const quiet = { yourTurn: 'never', challenge: 'never' };
  const startGame = async (ann: Person, ben: Person, timeControl: Body = THREE_DAYS) => {
    const game = await begin(api(), ann, ben, { timeControl });
    await playMoves(api(), game, ['e2e4'], { first: ann, second: ben });
    await told();
    return game;
  };

  it('come 24 and 4 hours before the deadline, once each, and none after the move', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', quiet)];
    const game = await startGame(ann, ben);
    await after(48 * HOUR_MS - 60_000);
    await nothing(ben);
    await after(2 * 60_000);
    const mail = await mailServer.next(ben.email);
    expect(mail.subject).toBe('Your time is running out');
    expect(mail.text).toContain(`Your time in your game against ${ann.username} (Chess) runs out on `);
    await after(19 * HOUR_MS);
    await nothing(ben);
    await after(HOUR_MS);
    expect((await mailServer.next(ben.email)).subject).toBe('Your time is running out');
    const [first, second] = [await renewed(server.http, ann), await renewed(server.http, ben)];
    await playMoves(api(), { ...game, plyCount: 1, turn: 'second' }, ['e7e5', 'd2d4', 'd7d5'], {
      first,
      second,
    });
    await after(3 * DAY_MS - 60_000);
    await nothing(ben);
  });

  it('move with the deadline, and come later if it does', async () => {
    const [ann, ben] = [
      await register(server.http, 'ann'),
      await reachable('ben', { ...quiet, offer: 'never' }),
    ];
    const game = await startGame(ann, ben);
    must(await api().giveTime(ann, game.id, 2));
    await after(48 * HOUR_MS + 60_000);
    await nothing(ben);
    await after(3 * DAY_MS);
    await mailServer.next(ben.email);
    await after(20 * HOUR_MS);
    await mailServer.next(ben.email);
  });

  it('come in the second half of a short turn', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', quiet)];
    await startGame(ann, ben, { type: 'perMove', seconds: 7200 });
    await after(59 * 60_000);
    await nothing(ben);
    await after(2 * 60_000);
    await mailServer.next(ben.email);
    await after(45 * 60_000);
    await nothing(ben);
    await after(5 * 60_000);
    await mailServer.next(ben.email);
    await after(9 * 60_000);
    await nothing(ben);
  });
});

describe.each(TRANSPORTS)('the settings over %s', (_, over) => {
  it('are the defaults until they are changed, each alone', async () => {
    const ann = await register(server.http, 'ann');
    const mail = {
      ...{ yourTurn: 'daily', reminder: 'atOnce', challenge: 'atOnce', offer: 'daily', message: 'daily' },
      ...{ gameOver: 'daily', conditional: 'never' },
    };
    const push = Object.fromEntries(Object.keys(mail).map((kind) => [kind, 'atOnce']));
    const settings = {
      ...{ push: { ...push, conditional: 'never' }, pushSubscriptions: [] },
      pushKey: expect.stringMatching(/^B[\w-]{86}$/) as string,
      ...{ mail, mailState: 'noAddress', digestHour: 8, quietFrom: null, quietUntil: null, timeZone: 'UTC' },
      reminders: [86_400, 14_400],
    };
    const spoken = over(server.http);
    expect(must(await spoken.newsSettings(ann))).toEqual(settings);
    const change = { quietFrom: 22, quietUntil: 7, timeZone: 'Europe/Berlin', reminders: [600, 3600, 600] };
    const changed = { ...settings, ...change, reminders: [3600, 600] };
    expect(must(await spoken.updateNewsSettings(ann, change))).toEqual(changed);
    const never = must(await spoken.updateNewsSettings(ann, { mail: { yourTurn: 'never' }, digestHour: 0 }));
    expect(never).toEqual({ ...changed, mail: { ...mail, yourTurn: 'never' }, digestHour: 0 });
    expect(must(await spoken.newsSettings(ann))).toEqual(never);
  });

  it.each([
    [{ mail: { reminder: 'daily' } }, 'mail'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ quietFrom: 22 }, 'quietUntil'],
    [{ quietFrom: 7, quietUntil: 7 }, 'quietUntil'],
    [{ reminders: [1, 2, 3, 4, 5, 6].map((hours) => hours * 3600) }, 'reminders'],
    [{ reminders: [60] }, 'reminders'],
    [{ digestHour: 24 }, 'digestHour'],
  ])('refuse %j', async (input, field) => {
    const ann = await register(server.http, 'ann');
    const { refusal } = await over(server.http).updateNewsSettings(ann, input);
    expect(refusal).toMatchObject({ code: 'BAD_INPUT', field });
  });
});

describe('a mail', () => {
  const unsubscribeOf = (mail: ParsedMail) => {
    const line = mail.headerLines.find(({ key }) => key === 'list-unsubscribe')!.line;
    return /<([^>]+)>/.exec(line.replaceAll(/\s/g, ''))![1]!.replace('localhost', '127.0.0.1');
  };
  const turnMail = async (ann: Person, ben: Person & { email: string }) => {
    const game = await begin(api(), ann, ben);
    await playMoves(api(), game, ['e2e4'], { first: ann, second: ben });
    await after(61_000);
    return mailServer.next(ben.email);
  };

  it('says how to end its kind by one request, which a look does not do', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', AT_ONCE)];
    const mail = await turnMail(ann, ben);
    expect(mail.headerLines.find(({ key }) => key === 'list-unsubscribe-post')!.line).toBe(
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    );
    const url = unsubscribeOf(mail);
    expect(mail.text!.replaceAll('localhost', '127.0.0.1')).toContain(
      `No more mail about your turns:\n${url}\n`,
    );
    const looked = await fetch(url);
    expect([looked.status, looked.headers.get('content-security-policy')]).toEqual([200, expect.stringContaining("form-action 'self'")]); // prettier-ignore
    expect(await looked.text()).toContain('No more mail about your turns');
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    expect(must(await api().newsSettings(ben)).mail['yourTurn']).toBe('atOnce');
    const wrong = await fetch(
      url.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
      { method: 'POST' },
    );
    expect(wrong.status).toBe(404);
    expect(must(await api().newsSettings(ben)).mail['yourTurn']).toBe('atOnce');
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    const done = await fetch(url, { method: 'POST', body });
    expect(done.status).toBe(200);
    expect(must(await api().newsSettings(ben)).mail).toMatchObject({ yourTurn: 'never', reminder: 'atOnce' });
    const next = await begin(api(), ann, ben);
    await playMoves(api(), next, ['e2e4'], { first: ann, second: ben });
    await after(61_000);
    await nothing(ben);
    const multipart = new FormData();
    multipart.set('List-Unsubscribe', 'One-Click');
    expect((await fetch(url, { method: 'POST', body: multipart })).status).toBe(200);
    must(await api().closeAccount(ben, 'correct horse battery'));
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
  });

  it('of several kinds ends them all', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', AT_ONCE)];
    const game = await begin(api(), ann, ben);
    must(await api().sendMessage(ann, game.id, 'Hello', 'key'));
    const mail = await turnMail(ann, ben);
    expect(mail.subject).toBe('News of your games');
    await fetch(unsubscribeOf(mail), { method: 'POST', body: 'List-Unsubscribe=One-Click', headers: { 'content-type': 'application/x-www-form-urlencoded' } }); // prettier-ignore
    expect(must(await api().newsSettings(ben)).mail).toMatchObject({ yourTurn: 'never', message: 'never', offer: 'atOnce' }); // prettier-ignore
  });

  it('carries nothing that a player wrote', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', AT_ONCE)];
    must(await api().updateProfile(ann, { displayName: '<b>evil.example</b> @x' }));
    const game = await begin(api(), ann, ben);
    await playMoves(api(), game, ['e2e4', 'e7e5'], { first: ann, second: ben });
    must(
      await api().sendMessage(ann, game.id, 'Go to https://evil.example\r\nBcc: evil@evil.example', 'key'),
    );
    must(await api().setNote(ben, game.id, 'evil plan'));
    must(await api().plain(ann, 'offerDraw', game.id));
    await after(61_000);
    const mail = await mailServer.next(ben.email);
    expect(mail.text).toContain(`${ann.username} has written to you`);
    expect(mail.text).toContain('A draw is offered to you');
    const raw = `${mail.headerLines.map(({ line }) => line).join('\n')}\n${mail.text}\n${String(mail.html)}`;
    expect(raw).not.toMatch(/evil|<b>/);
  });

  it('shows no face-down piece', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', AT_ONCE)];
    const game = await begin(api(), ann, ben, { ruleset: 'banqi-taiwan' });
    await playMoves(api(), game, ['a1'], { first: ann, second: ben });
    await after(61_000);
    const mail = await mailServer.next(ben.email);
    const words = /\n\n([^\n]*FEN: [^\n]*)\n/.exec(mail.text!)![1]!;
    expect(words.match(/Face-down: ([^.]*)\./)![1]!.split(', ')).toHaveLength(31);
    const faceUp = words.slice(0, words.indexOf('Face-down'));
    expect(faceUp.match(/[a-d][1-8]/g)).toHaveLength(1);
  });

  it('goes nowhere before the address is verified, or from the default of a guest', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
    must(await api().updateNewsSettings(ben, { mail: AT_ONCE }));
    const game = await begin(api(), ann, ben);
    await playMoves(api(), game, ['e2e4'], { first: ann, second: ben });
    const { db } = server.app.get(PrismaService);
    await told();
    expect(await db.newsItem.count({ where: { userId: ben.id } })).toBe(0);
  });
});

describe('a mailbox that does not exist', () => {
  it('gets no more news, until the user asks for it or verifies the address again', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', AT_ONCE)];
    const game = await begin(api(), ann, ben);
    await playMoves(api(), game, ['e2e4'], { first: ann, second: ben });
    mailServer.refuse(550);
    await after(61_000);
    mailServer.refuse(null);
    expect(must(await graphqlApi(server.http).newsSettings(ben)).mailState).toBe('refused');
    const moves = ['e7e5', 'd2d4'];
    await playMoves(api(), { ...game, plyCount: 1, turn: 'second' }, moves, { first: ann, second: ben });
    await after(61_000);
    await nothing(ben);
    expect(must(await api().updateNewsSettings(ben, { resumeMail: true })).mailState).toBe('on');
    await playMoves(api(), { ...game, plyCount: 3, turn: 'second' }, ['d7d5', 'a2a3'], { first: ann, second: ben }); // prettier-ignore
    await after(61_000);
    expect((await mailServer.next(ben.email)).subject).toBe('Your turn');
  });
});

test('a mail server that likes the sender no more leaves the address as it is', async () => {
  const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', AT_ONCE)];
  const game = await begin(api(), ann, ben);
  await playMoves(api(), game, ['e2e4'], { first: ann, second: ben });
  mailServer.refuse(554, '5.7.1 Relay access denied');
  await after(61_000);
  mailServer.refuse(null);
  expect(must(await api().newsSettings(ben)).mailState).toBe('on');
});

describe('what else is told', () => {
  it('is challenges, messages, offers, ends and conditional moves, of which nothing was read', async () => {
    const every = { ...AT_ONCE, challenge: 'atOnce', conditional: 'atOnce' };
    const [ann, ben] = [await reachable('ann', every), await reachable('ben', every)];
    const terms = { ruleset: 'chess', timeControl: { type: 'none' }, opponent: ben.username };
    const { id } = must(await api().createChallenge(ann, terms));
    await after(61_000);
    const challenge = await mailServer.next(ben.email);
    expect(challenge.subject).toBe('A challenge');
    expect(challenge.text).toContain(`${ann.username} challenges you to a game: Chess.`);
    expect(challenge.text).toContain(`/challenges/${id}\n`);
    must(await api().declineChallenge(ben, id));
    await after(61_000);
    expect((await mailServer.next(ann.email)).text).toContain('A challenge of yours was declined.');
    const game = await begin(api(), ann, ben);
    await after(61_000);
    const begun = await mailServer.next(ann.email);
    expect(begun.subject).toBe('News of your games');
    expect(begun.text).toContain(`Your game against ${ben.username} (Chess) has started.`);
    expect(begun.text).toContain('It is your turn');
    must(await api().setConditionalMoves(ben, game.id, [{ when: 'e2e4', reply: 'e7e5' }]));
    must(await api().makeMove(ann, game.id, 1, 'e2e4'));
    await after(61_000);
    expect((await mailServer.next(ben.email)).text).toContain('A conditional move of yours was played');
    expect((await mailServer.next(ann.email)).subject).toBe('Your turn');
    must(await api().sendMessage(ann, game.id, 'Hello', 'key'));
    must(await api().makeMove(ann, game.id, 3, 'd2d4'));
    must(await api().plain(ann, 'offerDraw', game.id));
    await told();
    must(await api().markNotificationsRead(ben, { gameId: game.id }));
    must(await api().resign(ann, game.id));
    await after(61_000);
    const over = await mailServer.next(ben.email);
    expect(over.subject).toBe('A game is over');
    expect(over.text).not.toMatch(/draw is offered|has written/);
    await nothing(ann);
  });
});

test('while nobody can be told, the log is passed over, and only then', async () => {
  const own = await startServer({ ...SHARED_SETTINGS, SMTP_URL: mailServer.url });
  const [news, store] = [own.app.get(NewsLog), own.app.get(NewsStore)];
  const [ann, ben] = [await register(own.http, 'ann'), await register(own.http, 'ben')];
  const play = async () => {
    const game = await begin(restApi(own.http), ann, ben);
    await playMoves(restApi(own.http), game, ['e2e4'], { first: ann, second: ben });
  };
  await play();
  while ((await store.look(true)).isLogged) await news.work();
  const { db } = own.app.get(PrismaService);
  await db.user.update({ where: { id: ann.id }, data: { email: 'ann@example.org' } });
  await play();
  // As if the address had come between the look and this.
  await store.skip(true);
  expect(await store.look(true)).toEqual({ isLogged: true, isAnybodyTold: true });
  await own.close();
});

test('closing an account erases what was chosen and what waits', async () => {
  const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', { yourTurn: 'daily' })];
  const game = await begin(api(), ann, ben, { timeControl: THREE_DAYS });
  await playMoves(api(), game, ['e2e4'], { first: ann, second: ben });
  await told();
  const { db } = server.app.get(PrismaService);
  const kept = async () => [
    await db.newsItem.count({ where: { userId: ben.id } }),
    await db.newsSettings.count({ where: { userId: ben.id } }),
  ];
  expect(await kept()).toEqual([3, 1]);
  must(await api().closeAccount(ben, 'correct horse battery'));
  expect(await kept()).toEqual([0, 0]);
});

onServer('two servers on one database', () => {
  it('tell each thing once, also after a restart', async () => {
    let other = await startServer({ ...SHARED_SETTINGS, SMTP_URL: mailServer.url }, place);
    try {
      const theirs = stopTime(other.app);
      const both = async (milliseconds: number) => {
        await told();
        time.forward(milliseconds);
        theirs.moment = time.moment;
        await Promise.all([told(), told(other), told(), told(other)]);
        await told();
      };
      const ann = await register(server.http, 'ann');
      const people = [];
      for (let i = 0; i < 5; i += 1) people.push(await reachable(`ben${i}`, AT_ONCE));
      for (const ben of people) {
        const game = await begin(api(), ann, ben, { timeControl: THREE_DAYS });
        await playMoves(api(), game, ['e2e4'], { first: ann, second: ben });
      }
      await both(61_000);
      for (const ben of people) await mailServer.next(ben.email);
      await both(48 * HOUR_MS);
      for (const ben of people) await mailServer.next(ben.email);
      await other.close();
      other = await startServer({ ...SHARED_SETTINGS, SMTP_URL: mailServer.url }, place);
      Object.assign(theirs, stopTime(other.app));
      await both(60_000);
      for (const ben of people) await nothing(ben);
    } finally {
      await other.close();
    }
  });
});
