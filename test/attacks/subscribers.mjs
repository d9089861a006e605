import { createServer, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { createClient } from 'graphql-ws';
import { Webhook } from 'standardwebhooks';
import WebSocket from 'ws';

/**
 * Those who hear of everything that happens to a user, each in another way. What has come is in `came`, in order, as
 * `{ id, gameId, version, type }`. A stream that breaks is taken up by another server after the last event that came.
 */

const REOPENED_MS = 20;
/** An address of this machine that the server takes for the internet. */
export const OPEN_HOST = '127.0.0.2';

class Subscriber {
  constructor(report, name) {
    Object.assign(this, { report, name, came: [], keys: new Set() });
  }

  take({ id, gameId, version, type }) {
    if (gameId === null || version === null) return;
    this.came.push({ id, gameId, version, type });
    this.keys.add(keyOf({ gameId, version, type }));
  }

  has(entry) {
    return this.keys.has(keyOf(entry));
  }
}

/** What there is once in the log, and should come once. */
export const keyOf = ({ gameId, version, type }) => `${gameId} ${version} ${type}`;

/** One of the streams, which goes on where it was when it breaks. */
class Stream extends Subscriber {
  /** `open(port, after, take)` resolves when the stream has ended. `portOf()` is the port of a server that is up. */
  constructor(report, name, { open, portOf }) {
    super(report, name);
    Object.assign(this, { breaks: 0, isOver: false });
    this.last = null;
    this.ready = new Promise((resolve) => (this.isReady = resolve));
    this.ended = this.follow(open, portOf);
  }

  async follow(open, portOf) {
    while (!this.isOver) {
      const why = await open(portOf(), this.last, this);
      if (this.isOver) return;
      this.breaks += 1;
      if (why !== null) this.report.found(`${this.name} was ended by the server`, why);
      await pause(REOPENED_MS);
    }
  }

  /** Where it begins: what happens from now on will come. */
  begins(id) {
    this.last ??= id;
    this.isReady();
  }

  hear(event) {
    this.last = event.id;
    this.take(event);
  }

  async close() {
    this.isOver = true;
    this.cut();
    await this.ended;
  }
}

/** Asks for a stream of events over HTTP; `read(answer, stream)` gives the lines to it. */
const overHttp = (by, accept, headerOf, read) => (port, after, stream) =>
  new Promise((resolve) => {
    const { path = '/v1/me/events', headers = {} } = after === null ? {} : headerOf(after);
    const all = { authorization: `Bearer ${by.token}`, accept, ...headers };
    let why = null;
    const sent = get({ host: '127.0.0.1', port, path, headers: all, agent: false }, (answer) => {
      if (answer.statusCode !== 200) why = `an answer with ${answer.statusCode}`;
      else read(answer, stream, (problem) => (why = problem));
      answer.on('error', () => undefined);
      answer.on('close', () => resolve(why));
    });
    stream.cut = () => sent.destroy();
    sent.on('error', () => resolve(null));
  });

function readServerSent(answer, stream, isRefused) {
  const parser = createParser({
    onEvent({ id, event, data }) {
      if (event === 'ready') stream.begins(id);
      else if (event === 'end') isRefused(data);
      else stream.hear({ ...JSON.parse(data), id });
    },
  });
  answer.setEncoding('utf8').on('data', (text) => parser.feed(text));
}

function readLines(answer, stream, isRefused) {
  // The last line of a stream that breaks may be a part of one.
  const take = (line) => {
    const said = JSON.parse(line);
    if (said.ready) stream.begins(said.id);
    else if (said.end) isRefused(line);
    else stream.hear(said);
  };
  let rest = '';
  answer.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    lines.filter(Boolean).forEach(take);
  });
}

export const serverSent = (report, by, portOf) =>
  new Stream(report, 'SSE', {
    portOf,
    open: overHttp(by, 'text/event-stream', (last) => ({ headers: { 'last-event-id': last } }), readServerSent), // prettier-ignore
  });

export const lines = (report, by, portOf) =>
  new Stream(report, 'NDJSON', {
    portOf,
    open: overHttp(by, 'application/x-ndjson', (last) => ({ path: `/v1/me/events?after=${last}` }), readLines), // prettier-ignore
  });

const EVENTS = 'subscription ($after: String) { myEvents(after: $after) { id type gameId version } }';

/** A socket does not tell where it begins, so it begins at a place that was asked for before. */
export function socket(report, by, portOf, from) {
  const open = (port, after, stream) =>
    new Promise((resolve) => {
      const client = createClient({
        url: `ws://127.0.0.1:${port}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { authorization: `Bearer ${by.token}` },
        retryAttempts: 0,
        lazy: true,
      });
      stream.cut = () => client.terminate();
      client.subscribe(
        { query: EVENTS, variables: { after } },
        {
          next: ({ data, errors }) =>
            errors ? resolve(JSON.stringify(errors)) : stream.hear({ ...data.myEvents, type: restTypeOf(data.myEvents.type) }), // prettier-ignore
          error: (error) => resolve(Array.isArray(error) ? JSON.stringify(error) : null),
          complete: () => resolve(null),
        },
      );
    });
  const stream = new Stream(report, 'WebSocket', { portOf, open: (port, after, it) => open(port, after ?? from, it) }); // prettier-ignore
  stream.begins(null);
  return stream;
}

/** `OFFER_DRAW` is `offerDraw`. */
const restTypeOf = (name) => name.toLowerCase().replace(/_(.)/g, (_, letter) => letter.toUpperCase());

/** `game.move` is a ply. */
const typeOfHook = (type) => (type === 'game.move' ? 'ply' : type.replace(/^game\./, ''));

/** An address that checks each signature, and takes each message. */
export async function hook(report, api, by) {
  const subscriber = new Subscriber(report, 'webhook');
  let secret = null;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray().catch(() => [])).toString();
    // Cut by a kill.
    if (!request.complete) return;
    try {
      const { type, data } = new Webhook(secret).verify(body, request.headers);
      subscriber.take({ ...data, id: request.headers['webhook-id'], type: typeOfHook(type) });
    } catch (error) {
      report.found('a webhook is not signed as it should be', error.message, body);
    }
    response.writeHead(204).end();
  });
  await new Promise((resolve) => server.listen(0, OPEN_HOST, resolve));
  const url = `http://${OPEN_HOST}:${server.address().port}/`;
  ({ secret } = await api.well(by, 'POST', '/v1/webhooks', { url }));
  subscriber.close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return subscriber;
}
