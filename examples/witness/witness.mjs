#!/usr/bin/env node
/**
 * A witness of a Halfmove server's log of all games. Each time it runs it fetches the newest checkpoint, checks that the
 * log has only grown since the last one that it saw, and signs what it has seen (C2SP tlog-cosignature). Node 20 alone,
 * no packages; it shares no code with the server, and can be read in ten minutes, with log.mjs beside it.
 *
 *   node witness.mjs https://play.example.org                  check, cosign, print the cosigned checkpoint
 *   node witness.mjs https://play.example.org --proof FILE     print a .tlog-proof anew, with the cosigned checkpoint
 *   node witness.mjs https://play.example.org --list-open 14   read all entries; what has no end, first seen 14 days ago
 *   node witness.mjs https://play.example.org --game ID        read all entries; what the log tells of a game
 *
 *   --state FILE   what the witness remembers, its secret key included (witness.json)
 *   --key KEY      the key of the log, NAME+ID+BASE64; else it is asked of the server once, and remembered
 *   --name NAME    the name of the witness in its signatures (witness.example/NAME of this machine), for the first start
 *
 * Exit code 0: all is well. 1: the log was changed or contradicts itself; FILE.evidence.json has what shows it. 2: it
 * could not be checked.
 */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import * as log from './log.mjs';

const USAGE =
  'usage: witness.mjs ADDRESS [--list-open DAYS | --game ID | --proof FILE] [--state FILE] [--key KEY] [--name NAME]';
const DAY_MS = 86_400_000;

/** Called wrongly: what is wrong. */
class Misuse extends Error {}

/** The log contradicts itself: the one thing that a witness is there to find. */
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
  };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [address = ''] = positionals;
  const need = (isRight, why) => {
    if (!isRight) throw new Misuse(why);
  };
  const form = (name, pattern, what) =>
    need(pattern.test(values[name] ?? what), `--${name} must be as ${what}; got ${values[name]}`);
  need(positionals.length === 1, `Give one ADDRESS of a server; got ${positionals.length}.`);
  need(/^https?:/.test(address) && URL.canParse(address), `ADDRESS must be as https://play.example.org; got ${address}`);
  need(['list-open', 'game', 'proof'].filter((name) => name in values).length < 2, 'Give one of --list-open, --game, --proof.');
  form('list-open', /^\d{1,5}$/, '14');
  form('game', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, '01a2ed06-2495-72a0-8a5f-9190cb8ec783');
  form('key', log.VERIFIER_KEY, 'play.example.org/log+0badc0de+AbCd');
  form('name', /^[^+\s]+$/, 'witness.example/ann');
  return { ...values, server: address.replace(/\/+$/, '') };
}

// ------------------------------------------------------------------------------------------------------------ The state

/** Whole or not at all: a witness that forgets is none. */
function save(state) {
  writeFileSync(`${given.state}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${given.state}.new`, given.state);
}

/** The keys of the log that are in use, as the server tells them. */
async function toldKeys() {
  const { keys } = JSON.parse(await log.fetched(given.server, '/.well-known/halfmove.json'));
  return keys.filter(({ use, until }) => use === 'log' && until === null).map(({ key }) => key);
}

async function stateAtStart() {
  if (existsSync(given.state)) {
    const state = JSON.parse(readFileSync(given.state, 'utf8'));
    if (given.key === undefined || state.logKeys.includes(given.key)) return state;
    throw new Error(`${given.state} is about a log with the key ${state.logKeys.join(' or ')}.`);
  }
  const logKeys = given.key === undefined ? await toldKeys() : [given.key];
  if (logKeys.length === 0) throw new Error('The server names no key of its log.');
  const { privateKey } = generateKeyPairSync('ed25519');
  const own = { name: given.name, secret: privateKey.export({ format: 'pem', type: 'pkcs8' }) };
  const state = { logKeys, key: log.witnessKey(own), ...own, checkpoint: null, seen: {} };
  save(state);
  console.error(`A new witness, with the key ${state.key}\nof the log with the key ${logKeys.join('\nand ')}`);
  return state;
}

/** The keys from now on: of those known the ones that still sign, and each new one that signs beside them. */
async function keysBehind({ signedBy, ...checkpoint }) {
  if (checkpoint.signatures.length === signedBy.length) return signedBy;
  const others = (await toldKeys()).filter((key) => !signedBy.includes(key));
  const learned = others.filter((key) => log.hasSigned(key, checkpoint));
  for (const key of learned) console.error(`The log has a new key, ${key}\nwhich signs beside ${signedBy.join(' and ')}`);
  return [...signedBy, ...learned];
}

// ----------------------------------------------------------------------------------------------------------- The checks

/** Does the log go on from an older checkpoint? */
async function compare(older, newer) {
  const evidence = { older: older.note, newer: newer.note };
  if (newer.size < older.size) throw new Fraud(`The log has shrunk: from ${older.size} entries to ${newer.size}.`, evidence);
  const [was, is] = await log.treeOf(given.server, newer.size).roots(older.size);
  if (!is.equals(newer.root)) throw new Fraud('The tiles that the server gives are not those of its checkpoint.', evidence);
  if ((was ?? log.sha256()).equals(older.root)) return;
  throw new Fraud(`The log was forked: its first ${older.size} entries are not those that they were.`, evidence);
}

/** All entries of the log; together they give the root of the checkpoint. */
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

/** What cannot be: an id has one opening, and behind it one end at most, with the seed that was committed to. */
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

/** The day on which the witness first saw the entry at a place. */
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

/** The proof of the same entry in the newest checkpoint, cosigned. */
async function provenAnew({ index, path, note }, checkpoint, { logKeys, cosigned }) {
  const shown = log.opened(note, logKeys);
  const { size, root } = checkpoint;
  if (shown.size > size) throw new Error(`The proof is of a log with ${shown.size} entries, and the server shows this witness ${size}. Try again; if it stays so, it shows you another log.`);
  if (index >= shown.size) throw new Error(`The proof is of place ${index} in a log with ${shown.size} entries.`);
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
}

let given;
try {
  given = readArguments();
  await main();
} catch (error) {
  if (error instanceof Fraud) {
    const file = `${given.state}.evidence.json`;
    writeFileSync(file, `${JSON.stringify({ server: given.server, at: new Date(), finding: error.message, ...error.evidence }, null, 2)}\n`);
    console.error(`\n!!! ${error.message.toUpperCase()}\n!!! The evidence, signed by the log itself, is in ${file}. Keep it, and tell others.\n`);
    process.exitCode = 1;
  } else {
    const isMisuse = error instanceof Misuse || String(error.code).startsWith('ERR_PARSE_ARGS');
    console.error(isMisuse ? `${error.message}\n${USAGE}` : `Not checked: ${error.message}`);
    process.exitCode = 2;
  }
}
