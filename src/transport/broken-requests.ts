import { randomUUID } from 'node:crypto';
import { maxHeaderSize, STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { Config } from '../config.js';
import { DomainError } from '../platform/errors/errors.js';
import { problemOf } from '../platform/http/problem.filter.js';
import { OfRequest } from '../platform/process/logging.js';
import { ALWAYS, EXPOSED } from './http.js';

/** How long a client may take to read the answer. */
const CLOSE_MS = 1000;

const logger = new Logger('Http');

/** Answers what Node could not parse as a request, in the form of every other error. */
export const answerBroken =
  (config: Pick<Config, 'corsOrigins'>) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    // Part of an answer was sent, and more text would be read as its continuation.
    if (isAnswering(socket)) socket.destroy();
    else closeAfter(socket, textOf(refusalOf(error.code), config));
  };

/** Node checks the same field before it answers. */
const isAnswering = (socket: Socket & { readonly _httpMessage?: ServerResponse | null }): boolean =>
  socket._httpMessage?.headersSent === true;

function refusalOf(code: string | undefined): DomainError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const most = `${maxHeaderSize / 1024} KiB`;
    return new DomainError(
      'HEADERS_TOO_LARGE',
      `The address and headers must not exceed ${most} in total. Send fewer or shorter headers.`,
      { max: maxHeaderSize },
    );
  }
  return code === 'ERR_HTTP_REQUEST_TIMEOUT'
    ? new DomainError('REQUEST_TIMEOUT', 'The request took too long to arrive. Send it again.')
    : new DomainError(
        'BAD_INPUT',
        'The request is not valid HTTP/1.1. Check its request line, headers and length.',
      );
}

function textOf(refusal: DomainError, config: Pick<Config, 'corsOrigins'>): string {
  const { status, code } = refusal;
  const id = randomUUID();
  logger.log(new OfRequest(id, `broken request ${status} ${code}`));
  const body = JSON.stringify(problemOf(refusal, id));
  const headers = Object.entries({ ...headersOf(id, body), ...corsOf(config) });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`;
}

const headersOf = (id: string, body: string) => ({
  'x-request-id': id,
  ...ALWAYS,
  'Content-Type': 'application/problem+json; charset=utf-8',
  'Content-Length': Buffer.byteLength(body),
  Date: new Date().toUTCString(),
  Connection: 'close',
});

/** The Origin header was not parsed, so an answer for several origins is not possible. */
const corsOf = ({ corsOrigins }: Pick<Config, 'corsOrigins'>) =>
  corsOrigins === '*'
    ? { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED.join(', ') }
    : {};

/** Closes slowly, because destroying a socket with unread bytes resets it and loses the answer. */
function closeAfter(socket: Socket, answer: string): void {
  socket.end(answer);
  // A refused request must not be completed by later bytes.
  socket.removeAllListeners('data').on('data', () => undefined);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), CLOSE_MS);
  socket.once('close', () => clearTimeout(timer));
}
