import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { restApi } from '../support/api.js';
import { freePort, newFolder, onClusters, postgresOwner, postgresPrograms } from '../support/clusters.js';
import { openServerSession } from '../../src/platform/database/session.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { inFull, printCounts, rounds } from '../support/scale.js';
import { Terminal } from '../support/terminals.js';
import { must, send } from '../support/transport.js';
import { blocksOf } from './blocks.js';

/**
 * The commands of docs/scale.md, in their order: two servers behind HAProxy, a primary and its standby, a promotion while
 * games are played, and a rolling upgrade. Only ports and folders are others.
 */

const PAGE = 'docs/scale.md';
const HAPROXY = '/usr/sbin/haproxy';
const BOARDS = rounds(8, 3);
const MORE_MOVES = rounds(400, 40);
/** Knights out and back, without a fifth repetition. */
const MOVES = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
const PLIES = 12;
const PORTS = ['3000', '3001', '3002', '5000'];
const DATABASES = ['db1', 'db2'];
/** The page's listens to everybody; replication does not need the disk. */
const QUICK = [
  "listen_addresses = '127.0.0.1'",
  'fsync = off',
  'full_page_writes = off',
  'shared_buffers = 32MB',
];

/** The blocks of commands under a heading of the second level. */
function commandsUnder(heading: string): readonly { readonly machine: string; readonly text: string }[] {
  const lines = readFileSync(PAGE, 'utf8').split('\n');
  const headingOf = (line: number) => lines.slice(0, line).findLast((text) => text.startsWith('## '));
  const blocks = blocksOf(PAGE).filter(({ language, line }) => language === 'sh' && headingOf(line) === `## ${heading}`); // prettier-ignore
  return blocks.map(({ flags, text }) => ({ machine: flags[0]!, text }));
}

/** The environment comes before the file of the page. */
const LIMITS = {
  MAX_OPEN_CHALLENGES: '10000',
  MAX_RUNNING_GAMES: '10000',
  CHALLENGES_PER_MINUTE: '10000',
  CHALLENGES_PER_HOUR: '10000',
};
/** Between two moves at a board. */
const THINKING_MS = 40;
const TEMPORARY = /UNAVAILABLE|OVERLOADED|INTERNAL/;

