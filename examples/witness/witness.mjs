#!/usr/bin/env node
/**
 * A witness of a Halfmove server's log of all games. Each run fetches the newest checkpoint, checks that the log has only
 * grown since the last one, and cosigns it (C2SP tlog-cosignature). It needs only Node 20 and no packages, shares no code
 * with the server, and together with log.mjs can be read in ten minutes.
 *
 *   node witness.mjs https://play.example.org                  check, cosign, print the cosigned checkpoint
 *   node witness.mjs https://play.example.org --proof FILE     print the .tlog-proof for the cosigned checkpoint
 *   node witness.mjs https://play.example.org --list-open 14   list openings without an end, first seen 14 days ago or earlier
 *   node witness.mjs https://play.example.org --game ID        print the entries of a game
 *
 *   --state FILE   the file with the witness's state, including its secret key (witness.json)
 *   --key KEY      the key of the log, NAME+ID+BASE64; by default asked of the server once and stored
 *   --name NAME    the name of the witness in its signatures, set on the first run (witness.example/HOSTNAME)
 *   --every N      check again every N minutes until the log is found changed; what could not be checked is tried again
 *   --port PORT    with --every: serve the newest cosigned checkpoint at /checkpoint, and the key at /key
 *
 * Exit code 0: the checks passed. 1: the log was changed, contradicts itself, or has no opening of the game that --game
 * names; FILE.evidence.json has the evidence. 2: the log could not be checked.
 */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as log from './log.mjs';

const USAGE =
  'usage: witness.mjs ADDRESS [--list-open DAYS | --game ID | --proof FILE | --every MINUTES [--port PORT]] [--state FILE] [--key KEY] [--name NAME]';
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Wrong usage. */
class Misuse extends Error {}

/** The log contradicts itself, which is what a witness exists to find. */
class Fraud extends Error {
  constructor(message, evidence) {
    super(message);
    this.evidence = evidence;
  }
}

function readArguments() {
  const options = {
    state: { type: 'string', default: 'witness.json' },
    key: { type: 'string' },
    name: { type: 'string', default: `witness.example/${hostname()}` },
    'list-open': { type: 'string' },
    game: { type: 'string' },
    proof: { type: 'string' },
    every: { type: 'string' },
    port: { type: 'string' },
  };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [address = ''] = positionals;
  const need = (isRight, why) => {
    if (!isRight) throw new Misuse(why);
  };
  const form = (name, pattern, what) =>
    need(pattern.test(values[name] ?? what), `--${name} must look like ${what}; got ${values[name]}.`);
  need(positionals.length === 1, `Exactly one ADDRESS is required; got ${positionals.length}.`);
  need(/^https?:/.test(address) && URL.canParse(address), `ADDRESS must look like https://play.example.org; got ${address}.`);
  need(['list-open', 'game', 'proof', 'every'].filter((name) => name in values).length < 2, 'Only one of --list-open, --game, --proof and --every is allowed.');
  need('every' in values || !('port' in values), '--port requires --every as well.');
  form('list-open', /^\d{1,5}$/, '14');
  form('game', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, '01a2ed06-2495-72a0-8a5f-9190cb8ec783');
  form('key', log.VERIFIER_KEY, 'play.example.org/log+0badc0de+AbCd');
  form('name', /^[^+\s]+$/, 'witness.example/ann');
  form('every', /^[1-9]\d{0,3}$/, '5');
  form('port', /^\d{1,5}$/, '3001');
  return { ...values, server: address.replace(/\/+$/, '') };
}

// ------------------------------------------------------------------------------------------------------------ The state

/** Writes the state atomically: a witness must not forget what it saw. */
function save(state) {
  writeFileSync(`${given.state}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${given.state}.new`, given.state);
}

/** The keys of the log in use, as published by the server. */
async function publishedKeys() {
  const { keys } = JSON.parse(await log.fetched(given.server, '/.well-known/halfmove.json'));
  return keys.filter(({ use, until }) => use === 'log' && until === null).map(({ key }) => key);
}

