import { SHOWN_LATE_MS } from '../../src/features/games/as-of-now.js';
import { Referee } from '../../src/features/games/referee.js';
import { TRANSPORTS } from '../support/api.js';
import { announcing, BANQI, HOURS, overEach } from '../support/client-seeds.js';
import { newSeed } from '../support/chosen-deals.js';
import { renewed } from '../support/people.js';
import { begin } from '../support/play.js';
import { chainOf } from '../support/record.js';
import { sample } from '../support/scale.js';
import { ownTerms } from '../support/seeks.js';
import { must } from '../support/transport.js';

/** A client seed that is announced and never given, and its consequences. */

overEach(sample(TRANSPORTS, 'GraphQL'), (play) => {
  async function expire(): Promise<void> {
    play.time.forward(3_600_000 + 1 + SHOWN_LATE_MS);
    await play.server.app.get(Referee).sweep();
  }

  it.each([
    ['the creator', ['creator'], 'first'],
    ['the accepter', ['accepter'], 'second'],
    ['both', ['creator', 'accepter'], null],
  ] as const)(
    'by %s: the game is aborted as of its deadline, and everything is published',
    async (_name, late, player) => {
      const [hers, his] = [newSeed(), newSeed()];
      const terms = { ...ownTerms(BANQI), seat: 'first' };
      const waiting = await play.paired(announcing(hers), { ...announcing(his), seat: 'any' }, terms);
      if (!(late as readonly string[]).includes('creator')) await play.give(play.ann, waiting.id, hers);
      if (!(late as readonly string[]).includes('accepter')) await play.give(play.ben, waiting.id, his);
      const { id, deadlineAt } = must(await play.api.game(null, waiting.id));
      const secret = await play.secretOf(id);
      play.time.moment = new Date(deadlineAt!);
      expect(must(await play.api.game(null, id)).status).toBe('pending');
      play.time.forward(1 + SHOWN_LATE_MS);
      const aborted = {
        status: 'aborted',
        outcome: { winner: null, reason: 'aborted' },
        endedAt: deadlineAt,
      };
      expect(must(await play.api.game(null, id))).toMatchObject(aborted);
      await play.server.app.get(Referee).sweep();
      const ended = must(await play.api.game(null, id));
      expect(ended).toMatchObject({
        ...aborted,
        fairness: { dealRoot: null, serverSeed: secret.toString('hex') },
      });
      const [latest, by] = late[0] === 'creator' ? [hers, play.ann] : [his, play.ben];
      expect((await play.api.giveClientSeed(by, id, latest)).refusal).toEqual({ code: 'GAME_OVER' });
      expect(must(await play.api.game(null, id))).toEqual(ended);

      const published = await play.record(id);
      expect(published).toMatchObject({
        players: null,
        outcome: ended.outcome,
        serverSeed: ended.fairness.serverSeed,
      });
      const rows = chainOf(published).map(([, type]) => type);
      const given = late.length === 1 ? ['seed'] : [];
      expect(rows).toEqual(['create', 'accept', ...given, 'flag', 'end']);
      const flag = published.rows.at(-2)!;
      expect([flag.player, flag.data, flag.at]).toEqual([player, { withheld: late }, deadlineAt]);
      expect(published.rows.at(-1)!.data).toEqual({ winner: null, reason: 'aborted' });
      expect(await play.findings(id)).toMatchObject({ chain: true, commitment: true });
    },
  );

  /** One game for which Ann has announced a seed. */
  const sealed = () => begin(play.api, play.ann, play.ben, { ...BANQI, ...HOURS, ...announcing(newSeed()) });
  const tries = () => [
    () => play.api.createChallenge(play.ann, { ...BANQI, ...HOURS, ...announcing(newSeed()) }),
    () => play.api.createSeek(play.ann, ownTerms(announcing(newSeed()))),
  ];

  it('three times within seven days: the user cannot announce seeds for a while', async () => {
    const { id: first } = await sealed();
    await expire();
    const again = new Date(Date.parse(must(await play.api.game(null, first)).endedAt!) + 7 * 86_400_000);
    // Accepting a challenge and aborting it at once must not limit its creator.
    play.time.forward(1000);
    for (let i = 0; i < 3; i++) must(await play.api.abort(play.ben, (await sealed()).id));
    must(await play.api.abort(play.ann, (await sealed()).id));
    for (const one of tries()) expect((await one()).refusal).toBeUndefined();
    must(await play.api.abort(play.ann, (await sealed()).id));
    for (const one of tries()) {
      const { refusal, message } = await one();
      expect(refusal).toEqual({ code: 'LIMIT_REACHED', field: 'clientSeedHash' });
      expect(message).toMatch(/leave out clientSeedHash/);
      expect(message).toContain(` ${again.toISOString()} `);
    }
    // Everything else works: without a hash, with the seed later, and for those who waited.
    const { id } = await play.open();
    await play.give(play.ann, id, newSeed());
    expect((await play.accept(id)).status).toBe('active');
    must(await play.api.createChallenge(play.ben, { ...BANQI, ...HOURS, ...announcing(newSeed()) }));

    play.time.moment = new Date(again.getTime() - 1);
    play.ann = await renewed(play.server.http, play.ann);
    for (const one of tries()) expect((await one()).refusal?.code).toBe('LIMIT_REACHED');
    play.time.moment = again;
    for (const one of tries()) expect((await one()).refusal).toBeUndefined();
  });

  it('twice has no consequences', async () => {
    for (let i = 0; i < 2; i += 1) {
      await sealed();
      await expire();
    }
    for (const one of tries()) expect((await one()).refusal).toBeUndefined();
  });
});
