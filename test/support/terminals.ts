import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A shell in which one block of commands is run after the other, as somebody types them. */
export class Terminal {
  private said = '';
  private readonly shell: ChildProcess;
  private readonly ended: Promise<unknown>;
  private hasEnded = false;
  private blocks = 0;

  constructor(
    private readonly folder: string,
    env: NodeJS.ProcessEnv,
    as: { readonly uid?: number; readonly gid?: number } = {},
  ) {
    // A group of its own, with all that it starts in the background.
    this.shell = spawn('bash', { ...as, cwd: folder, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    for (const stream of [this.shell.stdout!, this.shell.stderr!])
      stream.on('data', (chunk: Buffer) => (this.said += chunk.toString()));
    this.ended = once(this.shell, 'exit').then(() => (this.hasEnded = true));
    this.shell.stdin!.write('set -euo pipefail\n');
  }

  /** Resolves when all commands have succeeded; rejects with what they printed. */
  async run(commands: string): Promise<void> {
    const file = join(this.folder, `block-${++this.blocks}.sh`);
    writeFileSync(file, commands);
    const done = `done ${this.blocks}`;
    this.shell.stdin!.write(`. ${file} </dev/null\necho ${done}\n`);
    while (!this.said.includes(done)) {
      if (this.hasEnded) throw new Error(`The shell ended at:\n${commands}\n${this.said.slice(-3000)}`);
      await Promise.race([pause(20), this.ended]);
    }
  }

  /** Ends the shell and what it has in the background. */
  async close(): Promise<void> {
    if (!this.hasEnded) process.kill(-this.shell.pid!, 'SIGKILL');
    await this.ended;
  }
}
