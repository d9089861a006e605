import { Resolver } from 'node:dns/promises';
import { setMaxListeners } from 'node:events';
import { request as plainRequest } from 'node:http';
import { request as secureRequest, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import type { Config } from '../../config.js';
import { shown } from '../../rules/shown.js';
import { badInput } from '../errors/errors.js';
import { CONFIG } from '../process/config.module.js';
import { DAY_MS } from '../process/time.js';

/** Requests to addresses that users choose: none may reach what only this machine or its network reaches. */

const MOST_OF_AN_ADDRESS = 500;
/** Names of the DNS have no more. */
const MOST_OF_A_HOST = 253;
/** For so long the whole exchange may last. */
const EXCHANGE_MS = 15_000;
const MOST_OF_AN_ANSWER = 64 * 1024;
/** So much of an answer is kept, in bytes. */
const KEPT_OF_AN_ANSWER = 300;
const LOOKUP = { timeout: 3000, tries: 2 } as const;

export interface Answer {
  readonly status: number;
  /** As it was sent. */
  readonly retryAfter: string | undefined;
  /** The first bytes, as text. */
  readonly beginning: string;
}

/** The pauses that are granted. */
const LONGEST_PAUSE_MS = DAY_MS;
const SHORTEST_PAUSE_MS = 5000;
const BUSY = [429, 503];

/** For how many milliseconds an answer asks to wait, by Retry-After: seconds, or a date. Null if it does not. */
export function pauseAsked({ status, retryAfter }: Answer, now: Date): number | null {
  if (retryAfter === undefined || !BUSY.includes(status)) return null;
  const pause = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now.getTime();
  return Number.isNaN(pause) ? null : Math.min(Math.max(pause, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
}

/** No answer came; the message says why, in words for the owner of the address. */
export class Unanswered extends Error {}

/** The exchange took too long. */
class Late extends Error {}

interface Posting {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

@Injectable()
export class Outgoing {
  private readonly networks: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];
  /** Not dns.lookup, which holds one of four threads that all share for as long as somebody's name server is silent. */
  private readonly resolver = new Resolver(LOOKUP);

  constructor(@Inject(CONFIG) { outgoingNetworks }: Pick<Config, 'outgoingNetworks'>) {
    this.networks = outgoingNetworks.map((network) => ipaddr.parseCIDR(network));
  }

  /** The address in its usual form, judged by its text alone. Throws BAD_INPUT. */
  require(address: string, field: string, most = MOST_OF_AN_ADDRESS): string {
    const refuse = (fault: string) => badInput(field, `${field} must be ${fault}; got ${shown(address)}.`);
    const schemes = this.networks.length > 0 ? /^https?:$/ : /^https:$/;
    const isAddress =
      URL.canParse(address) && schemes.test(new URL(address).protocol) && address.length <= most;
    if (!isAddress) {
      throw refuse(`an address that begins with https://, of at most ${most} characters`);
    }
    const url = new URL(address);
    if (url.username !== '' || url.password !== '') {
      throw badInput(field, `${field} must have neither a user nor a password in it.`);
    }
    const host = hostOf(url);
    if (host.length > MOST_OF_A_HOST) {
      throw refuse(`an address whose host has at most ${MOST_OF_A_HOST} characters`);
    }
    if (isIP(host) > 0 ? !this.isOpen(host, url) : isLocal(host)) {
      throw refuse('an address on the internet, not one of a private network or of this machine');
    }
    url.hash = '';
    return url.href;
  }

  /**
   * Posts to an address, whose host is judged again when it is connected to; follows no redirect. Reads at most 64 KiB of
   * the answer. Throws Unanswered, also when `until` aborts it.
   */
  async post(address: string, { headers, body }: Posting, until: AbortSignal): Promise<Answer> {
    const url = new URL(address);
    const host = hostOf(url);
    if (isIP(host) > 0 && !this.isOpen(host, url)) throw new Unanswered(NOT_OPEN);
    // One signal ends all that are on their way, and Node warns of more than ten listeners.
    setMaxListeners(0, until);
    const options: RequestOptions = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: this.lookup(url),
      agent: false,
      signal: until,
    };
    return new Promise((resolve, reject) => {
      // Not AbortSignal.timeout in AbortSignal.any, which may be collected before it fires.
      const late = setTimeout(() => sending.destroy(new Late()), EXCHANGE_MS);
      const fail = (error: Error) => reject(new Unanswered(faultOf(error)));
      const send = url.protocol === 'http:' ? plainRequest : secureRequest;
      const sending = send(url, options, (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        const finish = () =>
          resolve({
            status: response.statusCode!,
            retryAfter: response.headers['retry-after'],
            beginning: beginningOf(parts),
          });
        response
          .on('data', (part: Buffer) => {
            if (size < KEPT_OF_AN_ANSWER) parts.push(part);
            size += part.length;
            if (size <= MOST_OF_AN_ANSWER) return;
            finish();
            response.destroy();
          })
          .on('end', finish)
          .on('error', fail)
          .on('close', () => fail(new Error('closed')));
      })
        .on('error', fail)
        // Node closes what wants to be another protocol, and calls neither of the others.
        .on('upgrade', (_, socket) => {
          socket.destroy();
          fail(new Error('upgraded'));
        })
        .on('close', () => clearTimeout(late));
      sending.end(body);
    });
  }

  /** Gives only addresses that may be reached, so that a name cannot be one thing when it is judged and another after. */
  private lookup(url: URL): LookupFunction {
    return (host, options, done) => {
      const asked = isOfExamples(host) ? [] : [this.resolver.resolve4(host), this.resolver.resolve6(host)];
      void Promise.allSettled(asked).then((found) => {
        const all = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
        const open = all.filter((address) => this.isOpen(address, url));
        const addresses = open.map((address) => ({ address, family: isIP(address) }));
        if (addresses.length === 0) {
          const fault = all.length === 0 ? `The host ${host} was not found.` : NOT_OPEN;
          done(Object.assign(new Error(fault), { code: LOOKED_UP }), '', 0);
        } else if (options.all === true) done(null, addresses);
        else done(null, addresses[0]!.address, addresses[0]!.family);
      });
    };
  }

  /** Whether it is on the internet, or in a network that the operator has opened: there, plain http will do. */
  private isOpen(address: string, { protocol }: URL): boolean {
    const parsed = ipaddr.process(address);
    const isOpened = this.networks.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match([network, bits] as never),
    );
    return isOpened || (protocol === 'https:' && parsed.range() === 'unicast' && isGlobal(parsed));
  }
}

const NOT_OPEN = 'The address is one of a private network, which this server does not reach.';
const LOOKED_UP = 'ELOOKEDUP';

/** All of IPv6 that is given out; the rest has old ways to write addresses of inner networks. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');
const isGlobal = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.kind() === 'ipv4' || address.match(GLOBAL);

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Names that mean this machine; all others are judged by what they resolve to. */
const isLocal = (host: string): boolean => /(?:^|\.)localhost\.?$/i.test(host);

/** Names of documents and tests (RFC 6761), of which no name server knows anything. */
const isOfExamples = (host: string): boolean => /(?:^|\.)(?:example|invalid|test)\.?$/i.test(host);

/** The first bytes, without what a terminal or a page could take for more than text. */
const beginningOf = (parts: readonly Buffer[]): string =>
  Buffer.concat(parts)
    .subarray(0, KEPT_OF_AN_ANSWER)
    .toString()
    .replace(/\p{C}+/gu, ' ')
    .trim();

function faultOf(error: Error & { readonly code?: string }): string {
  if (error instanceof Late) {
    return `No answer came within ${EXCHANGE_MS / 1000} seconds.`;
  }
  if (error.name === 'AbortError') return 'The server was stopped while it waited for an answer.';
  if (error.code === LOOKED_UP) return error.message;
  return `The connection failed (${error.code ?? error.name}).`;
}
