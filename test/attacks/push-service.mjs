import { createDecipheriv, createECDH, createHash, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'; // prettier-ignore
import { createServer } from 'node:http';

/** A push service and the browser behind it, by the letter of RFC 8291, 8188 and 8292, without the package that the server uses. */

const MAX_AGE_SECONDS = 86_400;
const url64 = (bytes) => Buffer.from(bytes).toString('base64url');
const derived = (secret, salt, info, length) => Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** RFC 8291: the message of one record, under the keys of a subscription. */
function decrypted(body, { keys, auth }) {
  const salt = body.subarray(0, 16);
  const theirs = body.subarray(21, 21 + body[20]);
  const record = body.subarray(21 + body[20]);
  if (record.length > body.readUInt32BE(16)) throw new Error('There is more than one record.');
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), theirs]);
  const secret = derived(keys.computeSecret(theirs), auth, about, 32);
  const key = derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derived(secret, salt, 'Content-Encoding: nonce\0', 12);
  const cipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0))
    throw new Error('The padding is wrong.');
  return padded.subarray(0, end).toString();
}

/** RFC 8292: the public key with which the sender has named itself to this service; throws if it has not. */
function senderOf(authorization, origin, now) {
  const [, token, key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization);
  const [header, claims, signature] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: url64(point.subarray(1, 33)), y: url64(point.subarray(33)) };
  const signed = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' };
  const isSigned = verify('sha256', `${header}.${claims}`, signed, Buffer.from(signature, 'base64url'));
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url'));
  const left = exp - now / 1000;
  if (
    !isSigned ||
    aud !== origin ||
    !(left > 0 && left <= MAX_AGE_SECONDS) ||
    !/^(mailto:|https?:)/.test(sub)
  )
    throw new Error(`The sender is not who it says: ${JSON.stringify({ isSigned, aud, left, sub })}`);
  return key;
}

/** What was pushed is in `pushes`, in order, with the time at which it came; what cannot be read is told to `fault`. */
export async function openPushService(host, fault, now = Date.now) {
  const subscriptions = new Map();
  const service = { pushes: [], senders: new Set() };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray().catch(() => []));
    // Cut by a kill.
    if (!request.complete) return;
    try {
      service.senders.add(senderOf(request.headers.authorization, service.origin, now()));
      const text = decrypted(body, subscriptions.get(request.url));
      service.pushes.push({ at: Date.now(), path: request.url, headers: request.headers, text });
    } catch (error) {
      fault('a push cannot be read', error.message, request.headers);
    }
    response.writeHead(201).end();
  });
  await new Promise((resolve) => server.listen(0, host, resolve));
  service.origin = `http://${host}:${server.address().port}`;
  /** A new subscription, as the API takes it. */
  service.subscribe = (name = randomBytes(8).toString('hex')) => {
    const keys = createECDH('prime256v1');
    keys.setPrivateKey(createHash('sha256').update(name).digest());
    const auth = createHash('md5').update(name).digest();
    subscriptions.set(`/${name}`, { keys, auth });
    return { endpoint: `${service.origin}/${name}`, p256dh: url64(keys.getPublicKey()), auth: url64(auth) };
  };
  service.close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return service;
}
