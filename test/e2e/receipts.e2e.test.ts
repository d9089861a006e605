import request from 'supertest';
import { parseNote, parseVerifierKey, verifyNote, type VerifierKey } from '../../src/fairness/note.js';
import { clientSeedHash } from '../../src/fairness/commitment.js';
import { parseReceipt, type Receipt } from '../../src/fairness/receipt.js';
import type { GameRecord } from '../../src/fairness/record.js';
import { type Api, TRANSPORTS } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { type Game, playerAt } from '../support/api-types.js';
import { must } from '../support/transport.js';

/** What the server signs with each answer to an act. */

let server: TestServer;
let ann: Person;
let ben: Person;
let keys: VerifierKey[];
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
  const { body } = await request(server.http).get('/.well-known/halfmove.json');
  keys = (body.keys as { readonly key: string; readonly use: string }[])
    .filter(({ use }) => use === 'receipts')
    .map(({ key }) => parseVerifierKey(key))
    .flatMap((parsed) => (parsed.ok ? [parsed.value] : []));
});
afterAll(() => server.close());

/** The content of a receipt after its signature has been verified. */
async function read(note: string | null): Promise<Receipt> {
  expect(await verifyNote(note!, keys)).toMatchObject({ outcome: 'valid' });
  const parsed = parseNote(note!);
  const receipt = parsed.ok ? parseReceipt(parsed.value.text) : parsed;
  if (!receipt.ok) throw new Error(receipt.why);
  return receipt.value;
}

const shownIn = ({ id, version, outcome, fairness: { commitment, dealRoot, headHash } }: Game) => ({
  ...{ game: id, version, commitment, dealRoot, hash: headHash, outcome },
});

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  test('each answer from the opening to the end has the receipt of what it shows', async () => {
    const [hers, his] = [newSeed(), newSeed()];
    const terms = { ruleset: 'half-chess', opponent: ben.username, timeControl: { type: 'none' } };
    const opened = must(await api.createChallenge(ann, { ...terms, clientSeedHash: clientSeedHash(hers) }));
    const opening = await read(opened.receipt);
    expect(opening).toMatchObject({
      game: opened.id,
      version: 0,
      commitment: opened.commitment,
      creatorSeed: clientSeedHash(hers),
      accepterSeed: null,
      dealRoot: null,
      outcome: null,
    });
    const { challenge } = must(await api.giveClientSeed(ann, opened.id, hers));
    expect(await read(challenge.receipt)).toMatchObject({ version: 1, creatorSeed: clientSeedHash(hers) });

    let game = must(await api.acceptChallenge(ben, opened.id, { clientSeed: his }));
    expect((await api.challenge(ann, opened.id)).data.receipt).toBeNull();
    const seen = [await read(game.fairness.receipt)];
    expect(seen[0]).toEqual({
      ...shownIn(game),
      creatorSeed: clientSeedHash(hers),
      accepterSeed: clientSeedHash(his),
    });
    const who = (id: string) => (id === ann.id ? ann : ben);
    const acts = [
      () => api.makeMove(who(playerAt(game, 'first').id), game.id, 1, 'a1'),
      () => api.makeMove(who(playerAt(game, 'second').id), game.id, 2, 'b1'),
      () => api.plain(ann, 'offerDraw', game.id),
      () => api.plain(ben, 'declineDraw', game.id),
      () => api.resign(ben, game.id),
    ];
    for (const act of acts) {
      game = must(await act());
      seen.push(await read(game.fairness.receipt));
      expect(seen.at(-1)).toMatchObject(shownIn(game));
    }
    expect(new Set(seen.map(({ version }) => version)).size).toBe(6);
    expect(new Set(seen.map(({ hash }) => hash)).size).toBe(6);
    expect(seen.at(-1)!.outcome).toEqual({ winner: game.outcome!.winner, reason: 'resignation' });
    // Signing again gives exactly the same.
    expect((await api.game(null, game.id)).data.fairness.receipt).toBe(game.fairness.receipt);

    const rowsAfter = async (version: number | string) =>
      request(server.http).get(`/v1/games/${game.id}/record`).query({ after: version });
    const whole = (await request(server.http).get(`/v1/games/${game.id}/record`)).body as GameRecord;
    for (const { version, hash } of [opening, ...seen.slice(0, -1)]) {
      const { rows, ...rest } = (await rowsAfter(version)).body as GameRecord;
      expect(rows[0]!.previousHash).toBe(hash);
      expect({ ...rest, rows }).toEqual({ ...whole, rows: whole.rows.slice(-rows.length) });
    }
    expect((await rowsAfter(seen.at(-1)!.version)).body).toEqual({ ...whole, rows: [] });
    expect((await rowsAfter('-1')).body).toMatchObject({ status: 400, code: 'BAD_INPUT', field: 'after' });
  });

  test('a game that waits for a seed has one, which contains only the hash', async () => {
    const hers = newSeed();
    const terms = { ruleset: 'half-chess', opponent: ben.username, timeControl: { type: 'none' } };
    const { id } = must(await api.createChallenge(ann, { ...terms, clientSeedHash: clientSeedHash(hers) }));
    const waiting = must(await api.acceptChallenge(ben, id));
    expect(await read(waiting.fairness.receipt)).toMatchObject({
      ...shownIn(waiting),
      creatorSeed: clientSeedHash(hers),
      accepterSeed: null,
      dealRoot: null,
    });
    expect(waiting.fairness.receipt).not.toContain(hers);
    const { game } = must(await api.giveClientSeed(ann, id, hers));
    expect(await read(game!.fairness.receipt)).toMatchObject({
      ...shownIn(game!),
      version: waiting.version + 1,
    });
  });
});
