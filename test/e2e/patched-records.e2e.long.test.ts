import { keysOf } from '../../src/cli/verify/signed.js';
import type { Row } from '../../src/fairness/record.js';
import { verifyNote } from '../../src/fairness/note.js';
import { data, drop, field, renumbered, rowOf, type Change } from '../fairness/tampering/tampering.js';
import { CheatingServer } from '../support/cheating-server.js';
import { begin, playMoves } from '../support/play.js';
import { must } from '../support/transport.js';

/** Servers that cheat about played games or their log: what a user holds proves each case. */
// Long: it opens many databases.

let scene: CheatingServer;
beforeAll(async () => {
  scene = await CheatingServer.start();
});
afterAll(() => scene.close());

describe('a server that shows another game', () => {
  const turnedRound: Change = (record) =>
    data('end', { winner: 'first' })(field('resign', { player: 'second' })(record));

  test('that reverses the result is convicted by the receipt of the end, the log and its own new receipt', async () => {
    const { id, before, end } = await scene.resigned();
    const proof = await scene.proofOf(id, 'end');
    await scene.forge(id, turnedRound);
    expect((await scene.recordOf(id)).outcome).toEqual({ winner: 'first', reason: 'resignation' });
    expect(await scene.failed(id)).toEqual([]);
    expect(await scene.failed(id, { receipts: [before.fairness.receipt] })).toEqual([]);
    expect(await scene.failed(id, { receipts: [end.fairness.receipt] })).toEqual(['receipt']);
    expect(await scene.failed(id, { proofs: [proof] })).toEqual(['log']);
    const told = must(await scene.api.game(scene.ben, id));
    expect(told.outcome?.winner).toBe('first');
    expect(await scene.isProven(end.fairness.receipt, told.fairness.receipt)).toBe(true);
  });

  test('that reverses it before it is logged contradicts the receipt, but not the log', async () => {
    const { id, end } = await scene.resigned();
    await scene.forge(id, turnedRound);
    const proof = await scene.proofOf(id, 'end');
    expect(await scene.failed(id, { proofs: [proof] })).toEqual([]);
    expect(await scene.failed(id, { receipts: [end.fairness.receipt], proofs: [proof] })).toEqual([
      'receipt',
    ]);
  });

  test('that hides a takeback is exposed', async () => {
    const { id } = await begin(scene.api, scene.ann, scene.ben);
    await playMoves(scene.api, must(await scene.api.game(scene.ann, id)), ['e2e4', 'e7e5'], {
      first: scene.ann,
      second: scene.ben,
    });
    must(await scene.api.plain(scene.ben, 'offerTakeback', id));
    const granted = must(await scene.api.plain(scene.ann, 'acceptTakeback', id));
    must(await scene.api.makeMove(scene.ben, id, 2, 'c7c5'));
    must(await scene.api.resign(scene.ann, id));
    await scene.forge(id, (record) => {
      const hidden = drop('ply', 1)(drop('offerTakeback')(drop('acceptTakeback')(record)));
      const [before, ply] = [rowOf(hidden, 'ply'), rowOf(hidden, 'ply', 1)];
      const timeUsed = Math.floor((Date.parse(ply.at) - Date.parse(before.at)) / 1000);
      return renumbered(data('ply', { timeUsed }, 1)(hidden));
    });
    expect(await scene.failed(id)).toEqual([]);
    expect(await scene.failed(id, { receipts: [granted.fairness.receipt] })).toEqual(['receipt']);
  });

  test('that adds a takeback is exposed', async () => {
    const { id, before, end } = await scene.resigned();
    await scene.forge(id, (record) => {
      const at = record.rows.findIndex(({ type }) => type === 'resign');
      const resign = record.rows[at]!;
      const put = (type: string, player: Row['player'], seq: number, more: object): Row =>
        ({ ...resign, type, player, seq, data: more }) as Row;
      const rows = record.rows.toSpliced(at, 0,
        put('offerTakeback', 'second', resign.seq - 0.6, { ply: 1 }),
        put('acceptTakeback', 'first', resign.seq - 0.3, { ply: 1, deadlineAt: null }),
      ); // prettier-ignore
      return renumbered({ ...record, rows });
    });
    expect(await scene.failed(id)).toEqual([]);
    expect(await scene.failed(id, { receipts: [before.fairness.receipt] })).toEqual([]);
    expect(await scene.failed(id, { receipts: [end.fairness.receipt] })).toEqual(['receipt']);
  });

  test('that shows two players two games is exposed by their receipts', async () => {
    const { id } = await begin(scene.api, scene.ann, scene.ben);
    const hers = must(await scene.api.makeMove(scene.ann, id, 1, 'e2e4'));
    const position = 'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1';
    await scene.forge(id, data('ply', { move: 'd2d4', san: 'd4', position }));
    const his = must(await scene.api.game(scene.ben, id));
    expect(await scene.failed(id)).toEqual([]);
    expect(await scene.isProven(hers.fairness.receipt, his.fairness.receipt)).toBe(true);
    expect(await scene.isProven(hers.fairness.receipt, hers.fairness.receipt)).toBe(false);
  });
});

describe('a server that drops what it has committed to', () => {
  const entriesOf = async (id: string) => (await scene.witness('--game', id)).stdout;

  test('before it is logged contradicts the receipt of the opening', async () => {
    const opened = must(await scene.api.createChallenge(scene.ann, scene.banqiTerms()));
    await scene.cheat.forget(opened.id);
    await scene.append();
    expect(await scene.witness('--game', opened.id)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/THE LOG HAS NO OPENING OF/),
    });
    expect((await fetch(`${scene.server.url}/v1/games/${opened.id}/log-proof?entry=open`)).status).toBe(404);
    // The server cannot deny that it signed this.
    expect((await verifyNote(opened.receipt!, keysOf([await scene.key()]))).outcome).toBe('valid');
  });

  test('after it is logged leaves an opening without an end for every reader', async () => {
    const opened = must(await scene.api.createChallenge(scene.ann, scene.banqiTerms()));
    await scene.append();
    await scene.cheat.forget(opened.id);
    await scene.append();
    expect(await entriesOf(opened.id)).toMatch(/^\{"commitment":"[0-9a-f]{64}".*"type":"open"\}\n$/);
    expect((await scene.witness('--list-open', '0')).stdout).toContain(`${opened.id} ${opened.commitment}`);
  });

  test('without logging the end is listed as well', async () => {
    const { id } = await scene.resigned();
    await scene.cheat.within((tx) => tx.unlogged.deleteMany({ where: { gameId: id, isEnd: true } }));
    await scene.append();
    expect((await scene.witness('--list-open', '0')).stdout).toContain(id);
  });
});

describe('a server that rewrites the log', () => {
  test.each([
    ['takes entries away', (entries: readonly string[]) => entries.slice(0, -1), /THE LOG HAS SHRUNK/],
    ['forks it', (entries: readonly string[]) => entries.with(0, '{"type":"open"}'), /THE LOG WAS FORKED/],
  ])('%s: the witness has the evidence', async (_, change, words) => {
    await scene.resigned();
    await scene.append();
    expect((await scene.witness()).code).toBe(0);
    const mend = await scene.cheat.relog(change);
    const { code, stderr } = await scene.witness();
    expect([code, words.test(stderr)]).toEqual([1, true]);
    await mend();
    expect((await scene.witness()).code).toBe(0);
  });
});
