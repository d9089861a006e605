import { hash, verify } from '@node-rs/argon2';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../config.js';
import { addressKey } from '../../platform/http/addresses.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { DomainError } from '../../platform/errors/errors.js';
import { isCommon } from './common-passwords.js';
import { FairQueue } from '../../platform/limits/fair-queue.js';
import type { Party } from '../../platform/limits/rotation.js';

const MIN = 8;
const MAX = 128;

type Limits = Pick<Config, 'maxPasswordsAtOnce' | 'maxPasswordsWaiting' | 'maxPasswordsWaitingPerAddress'>;

// OWASP's second recommendation for argon2id, the default algorithm here: about 25 ms and 19 MiB per password.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The hash of a random password, compared when there is no account so that both cases take equal time. */
export const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$wI2xo89pI6CnKMR2NyDHFw$g+/eEb0xGsSne3qm/2S5kHc5CnAA0gU6gYBGNnn1uGE';

/** Checks, hashes and compares passwords, normalized to NFKC as NIST SP 800-63B advises. */
@Injectable()
export class Passwords {
  private readonly logger = new Logger(Passwords.name);
  private readonly queue: FairQueue;
  private readonly cost = COST;

  // By default two of the four threads of Node's pool, so that files and compression continue during many logins.
  constructor(@Inject(CONFIG) config: Limits) {
    const { maxPasswordsAtOnce, maxPasswordsWaiting, maxPasswordsWaitingPerAddress } = config;
    this.queue = new FairQueue(maxPasswordsAtOnce, maxPasswordsWaiting, maxPasswordsWaitingPerAddress);
  }

  /** Throws for a password that is too short, too long, common, or based on one of these names. */
  async assertStrong(password: string, names: readonly string[]): Promise<void> {
    const normal = password.normalize('NFKC');
    const length = [...normal].length;
    if (length < MIN || length > MAX) {
      const message = `password must have ${MIN} to ${MAX} characters; got ${length}.`;
      throw new DomainError('BAD_INPUT', message, { field: 'password', min: MIN, max: MAX });
    }
    if (names.some((name) => isBuiltOn(normal, name)) || (await isCommon(normal))) {
      throw new DomainError(
        'PASSWORD_TOO_COMMON',
        'This password is too common or is based on one of your names. Choose another one.',
        { field: 'password' },
      );
    }
  }

  /** The hash to store. Addresses take turns in the queue. */
  hash(password: string, address: string): Promise<string> {
    return this.queue.run(partyOf(address), () => hash(password.normalize('NFKC'), this.cost));
  }

  /** Whether the password matches the hash; without an account it takes equally long and does not match. */
  async verify(password: string, passwordHash: string | null, address: string): Promise<boolean> {
    const normal = password.normalize('NFKC');
    const same = await this.queue.run(partyOf(address), () => this.compare(normal, passwordHash ?? NOBODY));
    return same && passwordHash !== null;
  }

  // A damaged hash must be answered like a wrong password.
  private async compare(password: string, passwordHash: string): Promise<boolean> {
    try {
      return await verify(passwordHash, password);
    } catch (error) {
      this.logger.error(`A stored password hash cannot be read: ${String(error)}`);
      return false;
    }
  }
}

/** Nobody is known yet who gives a password. */
const partyOf = (address: string): Party => ({ address: addressKey(address), user: '' });

const lettersAndDigits = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
const withoutDigitsAround = (text: string) => text.replace(/^\p{N}+|\p{N}+$/gu, '');

/** Whether the password is a name apart from case, punctuation and digits around it, such as Ann.Lee-1. */
function isBuiltOn(password: string, name: string): boolean {
  const [word, base] = [lettersAndDigits(password), lettersAndDigits(name)];
  return base !== '' && (word === base || withoutDigitsAround(word) === withoutDigitsAround(base));
}
