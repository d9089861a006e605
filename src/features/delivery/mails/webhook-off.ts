import type { Letter } from '../letter.js';
import { momentOf } from '../moment.js';

export interface SwitchedOff {
  readonly at: string;
  readonly host: string;
  readonly reason: 'gone' | 'failing' | 'tokenEnded' | 'secretLost';
}

const GOES_ON =
  'Nothing is lost: switched on again within 90 days (updateWebhook, with on), it goes on where it stopped.';

/** Why it is off, and what its owner can do. */
const REASONS: Readonly<Record<SwitchedOff['reason'], readonly [why: string, what: string]>> = {
  gone: ['The address answered 410, which means that it is gone for good.', GOES_ON],
  failing: ['For three days the address did not take a message.', GOES_ON],
  tokenEnded: [
    'The personal token that made it has ended.',
    'If its messages are still wanted, make another webhook (createWebhook).',
  ],
  secretLost: [
    'The server can no longer read the secret that signs its messages, as its operator has changed a key.',
    `Give it another secret (replaceWebhookSecret) and then switch it on. ${GOES_ON}`,
  ],
};

/** Tells that nothing is sent to an address any more. */
export function webhookOff(username: string, { at, host, reason }: SwitchedOff): Letter {
  const [why, what] = REASONS[reason];
  const told = `On ${momentOf(at)} a webhook that the account ${username} answers for, to ${host}, was switched off.`;
  return { subject: 'A webhook was switched off', parts: [`${told} ${why}`, what] };
}
