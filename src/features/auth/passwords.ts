import { hash, verify } from '@node-rs/argon2';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../config.js';
import { addressKey } from '../../platform/addresses.js';
import { CONFIG } from '../../platform/config.module.js';
import { badInput, DomainError } from '../../platform/errors.js';
import { isCommon } from './common-passwords.js';
import { FairQueue } from '../../platform/fair-queue.js';

const MIN = 8;
const MAX = 128;

type Limits = Pick<Config, 'maxPasswordsAtOnce' | 'maxPasswordsWaiting' | 'maxPasswordsWaitingPerAddress'>;

// OWASP's second choice for argon2id, which is the default algorithm here: about 25 ms and 19 MiB a password.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Of a random password that nobody knows: what a login without an account is held against, for like time. */
export const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$wI2xo89pI6CnKMR2NyDHFw$g+/eEb0xGsSne3qm/2S5kHc5CnAA0gU6gYBGNnn1uGE';

/** Checks, hashes and compares passwords; they are told apart after NFKC, as NIST SP 800-63B advises. */
@Injectable()
export class Passwords {
  private readonly logger = new Logger(Passwords.name);
  private readonly queue: FairQueue;
  private readonly cost = COST;

  // By default two of the four threads that Node has for such work: files and compression go on during many logins.
  constructor(@Inject(CONFIG) config: Limits) {
    const { maxPasswordsAtOnce, maxPasswordsWaiting, maxPasswordsWaitingPerAddress } = config;
    this.queue = new FairQueue(maxPasswordsAtOnce, maxPasswordsWaiting, maxPasswordsWaitingPerAddress);
  }

  /** Refuses a password that is too short, too long or easily guessed of somebody with these names. */
  async demandGood(password: string, names: readonly string[]): Promise<void> {
    const normal = password.normalize('NFKC');
    const length = [...normal].length;
    if (length < MIN || length > MAX) {
      throw badInput('password', `password: a password has ${MIN} to ${MAX} characters.`);
    }
    if (names.some((name) => isBuiltOn(normal, name)) || (await isCommon(normal))) {
      throw new DomainError(
        'PASSWORD_TOO_COMMON',
        'password: this is one of the first that others would guess.',
        { field: 'password' },
      );
    }
  }

  /** The hash to store. Addresses take turns. */
  hash(password: string, address: string): Promise<string> {
    return this.queue.run(addressKey(address), () => hash(password.normalize('NFKC'), this.cost));
  }

  /** Whether the password is the one that was hashed; without an account it takes as long and is not. */
  async verify(password: string, passwordHash: string | null, address: string): Promise<boolean> {
    const normal = password.normalize('NFKC');
    const same = await this.queue.run(addressKey(address), () =>
      this.compare(normal, passwordHash ?? NOBODY),
    );
    return same && passwordHash !== null;
  }

  // A damaged hash must not answer differently from a wrong password.
  private async compare(password: string, passwordHash: string): Promise<boolean> {
    try {
      return await verify(passwordHash, password);
    } catch (error) {
      this.logger.error(`A stored password hash cannot be read: ${String(error)}`);
      return false;
    }
  }
}

const lettersAndDigits = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
const withoutDigitsAround = (text: string) => text.replace(/^\p{N}+|\p{N}+$/gu, '');

/** Is the password a name, apart from case, signs, and digits before and behind it, as Ann.Lee-1? */
function isBuiltOn(password: string, name: string): boolean {
  const [word, base] = [lettersAndDigits(password), lettersAndDigits(name)];
  return base !== '' && (word === base || withoutDigitsAround(word) === withoutDigitsAround(base));
}
