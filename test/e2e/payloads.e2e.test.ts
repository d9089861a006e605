import { TRANSPORTS } from '../support/api.js';
import { PASSWORD, type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { must } from '../support/transport.js';
import { sharedServer, type TestServer } from '../support/server.js';

/** What mutations return beside their subject. */

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
});
afterAll(() => server.close());

const REPETITION = ['g1f3', 'g8f6', 'f3g1', 'f6g8', 'g1f3', 'g8f6', 'f3g1'];

describe.each(TRANSPORTS)('over %s', (_, api_) => {
  const api = () => api_(server.http);

  test('a move returns its ply, as it was read', async () => {
    const { id } = await begin(api(), ann, ben);
    const { game, ply, automatic } = must(await api().makePlies(ann, id, 1, 'Nf3'));
    expect(ply).toMatchObject({ ply: 1, move: 'g1f3', san: 'Nf3', automatic: false });
    expect([game.plyCount, game.position, automatic]).toEqual([1, ply.position, []]);
    expect(ply).toEqual(must(await api().moves(null, id)).edges[0]!.node);
  });

  test('returns the conditional moves that answered it, also when it is repeated', async () => {
    const { id } = await begin(api(), ann, ben);
    const line = [{ when: 'e2e4', reply: 'e7e5', then: [{ when: 'g1f3', reply: 'b8c6' }] }];
    must(await api().setConditionalMoves(ben, id, line));
    const conditionalMoves = [{ when: 'e7e5', reply: 'g1f3' }];
    const sent = () => api().makePlies(ann, id, 1, 'e2e4', { conditionalMoves });
    const made = must(await sent());
    expect([made.ply.san, made.automatic.map(({ san }) => san)]).toEqual(['e4', ['e5', 'Nf3', 'Nc6']]);
    expect(must(await sent())).toEqual(made);
    must(await api().makeMove(ann, id, 5, 'f1c4'));
    const again = must(await sent());
    expect([again.game.plyCount, again.ply, again.automatic]).toEqual([5, made.ply, made.automatic]);
  });

  test('returns no conditional moves that have been taken back since', async () => {
    const { id } = await begin(api(), ann, ben);
    must(await api().setConditionalMoves(ben, id, [{ when: 'e2e4', reply: 'e7e5' }]));
    const { ply } = must(await api().makePlies(ann, id, 1, 'e2e4'));
    must(await api().plain(ben, 'offerTakeback', id));
    must(await api().plain(ann, 'acceptTakeback', id));
    const again = must(await api().makePlies(ann, id, 1, 'e2e4'));
    expect([again.ply, again.automatic]).toEqual([ply, []]);
    must(await api().makeMove(ben, id, 2, 'c7c5'));
    expect(must(await api().makePlies(ann, id, 1, 'e2e4')).automatic).toEqual([]);
  });

  test('a claim returns the ply that came with it', async () => {
    const game = await begin(api(), ann, ben);
    await playMoves(api(), game, REPETITION, { first: ann, second: ben });
    const claim = { reason: 'threefoldRepetition', move: 'Ng8' };
    const ply = must(await api().claimPly(ben, game.id, claim));
    expect(ply).toMatchObject({ ply: 8, move: 'f6g8', san: 'Ng8' });
    expect(must(await api().claimPly(ben, game.id, claim))).toEqual(ply);
    expect(must(await api().claimPly(ben, game.id, { reason: 'threefoldRepetition' }))).toBeNull();
  });

  test('a seek that is paired at once returns the game', async () => {
    // Terms that no one else seeks.
    const seconds = 100_000 + Math.floor(Math.random() * 1_000_000);
    const terms = { ruleset: 'xiangqi', timeControl: { type: 'perMove', seconds } };
    const key = `seek-${seconds}`;
    const waiting = must(await api().seekGame(ann, terms, key));
    expect([waiting.challenge.status, waiting.game]).toEqual(['open', null]);
    const { challenge, game } = must(await api().seekGame(ben, terms));
    expect(challenge).toMatchObject({ status: 'accepted', gameId: game!.id });
    expect(game!.status).toBe('active');
    expect(must(await api().seekGame(ann, terms, key)).game!.id).toBe(game!.id);
  });

  test('a rematch that both have offered returns the game', async () => {
    const { id } = await begin(api(), ann, ben);
    must(await api().resign(ann, id));
    expect(must(await api().rematchGame(ann, id)).game).toBeNull();
    const { challenge, game } = must(await api().rematchGame(ben, id));
    expect(game).toMatchObject({ id: challenge.gameId, status: 'active', plyCount: 0 });
  });

  test('reports what was ended or deleted', async () => {
    const cid = await register(server.http, 'cid');
    const [imported] = must(await api().importGames(cid, { text: '1. f3 e5 2. g4 Qh4# 0-1\n' }));
    expect(must(await api().deleteImportedGame(cid, imported!.id))).toBe(imported!.id);
    expect(must(await api().setNote(cid, (await begin(api(), cid, ann)).id, ''))).toBeNull();
    const dan = await register(server.http, 'dan');
    expect(must(await api().logout(dan))).toBe(1);
    const closed = must(await api().closeAccount(cid, PASSWORD));
    expect(closed).toMatchObject({ id: cid.id, username: 'closed-account', closed: true });
  });
});
