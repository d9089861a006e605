import pg from 'pg';

/** Preloaded into a server: records each statement that it sends to PostgreSQL until asked for them. */

let sent = [];
const send = pg.Client.prototype.query;
pg.Client.prototype.query = function (first, ...more) {
  if (typeof first.text === 'string' && !first.text.includes('outbox')) {
    // Transaction numbers, which no message can carry.
    const values = (first.values ?? []).map((value) => (typeof value === 'bigint' ? String(value) : value));
    sent.push({ text: first.text, values, name: first.name ?? '' });
  }
  return send.call(this, first, ...more);
};

process.on('message', () => {
  process.send(sent);
  sent = [];
});
// The message channel must not keep the server process alive.
process.channel.unref();
