import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/verify.js';
import type { GameRecord } from '../../src/fairness/record.js';
import { LogService } from '../../src/features/transparency/log.service.js';
import { rechained } from '../fairness/made.js';
import type { Change } from '../fairness/tampering/tampering.js';
import { type Api, restApi } from './api.js';
import { Cheat } from './cheat.js';
import { runChild } from './children.js';
import { type Person, register } from './people.js';
import { begin, NO_CLOCK, playMoves } from './play.js';
import { startServer, type TestServer } from './server.js';
import type { Game } from './api-types.js';
import { must } from './transport.js';

/** What a player holds in addition to the record. */
export interface Held {
  readonly receipts?: readonly (string | null)[];
  readonly proofs?: readonly string[];
  readonly player?: string;
}

/**
 * A server that cheats, and the verification programs of its players. Ann is cheated; Ben may cooperate with
 * the server.
 */
export class CheatingServer {
  private files = 0;

  private constructor(
    readonly server: TestServer,
    readonly cheat: Cheat,
    readonly api: Api,
    readonly ann: Person,
    readonly ben: Person,
    private readonly folder: string,
  ) {}

  static async start(): Promise<CheatingServer> {
    const server = await startServer();
    const [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
    const folder = await mkdtemp(join(tmpdir(), 'halfmove-patched-'));
    return new CheatingServer(server, new Cheat(server), restApi(server.http), ann, ben, folder);
  }

  async close(): Promise<void> {
    await this.server.close();
    await rm(this.folder, { recursive: true });
  }

  async asked(path: string): Promise<string> {
    const answer = await fetch(`${this.server.url}/${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text();
  }

  /** A file with the public keys of the server. */
  async key(): Promise<string> {
    return this.fileOf(await this.asked('.well-known/halfmove.json'));
  }

  append(): Promise<unknown> {
    return this.server.app.get(LogService).append();
  }

  async recordOf(id: string): Promise<GameRecord> {
    return JSON.parse(await this.asked(`v1/games/${id}/record`)) as GameRecord;
  }

  async proofOf(id: string, entry: 'open' | 'end'): Promise<string> {
    await this.append();
    return this.asked(`v1/games/${id}/log-proof?entry=${entry}`);
  }

  /** The checks that fail for the server's record, given what a player holds. */
  async failed(id: string, held: Held = {}): Promise<readonly string[]> {
    return (await this.verified(id, held)).failed;
  }

  /** The exit code of the verifier, and the checks that fail or remain open. */
  async verified(id: string, { receipts = [], proofs = [], player }: Held) {
    const args = ['--key', await this.key(), ...(player === undefined ? [] : ['--player', player])];
    for (const receipt of receipts) args.push('--receipt', await this.fileOf(receipt!));
    for (const proof of proofs) args.push('--proof', await this.fileOf(proof));
    const lines: string[] = [];
    const file = await this.fileOf(await this.asked(`v1/games/${id}/record`));
    const code = await run([...args, file], (line) => lines.push(line));
    const of = (mark: string) => [...new Set(lines.filter((line) => line.startsWith(mark)).map((line) => line.split(/ +/)[1]!))]; // prettier-ignore
    return { code, failed: of('FAILED'), open: of('open') };
  }

  /** Whether two receipts prove that the server has signed contradictory statements. */
  async isProven(one: string | null, other: string | null): Promise<boolean> {
    const receipts = [await this.fileOf(one!), await this.fileOf(other!)];
    return (await run(['--equivocation', '--key', await this.key(), ...receipts], () => undefined)) === 1;
  }

  witness(...args: string[]) {
    const state = join(this.folder, 'witness.json');
    return runChild('examples/witness/witness.mjs', [this.server.url, '--state', state, ...args]).ended();
  }

  /** Replaces the stored record by a changed one with all hashes recomputed. */
  async forge(id: string, change: Change): Promise<void> {
    const record = change(await this.recordOf(id));
    const end = record.rows.find(({ type }) => type === 'end');
    await this.cheat.rewrite({
      ...rechained(record, record.rows),
      outcome: end === undefined ? null : (end.data as unknown as GameRecord['outcome']),
    });
  }

  /** A short game of chess resigned by Ann, with her receipts. */
  async resigned(): Promise<{ readonly id: string; readonly before: Game; readonly end: Game }> {
    const { api, ann, ben } = this;
    const game = await begin(api, ann, ben);
    const before = await playMoves(api, game, ['e2e4', 'e7e5'], { first: ann, second: ben });
    return { id: game.id, before, end: must(await api.resign(ann, game.id)) };
  }

  banqiTerms() {
    return { ruleset: 'banqi-taiwan', opponent: this.ben.username, seat: 'first', timeControl: NO_CLOCK };
  }

  private async fileOf(text: string): Promise<string> {
    const path = join(this.folder, String(this.files++));
    await writeFile(path, text);
    return path;
  }
}
