import { randomUUID } from 'node:crypto';
import { maxHeaderSize, STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { Config } from '../config.js';
import { DomainError } from '../platform/errors.js';
import { problemOf } from '../platform/problem.filter.js';
import { withRequestId } from '../platform/request-context.js';
import { ALWAYS, EXPOSED } from './http.js';

/** How long a client may take to read its answer. */
const FAREWELL_MS = 1000;

const logger = new Logger('Http');

/** Answers what Node could not read as a request, and no hook has seen, in the form of every other error. */
export const answerBroken =
  (config: Pick<Config, 'corsOrigins'>) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    // A part of an answer is out: more words would be read as the rest of it.
    if (isAnswering(socket)) socket.destroy();
    else part(socket, textOf(refusalOf(error.code), config));
  };

/** By the field that Node itself asks before it answers. */
const isAnswering = (socket: Socket & { readonly _httpMessage?: ServerResponse | null }): boolean =>
  socket._httpMessage?.headersSent === true;

function refusalOf(code: string | undefined): DomainError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const most = `${maxHeaderSize / 1024} KiB`;
    return new DomainError('HEADERS_TOO_LARGE', `The address and headers must not exceed ${most} together.`);
  }
  return code === 'ERR_HTTP_REQUEST_TIMEOUT'
    ? new DomainError('REQUEST_TIMEOUT', 'The request did not arrive in time. Send it again.')
    : new DomainError('BAD_INPUT', 'This is not a valid HTTP/1.1 request.');
}

function textOf(refusal: DomainError, config: Pick<Config, 'corsOrigins'>): string {
  const { status, code } = refusal;
  const id = randomUUID();
  withRequestId(id, () => logger.log(`broken request ${status} ${code}`));
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

/** Which of several origins asks stands in the head, which was not read. */
const corsOf = ({ corsOrigins }: Pick<Config, 'corsOrigins'>) =>
  corsOrigins === '*'
    ? { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED.join(', ') }
    : {};

/** Destroyed at once, with bytes that nobody has read, the socket would be reset and the answer lost. */
function part(socket: Socket, answer: string): void {
  socket.end(answer);
  // A request that was refused must not become whole after all.
  socket.removeAllListeners('data').on('data', () => undefined);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), FAREWELL_MS);
  socket.once('close', () => clearTimeout(timer));
}
