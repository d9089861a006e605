import { rulesets } from '../../src/rules/registry.js';
import { type Api, TRANSPORTS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { sample } from '../support/scale.js';
import { closeChallenges } from '../support/seeks.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Body } from '../support/transport.js';

/** A seat may be named by its colour, as `side`, where the rule set has fixed ones. */

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = (await Promise.all(['ann', 'ben'].map((name) => register(server.http, name)))) as [Person, Person]; // prettier-ignore
});
afterEach(() => closeChallenges(server.app));
afterAll(() => server.close());

const COLOURS = ['white', 'black', 'red'];
const SEATS = ['first', 'second'] as const;

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (transport, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const offered = async (terms: Body) =>
    api.createChallenge(ann, { ruleset: 'chess', timeControl: NO_CLOCK, opponent: ben.username, ...terms });
  const wished = async (terms: Body): Promise<unknown> => {
    const { data, refusal } = await offered(terms);
    return refusal ? [refusal.code, refusal['field']] : data.seat;
  };

  it.each(
    rulesets().map(
      ({ id, sides, sideOf }) => [id, sideOf === undefined ? [...sides] : []] as [string, string[]],
    ),
  )('in %s the colours %p name seats, and others are refused', async (ruleset, colours) => {
    for (const side of COLOURS) {
      const seat = SEATS[colours.indexOf(side)] ?? ['BAD_INPUT', 'side'];
      expect([side, await wished({ ruleset, side })]).toEqual([side, seat]);
    }
  });

  it.each(['first', 'second', 'any'])('understands the name %s for both', async (name) => {
    expect(await wished({ side: name })).toBe(name);
    expect(await wished({ seat: name })).toBe(name);
    expect(await wished({ seat: name, side: name })).toBe(name);
  });

  it('takes a seat and its colour together, and refuses another one', async () => {
    expect(await wished({ seat: 'second', side: 'black' })).toBe('second');
    const { refusal, message } = await offered({ seat: 'second', side: 'white' });
    expect(refusal).toMatchObject({ code: 'BAD_INPUT', field: 'side' });
    expect(message).toBe('side (white) and seat (second) are different seats. Give only one of them.');
  });

  it('says why a colour cannot be had in Banqi', async () => {
    const { message } = await offered({ ruleset: 'banqi-taiwan', side: 'red' });
    expect(message).toMatch(/^side cannot be red in banqi-taiwan: .* Give a seat: first, second or any\.$/);
  });

  it('gives the creator that seat, in seeks and counter-offers too', async () => {
    const game = await begin(api, ann, ben, { ruleset: 'xiangqi', seat: null, side: 'black' });
    expect(game.players.map(({ player, side }) => [player.id, side])).toEqual([[ben.id, 'red'], [ann.id, 'black']]); // prettier-ignore
    const seek = await api.createSeek(ann, { ruleset: 'chess', timeControl: NO_CLOCK, side: 'white' });
    expect(seek.data.seat).toBe('first');
    const { data } = await offered({});
    const counter = await api.counterChallenge(ben, data.id, { ruleset: 'chess', timeControl: NO_CLOCK, side: 'black' }); // prettier-ignore
    expect(counter.data.seat).toBe('second');
  });

  it('finds games by the colour of a player', async () => {
    const { id } = await begin(api, ann, ben, { seat: null, side: 'white' });
    const found = async (filter: Body) => {
      const { data, refusal } = await api.games(ann, {
        player: ann.username,
        opponent: ben.username,
        ...filter,
      });
      return refusal ? [refusal.code, refusal['field']] : data.games.some((game) => game.id === id);
    };
    expect(await found({ ruleset: 'chess', side: 'white' })).toBe(true);
    expect(await found({ ruleset: 'chess', side: 'black' })).toBe(false);
    expect(await found({ seat: 'first' })).toBe(true);
    expect(await found({ side: 'second' })).toBe(false);
    expect(await found({ side: 'any' })).toBe(true);
    const refused = ['BAD_INPUT', transport === 'REST' ? 'side' : 'filter.side'];
    expect(await found({ side: 'white' })).toEqual(refused);
    expect(await found({ ruleset: 'banqi-taiwan', side: 'red' })).toEqual(refused);
    expect(await found({ ruleset: 'chess', side: 'white', seat: 'second' })).toEqual(refused);
  });
});
