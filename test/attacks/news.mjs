import { position } from '../../dist/rules/play.js';

/** What mails and pushes told, compared with what was so by the log of the games. */

const KINDS = ['yourTurn', 'reminder', 'challenge', 'offer', 'message', 'gameOver', 'conditional'];
/** The choices of who wants to be told everything. */
const all = (when) => Object.fromEntries(KINDS.map((kind) => [kind, when]));
export const AT_ONCE = all('atOnce');
export const DAILY = { ...all('daily'), reminder: 'never' };

/** How each is told; the rest of the sentence names the game. */
const WORDS = {
  yourTurn: /It is your turn in /,
  drawOffer: /A draw is offered to you /,
  timeRequest: /You are asked for more time /,
  offerAnswered: /An offer of yours was answered /,
  timeGiven: /You were given more time /,
  gameStarted: /Your game against \S+ \([^)]*\) has started/,
  gameOver: /Your game against \S+ \([^)]*\) is over: /,
  unknown: /There is news in /,
};
const GAME = /Open the game:\n\S+\/games\/([0-9a-f-]{36})\n*/;

/** No message says the number of the ply, so the database keeps, under its id, what it was posted for. */
const KEPT = `
  CREATE TABLE posted (id uuid, items jsonb, at timestamptz DEFAULT clock_timestamp());
  CREATE FUNCTION keep_mail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO posted VALUES (NEW.id, NEW.about->'items');
    RETURN NULL;
  END $$;
  CREATE FUNCTION keep_push() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO posted VALUES (NEW.id, NEW.items);
    RETURN NULL;
  END $$;
  CREATE TRIGGER keep_mail AFTER INSERT ON mails FOR EACH ROW WHEN (NEW.kind = 'news') EXECUTE FUNCTION keep_mail();
  CREATE TRIGGER keep_push AFTER INSERT OR UPDATE OF id ON pushes FOR EACH ROW EXECUTE FUNCTION keep_push()`;

export const keepPosted = (database) => database.query(KEPT);

const typesIn = (text) => Object.keys(WORDS).filter((type) => WORDS[type].test(text));

/** What a mail says of each game. */
function saidIn({ text }) {
  const parts = text.split(GAME);
  return Array.from({ length: (parts.length - 1) / 2 }, (_, i) => ({
    gameId: parts[2 * i + 1],
    types: typesIn(parts[2 * i]),
    fen: /FEN: (.*)$/m.exec(parts[2 * i])?.[1] ?? null,
  }));
}

const ofMail = ({ at, mail }) => ({ at, id: mail.messageId.slice(1, mail.messageId.indexOf('@')), said: saidIn(mail) }); // prettier-ignore

function ofPush({ at, text }) {
  const { id, tag: gameId, body = '' } = JSON.parse(text);
  return { at, id, said: [{ gameId, types: typesIn(body), fen: null }] };
}

/** The turns of each game by the log: the plies before it, whose it is, the position, and from when until when. */
export function turnsOf(log, matches, person) {
  const turns = new Map(matches.map(({ id }) => [id, []]));
  const starts = new Map(matches.map(({ id, start }) => [id, start.ruleset.fen(position(start))]));
  for (const { gameId, type, ply, at, position: after } of log) {
    const own = turns.get(gameId);
    const isTurn = type === 'ply' || type === 'start';
    if ((isTurn || type === 'end') && own.length > 0) own.at(-1).until ??= at.getTime();
    if (isTurn)
      own.push({ ply: ply ?? 0, from: at.getTime(), until: null, fen: after ?? starts.get(gameId) });
  }
  for (const { id, players } of matches)
    for (const turn of turns.get(id)) turn.isOwn = players[turn.ply % 2] === person;
  return turns;
}

const turnOf = ({ gameId, ply }) => `${gameId} ${ply}`;

/** The turns of the person that are left in the end, as `game ply`. A ply that ends its game has none after it. */
export const leftIn = (turns, over) =>
  [...turns].flatMap(([gameId, own]) => {
    const { isOwn, until, ply } = own.at(-1);
    return isOwn && until === null && !over.has(gameId) ? [turnOf({ gameId, ply })] : [];
  });

/** What was told, message by message, with the items for which it was posted. */
async function toldBy(messages, database) {
  const { rows } = await database.query('SELECT id::text, items, at FROM posted ORDER BY at');
  const posted = new Map(rows.map((row) => [row.id, row]));
  // Other mails are about the account.
  const news = messages.filter(({ id }) => posted.has(id));
  return news.map(({ id, at, said }) => {
    const { items, at: postedAt } = posted.get(id);
    const told = said.flatMap(({ gameId, types, fen }) =>
      types.map((type) => {
        // The newest: of older ones nothing is so any more.
        const item = items.findLast((one) => one.gameId === gameId && one.type === type);
        return { gameId, type, fen, ply: item?.ply ?? null, since: item?.at ?? null };
      }),
    );
    return { id, at, postedAt: postedAt.getTime(), said, told };
  });
}

