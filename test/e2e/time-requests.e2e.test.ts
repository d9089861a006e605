import { Pair, perMove, HOUR, startStopped } from '../support/pair.js';
import { restApi, TRANSPORTS } from '../support/api.js';
import { sendAct } from '../support/act-attempts.js';
import { acceptTimeRequest, declineTimeRequest, requestTime } from '../../src/arbiter/acts/time.js';
import type { Act } from '../../src/arbiter/acts/act.js';
import type { TestServer } from '../support/server.js';
import type { StoppedTime } from '../support/stopped-time.js';
import type { Game } from '../support/api-types.js';
import type { Player } from '../../src/rules/ruleset.js';

/** Requests for more time, which the opponent answers. */

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  [server, time] = await startStopped();
});
afterAll(() => server.close());

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let on: Pair;
  let game: Game;

  beforeEach(async () => {
    on = new Pair(server, time, over(server.http));
    await on.meet();
    game = await on.after(['e2e4', 'e7e5'], perMove(86_400));
    await on.readNews();
  });

  const does = async (player: Player, act: Act): Promise<string | null> => {
    const kind = over === restApi ? 'REST' : 'GraphQL';
    return (await sendAct(server.http, kind, on[player], game.id, { act, input: {} })).code;
  };
  const inboxOf = async (player: Player) =>
    (await on.api.inbox(on[player])).data.edges.map(({ node }) => [node.kind, node.gameId]);

  it('notifies the opponent, is listed in the inbox, and moves the deadline when granted', async () => {
    expect(await does('first', requestTime)).toBeNull();
    expect(await on.news('second')).toEqual({ timeRequest: {} });
    expect(await inboxOf('second')).toEqual([['timeRequest', game.id]]);
    expect(await does('second', acceptTimeRequest)).toBeNull();
    const later = new Date(Date.parse(game.deadlineAt!) + 24 * HOUR).toISOString();
    expect((await on.read(game)).deadlineAt).toBe(later);
    expect(await on.news('first')).toEqual({ offerAnswered: { offer: 'time', accepted: true } });
    expect([await inboxOf('second'), await on.news('second')]).toEqual([[], {}]);
    expect(await on.log(game, game.version)).toEqual([
      ['requestTime', 'first', {}],
      ['acceptTimeRequest', 'second', { seconds: 86_400, deadlineAt: later }],
    ]);
    expect(await does('first', requestTime)).toBe('TIME_CEILING');
  });

  it('is declined explicitly, or lapses with the move', async () => {
    await does('first', requestTime);
    expect(await does('second', declineTimeRequest)).toBeNull();
    expect(await on.news('first')).toEqual({ offerAnswered: { offer: 'time', accepted: false } });
    await does('first', requestTime);
    await on.move('first', game, 'g1f3');
    expect([await inboxOf('second'), await on.news('second')]).toEqual([[], expect.not.objectContaining({ timeRequest: {} })]); // prettier-ignore
    expect(await does('second', acceptTimeRequest)).toBe('NO_OFFER');
  });

  it('is allowed to the side to move, and answered by giving time', async () => {
    expect(await does('second', requestTime)).toBe('NOT_YOUR_TURN');
    await does('first', requestTime);
    await on.api.giveTime(on.second, game.id, 3);
    expect(await does('second', acceptTimeRequest)).toBe('NO_OFFER');
    expect(await inboxOf('second')).toEqual([]);
  });
});
