import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What all programs in this folder share. They use nothing but Node itself, so they run before `npm ci` too. */

const OLDEST_NODE = [20, 19];

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const inRoot = (...parts) => join(root, ...parts);

/** Something that the person at the terminal can put right: shown without a stack. */
export class Complaint extends Error {}

/** Ends with a clear sentence when Node is too old or nothing is installed. */
export function checkTools() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new Complaint(
      `Halfmove needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}.`,
    );
  }
  if (!existsSync(inRoot('node_modules'))) {
    throw new Complaint('The dependencies are not installed: run npm ci first.');
  }
}

/** Runs a Node program of a package in the project's folder; answers with its exit code and what it printed. */
export function runTool(path, args, { env = {}, nodeArgs = [], capture = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...nodeArgs, inRoot('node_modules', path), ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: capture ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: code ?? 1, signal, output }));
  });
}

/** Reads .env, where there is one; what the environment says already stays as it is. */
export function loadEnvFile() {
  if (existsSync(inRoot('.env'))) process.loadEnvFile(inRoot('.env'));
}

/** Runs a program of this folder; a complaint ends it with its sentence alone. */
export async function main(program) {
  try {
    await program();
  } catch (error) {
    console.error(error instanceof Complaint ? error.message : error);
    process.exitCode = 1;
  }
}

/** Was the module with this address started, rather than imported? */
export const isProgram = (url) =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === realpathSync(fileURLToPath(url));