export const toldByMails = (mails, database) => toldBy(mails.map(ofMail), database);
export const toldByPushes = (pushes, database) => toldBy(pushes.map(ofPush), database);

/** Whether it was so at some time between the posting of the message and its coming. */
function wasSo({ gameId, type, ply, since, fen }, { postedAt, at }, turns, moments) {
  if (type !== 'yourTurn') return moments.has(`${gameId} ${since}`);
  const turn = turns.get(gameId)?.find((one) => one.ply === ply);
  const wasTurn = turn?.isOwn && turn.from <= at && (turn.until ?? Infinity) >= postedAt;
  return wasTurn && (fen === null || fen === turn.fen);
}

const AGAIN = 'told again, with another id';

/** Finds what was told though it was not so, again under another id, or out of the order of its game. */
export function judgeNews(report, channel, messages, turns, log) {
  const moments = new Set(log.map(({ gameId, at }) => `${gameId} ${at.getTime()}`));
  const ids = new Set();
  const tellers = new Map();
  const newest = new Map();
  const row = (what, by = 1) => report.add(`${channel}: ${what}`, by);
  const wrong = (what, ...evidence) => {
    row(what);
    report.found(`${channel}: ${what}`, ...evidence);
  };
  for (const what of ['came', 'again, with the same id', 'turns told', 'other news told', 'boards compared', 'told though not so', AGAIN, 'turns out of order']) row(what, 0); // prettier-ignore
  for (const message of messages) {
    row('came');
    const isAgain = ids.has(message.id);
    if (isAgain) row('again, with the same id');
    ids.add(message.id);
    for (const item of message.told) {
      const { gameId, type, ply, since, fen } = item;
      if (!wasSo(item, message, turns, moments)) wrong('told though not so', item, turns.get(gameId)?.find((one) => one.ply === ply) ?? null); // prettier-ignore
      if (type === 'yourTurn' && fen !== null) row('boards compared');
      if (type === 'yourTurn' && ply < (newest.get(gameId) ?? 0)) wrong('turns out of order', item, newest.get(gameId)); // prettier-ignore
      if (type === 'yourTurn') newest.set(gameId, ply);
      if (isAgain) continue;
      row(type === 'yourTurn' ? 'turns told' : 'other news told');
      const key = `${gameId} ${type} ${type === 'yourTurn' ? ply : since}`;
      // A push that was cut before the server could note it is sent with what came meanwhile, in its place.
      if (tellers.has(key) && channel === 'push') row(AGAIN);
      else if (tellers.has(key)) wrong(AGAIN, key, tellers.get(key), message.id);
      tellers.set(key, message.id);
    }
  }
}

/** The turns that are left and were not told. */
export function silentIn(messages, left) {
  const turns = messages.flatMap(({ told }) => told.filter(({ type }) => type === 'yourTurn').map(turnOf));
  const told = new Set(turns);
  return left.filter((key) => !told.has(key));
}

/** Each turn that is left has been told. */
export function judgeLeft(report, channel, messages, left) {
  const silent = silentIn(messages, left);
  report.set(`${channel}: turns that are left in the end`, left.length);
  report.set(`${channel}: of these not told`, silent.length);
  if (silent.length > 0) report.found(`${channel}: ${silent.length} turns that are left in the end were never told`, silent.slice(0, 5)); // prettier-ignore
}

/** The turns that a browser shows though they are over. */
export function staleIn(messages, left) {
  const shown = new Map();
  for (const { said, told } of messages) {
    const [{ gameId }] = said;
    shown.set(
      gameId,
      told.find(({ type }) => type === 'yourTurn'),
    );
  }
  return [...shown.values()].flatMap((item) => (item === undefined || left.includes(turnOf(item)) ? [] : [turnOf(item)])); // prettier-ignore
}

/** What a browser shows of a turn that is over is taken back, or replaced by other news of the game. */
export function judgeShown(report, messages, left) {
  const stale = staleIn(messages, left);
  report.set('push: taken back', messages.filter(({ told }) => told.length === 0).length);
  report.set('push: shown though over', stale.length);
  if (stale.length > 0)
    report.found(`push: ${stale.length} turns are shown that are over`, stale.slice(0, 5));
}
