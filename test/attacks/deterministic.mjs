import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Preloaded into a server: replaces time and randomness by values that the attack controls, so that two
 * servers which get the same requests produce the same ids, tokens and timestamps. Also reports the random
 * bytes, which include the seeds of the deals. Not part of the shipped server.
 */

const START = Date.UTC(2030, 0, 1);
const SECOND = 1000;

let step = 0;
let block = 0;
let drawn = [];

/** Deterministic bytes that depend on the step and on how many were drawn since it began. */
function bytes(size) {
  const parts = [];
  for (let got = 0; got < size; got += 32)
    parts.push(crypto.createHash('sha256').update(`${step} ${block++}`).digest());
  return Buffer.concat(parts).subarray(0, size);
}

function fill(target) {
  Buffer.from(target.buffer, target.byteOffset, target.byteLength).set(bytes(target.byteLength));
  return target;
}

function uuid() {
  const hex = bytes(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function randomBytes(size, done) {
  const made = bytes(size);
  if (size === 32) drawn.push(made.toString('hex'));
  return done === undefined ? made : done(null, made);
}

// Not that of globalThis.crypto: Prisma names its transactions by it, also those of background tasks.
Object.assign(crypto, { randomBytes, randomUUID: uuid, randomFillSync: fill });
crypto.webcrypto.getRandomValues = fill;
globalThis.crypto.getRandomValues = fill;
Math.random = () => bytes(4).readUInt32BE() / 2 ** 32;
syncBuiltinESMExports();

const now = () => START + step * SECOND;
const RealDate = Date;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, self) => Reflect.construct(target, given.length === 0 ? [now()] : given, self),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

process.on('message', (next) => {
  step = next;
  block = 0;
  process.send(drawn);
  drawn = [];
});
process.channel.unref();
