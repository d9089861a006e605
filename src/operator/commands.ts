import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { ApplicationsService } from '../features/applications/applications.service.js';
import { GamesService } from '../features/games/games.service.js';
import { ExplorerCounter } from '../features/openings/explorer.counter.js';
import { RecoveriesService } from '../features/recovery/recoveries.service.js';

import { badInput } from '../platform/errors/errors.js';
import { shown } from '../rules/shown.js';

/** What the operator of a server does by programs, in an application of their own or in that of the running server. */

export type Print = (text: string) => void;
type Command = (app: INestApplicationContext, print: Print, ...args: string[]) => Promise<void>;

const TOLD_EVERY = 10_000;
/** The pause before checking again for games that another process has locked. */
const LEFT_PAUSE_MS = 200;

/** Calls a game off, with a reason that both players can read. */
async function adjudicate(
  app: INestApplicationContext,
  print: Print,
  id: string,
  why: string,
): Promise<void> {
  const { status, plyCount } = await app.get(GamesService).adjudicate(id, why);
  print(`Game ${id} is ${status} after ply ${plyCount}.`);
}

/** Makes a link by which a user chooses a new password, once, within an hour. */
async function recovery(app: INestApplicationContext, print: Print, username: string): Promise<void> {
  print(await app.get(RecoveriesService).linkFor(username));
}

/** What is done to an application; returns what to print. */
const TO_APPLICATIONS: ReadonlyMap<
  string,
  (applications: ApplicationsService, ...args: string[]) => Promise<string>
> = new Map([
  [
    'register',
    async (applications, username: string, name: string, url: string) => {
      const { application: made, secret } = await applications.createFor(username, { name, url });
      return `client_id=${made.id}\nclient_secret=${secret}`;
    },
  ],
  [
    'owner',
    async (applications, id: string, username: string) => {
      await applications.giveOwner(id, username);
      return `${username} is an owner of the application ${id}.`;
    },
  ],
  [
    'suspend',
    async (applications, id: string) => {
      await applications.suspend(id, true);
      return `The application ${id} is suspended.`;
    },
  ],
  [
    'resume',
    async (applications, id: string) => {
      await applications.suspend(id, false);
      return `The application ${id} is active.`;
    },
  ],
]);

/** Registers an application, gives it an owner, suspends it, or lets it go on. */
async function application(
  app: INestApplicationContext,
  print: Print,
  what: string,
  ...args: string[]
): Promise<void> {
  const act = TO_APPLICATIONS.get(what);
  if (act === undefined) {
    throw badInput(
      'what',
      `The first word must be ${[...TO_APPLICATIONS.keys()].join(', ')}; got ${shown(what)}.`,
    );
  }
  print(await act(app.get(ApplicationsService), ...args));
}

/** Deletes the counts of the opening explorer and counts all games again. */
async function rebuild(app: INestApplicationContext, print: Print): Promise<void> {
  await app.get(ExplorerCounter).reset();
  await countAll(app, print);
}

/** Counts all waiting games for the explorer; resolves when none is left. */
export async function countAll(app: INestApplicationContext, print: Print): Promise<void> {
  const counter = app.get(ExplorerCounter);
  const total = await counter.waiting();
  print(`${total} games to count.`);
  let counted = 0;
  const onBatch = (games: number) => {
    const before = counted;
    counted += games;
    if (Math.floor(counted / TOLD_EVERY) > Math.floor(before / TOLD_EVERY)) print(`${counted} counted.`);
  };
  for (;;) {
    await counter.count(onBatch);
    if ((await counter.waiting()) === 0) break;
    await pause(LEFT_PAUSE_MS);
  }
  print('All games are counted.');
}

export const COMMANDS = { adjudicate, application, recovery, rebuild } satisfies Readonly<
  Record<string, Command>
>;
export type CommandName = keyof typeof COMMANDS;

/** Throws the refusals of the command. */
export function run(
  app: INestApplicationContext,
  name: CommandName,
  args: readonly string[],
  print: Print,
): Promise<void> {
  const command: Command = COMMANDS[name];
  return command(app, print, ...args);
}
