import pg from 'pg';

/** Loaded into a server before its program: notes each statement that it sends to PostgreSQL, until it is asked for them. */

let sent = [];
const send = pg.Client.prototype.query;
pg.Client.prototype.query = function (first, ...more) {
  if (typeof first.text === 'string' && !first.text.includes('outbox')) {
    sent.push({ text: first.text, values: first.values ?? [], name: first.name ?? '' });
  }
  return send.call(this, first, ...more);
};

process.on('message', () => {
  process.send(sent);
  sent = [];
});
// Whoever listens keeps no server running.
process.channel.unref();
