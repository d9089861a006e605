import { parseEntry, printEntry } from '../../src/fairness/log-entry.js';
import { type Ended, endEntry, openEntry } from '../../src/features/transparency/log.facts.js';

/** An entry says what the rows say. */

const [create, head, end] = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
const challenge = {
  id: '01a2ed06-2495-72a0-8a5f-9190cb8ec783',
  status: 'accepted',
  commitment: 'd'.repeat(64),
  createHash: create!,
  headHash: head!,
};
const game = { status: 'aborted', creator: 'second', winner: null, reason: 'aborted', headHash: end! };
const ended = (change: Partial<Ended>): Ended => ({
  challenge,
  game,
  event: null,
  serverSeed: null,
  ...change,
});
const event = (type: string, player: string | null, data: unknown = {}) => ({ type, player, data });

test.each([
  ['by the creator, who is second', event('abort', 'second'), 'creator'],
  ['by the accepter', event('abort', 'first'), 'accepter'],
  ['when the creator withheld a seed', event('flag', null, { withheld: ['creator'] }), 'creator'],
  ['when the accepter withheld a seed', event('flag', 'first', { withheld: ['accepter'] }), 'accepter'],
  ['when both withheld a seed', event('flag', null, { withheld: ['creator', 'accepter'] }), 'both'],
  ['by the operator', event('adjudicate', null, { why: 'By mail.' }), 'operator'],
  ['by an unknown user', null, 'operator'],
])('a game is aborted %s', (_, last, by) => {
  const entry = endEntry(ended({ event: last }));
  expect(entry).toMatchObject({
    end: 'aborted',
    by,
    outcome: { winner: null, reason: 'aborted' },
    hash: end,
  });
  expect(parseEntry(printEntry(entry))).toEqual({ ok: true, value: entry });
});

test('a finished game has no aborting player', () => {
  const finished = { ...game, status: 'finished', winner: 'second', reason: 'timeout' };
  expect(endEntry(ended({ game: finished, event: event('flag', 'first') }))).toMatchObject({
    ...{ end: 'finished', by: null, outcome: { winner: 'second', reason: 'timeout' } },
  });
});

test.each([
  ['accepted', 'joined'],
  ['declined', 'declined'],
])('a challenge without a game that was %s has %s', (status, told) => {
  const entry = endEntry(ended({ game: null, challenge: { ...challenge, status } }));
  expect(entry).toMatchObject({ end: told, by: null, outcome: null, hash: head });
});

test('an opening has the hash of the first row', () => {
  expect(openEntry(challenge)).toMatchObject({ commitment: challenge.commitment, hash: create });
});
