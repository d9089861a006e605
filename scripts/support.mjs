import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Shared by all programs in this folder. It uses only Node, so that it runs before `npm ci`. */

const OLDEST_NODE = [20, 19];

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const inRoot = (...parts) => join(root, ...parts);

/** An error that the user can fix: shown without a stack trace. */
export class UserError extends Error {}

/** Throws a UserError if Node is too old or the dependencies are missing. */
export function checkTools() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new UserError(
      `Halfmove needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}.`,
    );
  }
  if (!existsSync(inRoot('node_modules'))) {
    throw new UserError('The dependencies are not installed. Run npm ci first.');
  }
}

/** Runs a Node program of a package in the project's folder; returns its exit code and its output. */
export const runTool = (path, args, { nodeArgs = [], ...options } = {}) =>
  runNode([...nodeArgs, inRoot('node_modules', path), ...args], options);

/** Runs Node with these arguments in the project's folder; returns its exit code and its output. */
export function runNode(args, { env = {}, capture = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
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

/** Reads .env, if it exists, without overriding the environment. */
export function loadEnvFile() {
  if (existsSync(inRoot('.env'))) process.loadEnvFile(inRoot('.env'));
}

/** Runs a program of this folder; prints only the message of a UserError. */
export async function main(program) {
  try {
    await program();
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error);
    process.exitCode = 1;
  }
}

/** True if the module was started rather than imported. */
export const isProgram = (url) =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === realpathSync(fileURLToPath(url));
