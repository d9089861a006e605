import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decrypt } from 'http_ece';
import { OPEN_HOST } from './hook-receiver.js';

/** A push service, and browsers that subscribe there and read what comes for them. */

/** What a service worker reads. */
export interface PushMessage {
  readonly id: string;
  readonly tag: string;
  readonly title?: string;
  readonly body?: string;
  readonly path?: string;
  readonly clear?: true;
}

export interface Pushed {
  readonly headers: IncomingHttpHeaders;
  readonly message: PushMessage;
}

export interface Browser {
  /** As its PushSubscription gives it. */
  readonly subscription: { readonly endpoint: string; readonly p256dh: string; readonly auth: string };
  /** What has come, refused messages included. */
  readonly pushed: Pushed[];
}

interface Answered {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PushService {
  readonly origin: string;
  /** What it answers. */
  answer: (path: string) => Answered | Promise<Answered>;
  browser(): Browser;
  close(): Promise<void>;
}

export async function openPushService(host = OPEN_HOST): Promise<PushService> {
  const browsers = new Map<string, (headers: IncomingHttpHeaders, body: Buffer) => void>();
  const service = { answer: (() => ({ status: 201 })) as PushService['answer'] };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      browsers.get(request.url!)?.(request.headers, Buffer.concat(parts));
      void Promise.resolve(service.answer(request.url!)).then(({ status, headers = {} }) =>
        response.writeHead(status, headers).end(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  return Object.assign(service, {
    origin,
    browser: () => {
      const keys = createECDH('prime256v1');
      const p256dh = keys.generateKeys('base64url');
      const auth = randomBytes(16).toString('base64url');
      const path = `/push/${randomBytes(9).toString('base64url')}`;
      const pushed: Pushed[] = [];
      browsers.set(path, (headers, body) => {
        const text = decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret: auth });
        pushed.push({ headers, message: JSON.parse(text.toString()) as PushMessage });
      });
      return { subscription: { endpoint: `${origin}${path}`, p256dh, auth }, pushed };
    },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}

/** The claims of the token by which a server says who it is (RFC 8292). Throws if this key has not signed it. */
export function vapidClaims({ headers }: Pushed, key: string): Record<string, unknown> {
  const [, token = '', named = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(headers.authorization ?? '') ?? [];
  if (named !== key) throw new Error(`The key is ${named}, not ${key}.`);
  const point = Buffer.from(key, 'base64url');
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      ...{ kty: 'EC', crv: 'P-256' },
      ...{ x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') },
    },
  });
  const [head = '', claims = '', signature = ''] = token.split('.');
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isRight) throw new Error('The signature is wrong.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
}