onClusters(
  'what the page about more than one server says',
  () => {
    const ports = new Map<string, number>();
    const folders = new Map<string, string>();
    const terminals = new Map<string, Terminal>();
    let url: string;
    let ann: Person;
    let ben: Person;
    let run = 0;

    beforeAll(async () => {
      for (const name of [...PORTS, ...DATABASES]) ports.set(name, await freePort());
      for (const name of [...DATABASES, 'servers']) folders.set(name, newFolder());
      for (const name of folders.keys()) terminals.set(name, terminalOf(name));
      url = `http://127.0.0.1:${ports.get('3000')}`;
      for (const heading of ['The primary', 'A standby', 'HAProxy', 'The servers']) await follow(heading);
      [ann, ben] = [await register(url, 'ann'), await register(url, 'ben')];
    }, 120_000);
    afterAll(async () => {
      for (const terminal of terminals.values()) await terminal.close();
      for (const machine of DATABASES) signal(postmasterOf(machine), 'SIGQUIT');
      signal(fileOf('servers', 'haproxy.pid'), 'SIGTERM');
      for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
    });

    const fileOf = (machine: string, name: string) => join(folders.get(machine)!, name);
    const dataOf = (machine: string) => fileOf(machine, 'halfmove');
    const postmasterOf = (machine: string) => join(dataOf(machine), 'postmaster.pid');

    function signal(pidFile: string, name: NodeJS.Signals): void {
      if (existsSync(pidFile)) process.kill(Number.parseInt(readFileSync(pidFile, 'utf8')), name);
    }

    function terminalOf(machine: string): Terminal {
      const env = { PATH: `${postgresPrograms()}:${dirname(HAPROXY)}:${process.env['PATH']}` };
      if (machine === 'servers') return new Terminal(folders.get(machine)!, { ...env, ...LIMITS });
      // The standby copies where the primary has its socket.
      const own = { PGPORT: `${ports.get(machine)}`, PGUSER: 'postgres', PGHOST: folders.get('db1')! };
      return new Terminal(folders.get(machine)!, { ...env, ...own }, postgresOwner());
    }

    async function follow(heading: string): Promise<void> {
      for (const { machine, text } of commandsUnder(heading)) {
        const own = text
          .replaceAll('/var/lib/postgresql/halfmove', dataOf(machine))
          .replaceAll(
            "listen_addresses = '*'",
            [...QUICK, `unix_socket_directories = '${folders.get('db1')}'`].join('\n'),
          ) // prettier-ignore
          .replaceAll(/\b(db[12]):5432\b/g, (_, name: string) => `127.0.0.1:${ports.get(name)}`)
          .replaceAll(new RegExp(`\\b(${PORTS.join('|')})\\b`, 'g'), (port) => `${ports.get(port)}`)
          .replaceAll('dist/main.js', join(process.cwd(), 'dist/main.js'));
        await terminals.get(machine)!.run(own);
        run++;
      }
    }

    /** Games one after the other at several boards, and what became of their moves. */
    class Play {
      private readonly plies = new Map<string, number>();
      readonly refused: string[] = [];
      moves = 0;
      private readonly leaving = new AbortController();
      private readonly boards: Promise<unknown>;

      /** `at` gives the address for a ply. */
      constructor(private readonly at: (ply: number) => string = () => url) {
        this.boards = Promise.all(Array.from({ length: BOARDS }, () => this.playOn()));
      }

      private async playOn(): Promise<void> {
        while (!this.leaving.signal.aborted) {
          const game = await begin(restApi(url), ann, ben).catch((error: Error) =>
            this.refuse(error.message),
          );
          for (let ply = 1; game !== null && ply <= PLIES && !this.leaving.signal.aborted;) {
            const by = ply % 2 === 1 ? ann : ben;
            const { refusal } = await restApi(this.at(ply)).makeMove(by, game.id, ply, MOVES[(ply - 1) % 4]!);
            if (refusal !== undefined) await this.refuse(refusal.code);
            else if (this.plies.set(game.id, ply++)) this.moves++;
            await pause(THINKING_MS);
          }
        }
      }

      private async refuse(why: string): Promise<null> {
        if (!TEMPORARY.test(why)) throw new Error(why);
        // What a slow machine is too busy for says nothing about what is followed here.
        if (!why.includes('OVERLOADED')) this.refused.push(why);
        return pause(50, null);
      }

      async more(moves: number): Promise<void> {
        const enough = this.moves + moves;
        while (this.moves < enough) await Promise.race([pause(20), this.boards]);
      }

      /** Ends it; how many of the answered moves are not stored. */
      async lost(): Promise<number> {
        this.leaving.abort();
        await this.boards;
        let lost = 0;
        for (const [id, ply] of this.plies) lost += Math.max(0, ply - must(await restApi(url).game(null, id)).plyCount); // prettier-ignore
        return lost;
      }
    }

    test('all requests of a game meet one server, and those of several games both', async () => {
      const serverOf = async (path: string) => (await send(url, path)).headers['x-server']!;
      const seen = new Set<string>();
      for (let games = 0; games < 8 || seen.size < 2; games++) {
        const { id } = await begin(restApi(url), ann, ben);
        const paths = ['', '/moves', '/legal-moves?x', '/record'].map((rest) => `/v1/games/${id}${rest}`);
        const servers = new Set(await Promise.all([...paths, `/v1/challenges/${id}`].map(serverOf)));
        expect(servers.size).toBe(1);
        seen.add([...servers][0]!);
      }
      expect([...seen].sort()).toEqual(['one', 'two']);
      const others = await Promise.all(
        ['/v1/rulesets', '/v1/leaderboards/chess', '/graphql', '/livez'].map(serverOf),
      );
      expect(new Set(others).size).toBe(1);
    });

    test('a promotion loses no move that was answered', async () => {
      const play = new Play();
      await play.more(MORE_MOVES);
      signal(postmasterOf('db1'), 'SIGQUIT');
      await follow('Promotion');
      await play.more(MORE_MOVES);
      const lost = await play.lost();
      printCounts('Promotion', { moves: play.moves, refused: play.refused.length, lost });
      expect(lost).toBe(0);
    }, 120_000);

    test('a rolling upgrade refuses no request', async () => {
      const play = new Play();
      await play.more(MORE_MOVES);
      await follow('A rolling upgrade');
      await play.more(MORE_MOVES);
      const lost = await play.lost();
      printCounts('Rolling upgrade', { moves: play.moves, refused: play.refused.length, lost });
      expect([lost, play.refused]).toEqual([0, []]);
    }, 120_000);

    inFull('a game is cheapest where all its moves meet', async () => {
      const session = await openServerSession(`postgresql://halfmove:first-secret@127.0.0.1:${ports.get('5000')}/halfmove`, 'halfmove tests'); // prettier-ignore
      const transactions = async () => {
        // Statistics are a second late.
        await pause(2000);
        const [row] = await session.query<{ n: string }>("SELECT xact_commit AS n FROM pg_stat_database WHERE datname = 'halfmove'"); // prettier-ignore
        return Number(row!.n);
      };
      const direct = (port: string) => `http://127.0.0.1:${ports.get(port)}`;
      const ways = {
        alone: () => direct('3001'),
        'in turns': (ply: number) => direct(ply % 2 === 0 ? '3001' : '3002'),
        'by game': () => url,
      };
      const idle = await transactions();
      const perPause = (await transactions()) - idle;
      const cost: Record<string, number> = {};
      for (const [way, at] of Object.entries(ways)) {
        const before = await transactions();
        const play = new Play(at);
        await play.more(MORE_MOVES * 4);
        expect(await play.lost()).toBe(0);
        cost[way] = ((await transactions()) - before - perPause) / play.moves;
      }
      printCounts('Transactions a move', cost);
      await session.close();
      expect(cost['by game']).toBeLessThan(cost['in turns']!);
    });

    test('every command of the page was run', () => {
      const commands = blocksOf(PAGE).filter(({ language }) => language === 'sh');
      expect(commands.length).toBe(run);
    });
  },
  HAPROXY,
);