async function stateAtStart() {
  if (existsSync(given.state)) {
    const state = JSON.parse(readFileSync(given.state, 'utf8'));
    if (given.key === undefined || state.logKeys.includes(given.key)) return state;
    throw new Error(`${given.state} is for a log with the key ${state.logKeys.join(' or ')}, not ${given.key}.`);
  }
  const logKeys = given.key === undefined ? await publishedKeys() : [given.key];
  if (logKeys.length === 0) throw new Error('The server publishes no key of its log.');
  const { privateKey } = generateKeyPairSync('ed25519');
  const own = { name: given.name, secret: privateKey.export({ format: 'pem', type: 'pkcs8' }) };
  const state = { logKeys, key: log.witnessKey(own), ...own, checkpoint: null, seen: {} };
  save(state);
  console.error(`A new witness, with the key ${state.key}\nof the log with the key ${logKeys.join('\nand ')}`);
  return state;
}

/** The keys to trust from now on: the known ones that still sign, and new ones that sign together with them. */
async function keysBehind({ signedBy, ...checkpoint }) {
  if (checkpoint.signatures.length === signedBy.length) return signedBy;
  const others = (await publishedKeys()).filter((key) => !signedBy.includes(key));
  const learned = others.filter((key) => log.hasSigned(key, checkpoint));
  for (const key of learned) console.error(`The log has a new key, ${key}\nwhich signs beside ${signedBy.join(' and ')}`);
  return [...signedBy, ...learned];
}

// ----------------------------------------------------------------------------------------------------------- The checks

/** Checks that the log is a continuation of an older checkpoint. */
async function compare(older, newer) {
  const evidence = { older: older.note, newer: newer.note };
  if (newer.size < older.size) throw new Fraud(`The log has shrunk from ${older.size} entries to ${newer.size}.`, evidence);
  const [was, is] = await log.treeOf(given.server, newer.size).roots(older.size);
  if (!is.equals(newer.root)) throw new Fraud('The tiles that the server gives are not those of its checkpoint.', evidence);
  if ((was ?? log.sha256()).equals(older.root)) return;
  throw new Fraud(`The log was forked: its first ${older.size} entries are not those that they were.`, evidence);
}

/** All entries of the log, checked against the root of the checkpoint. */
async function entriesOf({ size, root, note }) {
  const entries = await log.bundles(given.server, size);
  if (entries.length !== size || !log.rootOf(entries.map(log.leafHash)).equals(root)) {
    throw new Fraud('The entries that the server gives are not those of its checkpoint.', { newer: note });
  }
  return entries.map(parsedEntry);
}

function parsedEntry(entry) {
  try {
    return JSON.parse(entry.toString()) ?? {};
  } catch {
    return {};
  }
}

/** Contradictions: an id must have one opening, then at most one end, with the committed seed. */
function faultsIn(entries) {
  const [commitments, ended, faults] = [new Map(), new Set(), []];
  for (const [place, { type, game, commitment, serverSeed }] of entries.entries()) {
    const need = (isRight, why) => isRight || faults.push(`entry ${place}, ${type} of ${game}: ${why}`);
    need(type === 'open' || type === 'end', 'it is neither an opening nor an end');
    if (type === 'open') {
      need(!commitments.has(game), 'it was opened before');
      if (!commitments.has(game)) commitments.set(game, commitment);
    } else if (type === 'end') {
      need(commitments.has(game), 'it was not opened before');
      need(!ended.has(game), 'it had ended before');
      const isKept = serverSeed === null || log.sha256(Buffer.from(String(serverSeed), 'hex')).toString('hex') === commitments.get(game);
      need(isKept, 'its server seed has another hash than the commitment');
      ended.add(game);
    }
  }
  return faults;
}

/** The day on which the witness first saw the entry at an index. */
const daySeen = (seen, place) => Object.keys(seen).sort().find((day) => seen[day] > place);
const dayOf = (time) => new Date(time).toISOString().slice(0, 10);

function listOpen(entries, days, seen) {
  const ended = new Set(entries.filter(({ type }) => type === 'end').map(({ game }) => game));
  const open = entries.flatMap((entry, place) =>
    entry.type === 'open' && !ended.has(entry.game) ? [{ ...entry, day: daySeen(seen, place) }] : [],
  );
  const late = open.filter(({ day }) => day <= dayOf(Date.now() - days * DAY_MS));
  for (const { day, game, commitment } of late) console.log(`${day} ${game} ${commitment}`);
  console.error(`${late.length} of ${open.length} openings without an end were first seen ${days} days ago or earlier.`);
}

