import { accept, refuse, type Result } from '../rules/result.js';
import { bytesOfHex, hexOf, isHex32, sha256 } from './digest.js';

/**
 * Commitments made before the deal: to the server seed and, if announced, to client seeds. See docs/fairness.md, "The
 * protocol".
 */

/** Lower-case hex SHA-256 of the 32 bytes of a server seed, shown before anyone gives a client seed. */
export const commitment = (serverSeed: Uint8Array): string => hexOf(sha256(serverSeed));

/** Lower-case hex SHA-256 of a client seed's UTF-8, for a creator who gives the seed itself later. */
export const clientSeedHash = (clientSeed: string): string => hexOf(sha256(clientSeed));

/** Messages give only the length of a wrong seed, which may be nearly the secret one. */
const described = ({ length }: string): string =>
  `a text of ${length} ${length === 1 ? 'character' : 'characters'}`;

/** A player's part in the shuffle: 128 random bits as 32 lower-case hex digits. */
export const parseClientSeed = (text: string): Result<string> =>
  /^[0-9a-f]{32}$/.test(text)
    ? accept(text)
    : refuse(
        'INVALID_SEED',
        'clientSeed',
        `clientSeed must be 32 lower-case hex digits (128 random bits, as \`openssl rand -hex 16\` prints); got ${described(text)}.`,
      );

/** The 32 bytes of a published server seed, given as 64 lower-case hex digits. */
export const parseServerSeed = (hex: string): Result<Uint8Array> =>
  isHex32(hex)
    ? accept(bytesOfHex(hex))
    : refuse(
        'INVALID_SEED',
        'serverSeed',
        `A server seed must be 64 lower-case hex digits; got ${described(hex)}.`,
      );
