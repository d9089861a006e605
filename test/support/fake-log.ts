import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { printNote, printVerifierKey, type VerifierKey, verifierKey } from '../../src/fairness/note.js';
import {
  grown,
  inclusionProof,
  leafHash,
  rootOf,
  type Tile,
  type TreeNode,
} from '../../src/fairness/tlog.js';
import {
  parseTilePath,
  printBundle,
  printCheckpoint,
  printLogProof,
} from '../../src/fairness/tlog-formats.js';

interface Signer {
  readonly key: VerifierKey;
  readonly secret: KeyObject;
}

/** A key pair for a log of this name. */
export function logSigner(origin: string): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { key: verifierKey(origin, Uint8Array.from(raw)), secret: privateKey };
}

export const gameId = (n: number): string => `0198c0de-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const seedOf = (n: number): Buffer => createHash('sha256').update(`seed ${n}`).digest();
const commitmentOf = (n: number): string => createHash('sha256').update(seedOf(n)).digest('hex');

export const openOf = (n: number, more: object = {}): Buffer =>
  entry({ commitment: commitmentOf(n), game: gameId(n), hash: 'h', type: 'open', ...more });
export const endOf = (n: number, more: object = {}): Buffer =>
  entry({ end: 'declined', game: gameId(n), serverSeed: seedOf(n).toString('hex'), type: 'end', ...more });
const entry = (value: object): Buffer => Buffer.from(JSON.stringify(value));

/** A server with a log whose contents a test chooses. */
export class FakeLog {
  entries: Buffer[] = [];
  /** The keys that sign the checkpoints, newest first; all of them are published. */
  signers: readonly Signer[];
  private server!: Server;

  constructor(readonly origin = 'play.test/log') {
    this.signers = [logSigner(origin)];
  }

  get key(): string {
    return printVerifierKey(this.signers[0]!.key);
  }

  grow(count: number): this {
    for (let i = 0; i < count; i++) this.entries.push(openOf(this.entries.length));
    return this;
  }

  async start(): Promise<string> {
    this.server = createServer((request, response) => {
      const answer = this.answer(request.url!);
      response.statusCode = answer === null ? 404 : 200;
      response.end(answer ?? 'not there');
    });
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** The .tlog-proof of an entry. */
  proof(index: number): string {
    const path = inclusionProof(index, this.entries.length, (tile) => this.hashes(tile)!);
    return printLogProof({ index, path, checkpoint: this.checkpoint() });
  }

  private answer(path: string): string | Uint8Array | null {
    if (path === '/log/checkpoint') return this.checkpoint();
    if (path === '/.well-known/halfmove.json') {
      const keys = this.signers.map(({ key }) => ({ use: 'log', key: printVerifierKey(key), until: null }));
      return JSON.stringify({ keys });
    }
    const tile = parseTilePath(path.replace('/log/tile/', ''));
    if (tile === null) return null;
    const { level, index, width } = tile;
    if (level !== 'entries') return this.hashes({ level, index, width });
    return printBundle(this.entries.slice(index * 256, index * 256 + width));
  }

  /** Null if the tree is not large enough yet. */
  private hashes({ level, index, width }: Tile): Uint8Array | null {
    const nodes: TreeNode[] = grown(0, this.entries.map((each) => leafHash(each)), () => new Uint8Array()); // prettier-ignore
    const row = nodes.filter((node) => node.level === level).slice(index * 256, index * 256 + width);
    return row.length < width ? null : Buffer.concat(row.map(({ hash }) => hash));
  }

  private checkpoint(): string {
    const root = rootOf(this.entries.map((each) => leafHash(each)));
    const text = printCheckpoint({ origin: this.origin, size: this.entries.length, root });
    const signatures = this.signers.map(({ key, secret }) => ({ ...key, bytes: sign(null, Buffer.from(text), secret) })); // prettier-ignore
    return printNote({ text, signatures });
  }
}
