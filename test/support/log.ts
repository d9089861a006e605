import { type LogEntry, parseEntry, printEntry } from '../../src/fairness/log-entry.js';
import { parseVerifierKey, verifyNote } from '../../src/fairness/note.js';
import { leafHash, rootAt, rootOf, sameHash, type Tile, tilesFor } from '../../src/fairness/tlog.js';
import {
  type Checkpoint,
  parseBundle,
  parseCheckpoint,
  parseLogProof,
  printTilePath,
  provenBy,
} from '../../src/fairness/tlog-formats.js';

/** Reads and checks the log of a server, given only its address. */

const asked = async (url: string): Promise<Response> => {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer;
};

const value = <T>(reading: { ok: true; value: T } | { ok: false; why: string }): T => {
  if (!reading.ok) throw new Error(reading.why);
  return reading.value;
};

/** The text of the checkpoint, after checking its signature by the log's key. */
async function signedText(url: string, note: string): Promise<string> {
  const { keys } = (await (await asked(`${url}/.well-known/halfmove.json`)).json()) as {
    keys: { use: string; key: string }[];
  };
  const ofLog = keys.filter(({ use }) => use === 'log').map(({ key }) => value(parseVerifierKey(key)));
  const verdict = await verifyNote(note, ofLog);
  if (verdict.outcome !== 'valid') throw new Error(`The checkpoint is ${verdict.outcome}:\n${note}`);
  return verdict.note.text;
}

export async function readCheckpoint(url: string): Promise<Checkpoint> {
  const note = await (await asked(`${url}/log/checkpoint`)).text();
  return value(parseCheckpoint(await signedText(url, note)));
}

const fileOf = async (url: string, path: string): Promise<Uint8Array> =>
  new Uint8Array(await (await asked(`${url}/log/tile/${path}`)).arrayBuffer());

/** All entries, after checking the checkpoint, tiles and bundles against each other. */
export async function readLog(url: string): Promise<LogEntry[]> {
  const { size, root } = await readCheckpoint(url);
  const entries: Uint8Array[] = [];
  for (let index = 0; index * 256 < size; index++) {
    const width = Math.min(256, size - index * 256);
    const bundle = value(parseBundle(await fileOf(url, printTilePath({ level: 'entries', index, width }))));
    expect(bundle).toHaveLength(width);
    entries.push(...bundle);
  }
  expect(sameHash(rootOf(entries.map((entry) => leafHash(entry))), root)).toBe(true);
  const tiles = new Map<string, Uint8Array>();
  for (const tile of tilesFor((read) => rootAt(size, read))) {
    tiles.set(JSON.stringify(tile), await fileOf(url, printTilePath(tile)));
  }
  expect(
    sameHash(
      rootAt(size, (tile: Tile) => tiles.get(JSON.stringify(tile))!),
      root,
    ),
  ).toBe(true);
  return entries.map((entry) => value(parseEntry(Buffer.from(entry).toString())));
}

/** Checks the server's proof for an entry. */
export async function expectProven(url: string, entry: LogEntry): Promise<void> {
  const text = await (await asked(`${url}/v1/games/${entry.game}/log-proof?entry=${entry.type}`)).text();
  const proof = value(parseLogProof(text));
  await signedText(url, proof.checkpoint);
  value(provenBy(proof, printEntry(entry)));
}
