import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../scripts/support.mjs';
import { FOLDER } from './settings.mjs';

/**
 * Copies peers/ to another folder and installs its packages there, because they are not needed to work on the
 * server. A stamp, written last, records which files it was installed from.
 */

const SOURCE = fileURLToPath(new URL('peers', import.meta.url));
const STAMP = join(FOLDER, 'peers.stamp');

export const PEERS = join(FOLDER, 'peers');
export const PROTOTYPES_FOLDER = join(PEERS, 'prototypes');

/** A module from the packages of the peers. */
export const requirePeer = createRequire(join(PEERS, 'package.json'));

function digestOfSource() {
  const hash = createHash('sha256');
  const files = readdirSync(SOURCE, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  for (const path of files.map((file) => join(file.parentPath, file.name)).sort()) {
    hash.update(`${path.slice(SOURCE.length)}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

/** Whether the peers of this checkout are installed. */
export const arePeersInstalled = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digestOfSource();

function run(command, args, cwd, env = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  if (error) throw error;
  if (status !== 0) throw new UserError(`${command} ${args.join(' ')} failed.`);
}

/** Install scripts of packages are not run, as in the project itself. */
const NPM_INSTALL = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];

function generateClient() {
  const prisma = join(PEERS, 'node_modules/prisma/build/index.js');
  run(process.execPath, [prisma, 'generate', '--no-hints'], PROTOTYPES_FOLDER, {
    CHECKPOINT_DISABLE: '1',
    // The client needs no schema engine; this keeps Prisma from downloading one.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  });
}

export function installPeers() {
  rmSync(STAMP, { force: true });
  mkdirSync(PEERS, { recursive: true });
  cpSync(SOURCE, PEERS, { recursive: true });
  run('npm', NPM_INSTALL, PEERS);
  generateClient();
  writeFileSync(STAMP, digestOfSource());
  console.log(`Installed the peers in ${FOLDER}.`);
}
