import { z } from 'zod';
import { badInput } from '../../platform/errors/errors.js';
import { shown } from '../../rules/shown.js';

/** RFC 5321: the longest address, and the longest part before its sign. */
const MOST = 254;
const MOST_OF_A_MAILBOX = 64;

/**
 * What browsers take for an address, at a host with a full stop. Without quotes, comments, commas or line breaks, so that
 * none can become two addresses or a command to a mail server.
 */
export function isEmailAddress(text: string): boolean {
  const [mailbox = '', host = ''] = text.split('@');
  return (
    text.length <= MOST &&
    mailbox.length <= MOST_OF_A_MAILBOX &&
    host.includes('.') &&
    z.regexes.html5Email.test(text)
  );
}

/** The address without spaces around it. Throws BAD_INPUT. */
export function requireEmailAddress(text: string, field: string): string {
  const address = text.trim();
  if (isEmailAddress(address)) return address;
  throw badInput(
    field,
    `${field} must be one e-mail address in ASCII, such as ann@example.org; got ${shown(text)}.`,
  );
}