/** The proof of the same entry for the newest checkpoint, cosigned. */
async function provenAnew({ index, path, note }, checkpoint, { logKeys, cosigned }) {
  const shown = log.opened(note, logKeys);
  const { size, root } = checkpoint;
  if (shown.size > size) throw new Error(`The proof is for a log of ${shown.size} entries, but the server shows this witness only ${size}. Try again later; if this persists, the server shows you a different log.`);
  if (index >= shown.size) throw new Error(`The proof is for index ${index} in a log of only ${shown.size} entries.`);
  await compare(shown, checkpoint);
  const entry = await log.entryAt(given.server, index, size);
  const newPath = await log.treeOf(given.server, size).path(index);
  if (!log.climbed(log.leafHash(entry), index, size, newPath).equals(root)) {
    throw new Fraud('The entry that the server gives is not that of its checkpoint.', { newer: checkpoint.note });
  }
  if (!log.climbed(log.leafHash(entry), index, shown.size, path).equals(shown.root)) {
    throw new Error(`The proof in ${given.proof} does not lead to its checkpoint from what stands at place ${index}: ${entry}`);
  }
  console.error(`At place ${index} stands ${entry}`);
  return log.printProof({ index, path: newPath, note: cosigned });
}

async function main() {
  const proof = given.proof === undefined ? null : log.parsedProof(readFileSync(given.proof, 'utf8'));
  const before = await stateAtStart();
  const checkpoint = log.opened((await log.fetched(given.server, '/log/checkpoint')).toString(), before.logKeys);
  if (before.checkpoint !== null) await compare(log.opened(before.checkpoint, before.logKeys), checkpoint);
  const state = {
    ...before,
    logKeys: await keysBehind(checkpoint),
    checkpoint: checkpoint.note,
    cosigned: checkpoint.note + log.cosignature(checkpoint.text, before),
    seen: { ...before.seen, [dayOf(Date.now())]: checkpoint.size },
  };
  save(state);
  if (proof !== null) process.stdout.write(await provenAnew(proof, checkpoint, state));
  else if (given['list-open'] ?? given.game) await readAll(checkpoint, state);
  else process.stdout.write(state.cosigned);
}

async function readAll(checkpoint, { seen }) {
  const entries = await entriesOf(checkpoint);
  if (given.game === undefined) listOpen(entries, Number(given['list-open']), seen);
  for (const entry of entries) if (entry.game === given.game) console.log(JSON.stringify(entry));
  const faults = faultsIn(entries);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) throw new Fraud(`The log contradicts itself in ${faults.length} places.`, { newer: checkpoint.note, faults });
  if (given.game === undefined || entries.some(({ type, game }) => type === 'open' && game === given.game)) return;
  throw new Fraud(`The log has no opening of ${given.game} among its ${entries.length} entries: with a receipt of it in hand, that is proof.`, { newer: checkpoint.note, game: given.game });
}

/** What others may have of the state: it has the secret as well. */
function serve() {
  const server = createServer(({ url }, response) => {
    const { cosigned, key } = existsSync(given.state) ? JSON.parse(readFileSync(given.state, 'utf8')) : {};
    const found = { '/checkpoint': cosigned, '/key': key && `${key}\n` }[url];
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(found ?? 'A witness has /checkpoint, from its first check on, and /key.\n');
  });
  server.listen(Number(given.port), () => console.error(`Serving /checkpoint and /key on port ${server.address().port}`));
}

/** Checks until the log is found changed. A server that does not answer is asked again. */
async function watch() {
  if (given.port !== undefined) serve();
  for (;;) {
    await main().catch((error) => {
      if (error instanceof Fraud) throw error;
      console.error(`Not checked: ${error.message}`);
    });
    await setTimeout(Number(given.every) * MINUTE_MS);
  }
}

let given;
try {
  given = readArguments();
  await (given.every === undefined ? main() : watch());
} catch (error) {
  if (error instanceof Fraud) {
    const file = `${given.state}.evidence.json`;
    writeFileSync(file, `${JSON.stringify({ server: given.server, at: new Date(), finding: error.message, ...error.evidence }, null, 2)}\n`);
    console.error(`\n!!! ${error.message.toUpperCase()}\n!!! The evidence, signed by the log itself, is in ${file}. Keep it, and tell others.\n`);
    process.exit(1);
  } else {
    const isMisuse = error instanceof Misuse || String(error.code).startsWith('ERR_PARSE_ARGS');
    console.error(isMisuse ? `${error.message}\n${USAGE}` : `Not checked: ${error.message}`);
    process.exitCode = 2;
  }
}
