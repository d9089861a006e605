import { accept, refuse, type Result } from '../rules/result.js';
import { bytesOfHex, hexOf, isHex32, sha256 } from './digest.js';

/**
 * What is promised before the deal: the server's seed by its hash, and, where the creator asks for it, his own.
 * Source: docs/fairness.md, "The protocol".
 */

/** The longest client seed of format 1, in characters. */
export const CLIENT_SEED_LENGTH = 64;

/** Lower-case hex SHA-256 of the 32 bytes of a server seed, shown before anyone gives a client seed. */
export const commitment = (serverSeed: Uint8Array): string => hexOf(sha256(serverSeed));

/** Lower-case hex SHA-256 of a client seed's UTF-8, for a creator who gives the seed itself later. */
export const clientSeedHash = (clientSeed: string): string => hexOf(sha256(clientSeed));

/** A player's part in the shuffle: 128 random bits as 32 lower-case hex digits. */
export const parseClientSeed = (text: string): Result<string> =>
  /^[0-9a-f]{32}$/.test(text)
    ? accept(text)
    : refuse(
        'INVALID_SEED',
        'clientSeed',
        'A client seed is 128 random bits as 32 lower-case hex digits, as `openssl rand -hex 16` prints.',
      );

/** In format 1: up to 64 printable ASCII characters, empty if he gives none. */
export function parseOldClientSeed(text: string): Result<string> {
  if (text.length > CLIENT_SEED_LENGTH) return refuseSeed(`it has ${text.length} characters`);
  if (!/^[\x20-\x7e]*$/.test(text)) return refuseSeed('it has a character outside this range');
  return accept(text);
}

const refuseSeed = (fault: string): Result<never> =>
  refuse(
    'INVALID_SEED',
    'clientSeed',
    `A client seed is 0 to ${CLIENT_SEED_LENGTH} characters from space to ~ (0x20 to 0x7E); ${fault}.`,
  );

/** The 32 bytes of a published server seed, given as 64 lower-case hex digits. */
export const parseServerSeed = (hex: string): Result<Uint8Array> =>
  isHex32(hex)
    ? accept(bytesOfHex(hex))
    : refuse('INVALID_SEED', 'serverSeed', 'A server seed is 64 lower-case hex digits.');
