// Receives webhooks, without a package: checks that a message comes from your server of Halfmove, and is new.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET = '', PORT = '4000', HOST = '127.0.0.1' } = process.env;
const KEY = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
const OLDEST_SECONDS = 300;
const MOST_BYTES = 64 * 1024;

/** Whether one of the signatures is made with the secret, of a message that is not old. */
function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < OLDEST_SECONDS)) return false;
  const right = createHmac('sha256', KEY).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === right.length && timingSafeEqual(given, right);
  });
}

/** The ids of the newest messages: one that comes again has the same. */
const seen = new Set();

function isNew(id) {
  if (seen.has(id)) return false;
  seen.add(id);
  if (seen.size > 10_000) seen.delete(seen.values().next().value);
  return true;
}

/**
 * Waits for messages at HOST and PORT, answers at once, and calls `deal` with each that is new. Who sends something else
 * gets 400.
 */
export function receive(deal) {
  const server = createServer((request, response) => {
    const parts = [];
    let size = 0;
    request.on('data', (part) => {
      size += part.length;
      if (size > MOST_BYTES) request.destroy();
      else parts.push(part);
    });
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      const genuine = request.method === 'POST' && isGenuine(request.headers, body);
      response.writeHead(genuine ? 204 : 400).end();
      if (!genuine || !isNew(request.headers['webhook-id'])) return;
      Promise.resolve(JSON.parse(body))
        .then(deal)
        .catch((error) => console.error(error.message));
    });
  });
  server.listen(Number(PORT), HOST, () => console.log(`Waiting at http://${HOST}:${server.address().port}/`));
}
