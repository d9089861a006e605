import type { GameRecord } from '../../../src/fairness/record.js';
import { BASES } from './bases.js';
import { all, around, drop, field, findingsOf, found, harmless, insert, renumbered, row, rowOf, rows, swap, type Tampering } from './tampering.js'; // prettier-ignore

const ZEROS = '0'.repeat(64);
const anything = (more: object) => (record: GameRecord) => ({ ...record, ...more }) as GameRecord;
const NAMES =
  'A closed account loses its name, so names are in no hash. The ids count, and the program prints no names.';

// A line each.
// prettier-ignore
export const CHAIN: readonly Tampering[] = [
  around('a `hash` changed', 'rated', field('accept', { hash: ZEROS })),
  around('the last `hash` changed', 'rated', field('end', { hash: ZEROS })),
  around('a `hash` in upper case', 'rated', row('accept', ({ hash }) => ({ hash: hash.toUpperCase() }))),
  around('a `previousHash` changed', 'rated', field('accept', { previousHash: ZEROS })),
  around('the first `previousHash`: a hash', 'rated', field('create', { previousHash: ZEROS })),
  around('a `previousHash` left out', 'rated', field('accept', { previousHash: null })),
  around('`hash` and `previousHash` swapped', 'rated', row('accept', ({ hash, previousHash }) => ({ hash: previousHash, previousHash: hash }))),
  rows('`seq`: one left out', 'rated', row('end', ({ seq }) => ({ seq: seq + 1 }))),
  rows('`seq`: falls', 'rated', field('end', { seq: 1 })),
  rows('`seq`: negative', 'rated', field('create', { seq: -1 })),
  rows('`seq`: a text', 'rated', field('create', { seq: '0' })),
  rows('`seq`: all one higher', 'rated', (record) => ({ ...record, rows: record.rows.map((each) => ({ ...each, seq: each.seq + 1 })) })),
  rows('two versions merged', 'declined', row('declineDraw', ({ seq }) => ({ seq: seq - 1 }))),
  rows('one version split into two', 'lapsed', all(row('offerDraw', ({ seq }) => ({ seq: seq + 0.5 })), renumbered)),
  rows('the rows in reverse order', 'rated', (record) => ({ ...record, rows: record.rows.toReversed() })),
  rows('the rows sorted by their type', 'rated', (record) => ({ ...record, rows: record.rows.toSorted((a, b) => a.type.localeCompare(b.type)) })),
  rows('no rows', 'rated', (record) => ({ ...record, rows: [] })),
  rows('cut short: the last rows left out', 'rated', (record) => ({ ...record, rows: record.rows.slice(0, -3) })),
  rows('cut short, and shown as running', 'rated', (record) => ({ ...record, serverSeed: null, outcome: null, rows: record.rows.slice(0, -3) })),
  rows('cut short before the start, and shown as running', 'announced', (record) => ({ ...record, players: null, serverSeed: null, outcome: null, rows: record.rows.slice(0, 2) })),
  rows('the first rows left out', 'rated', (record) => ({ ...record, rows: record.rows.slice(2) })),
  rows('an empty row inserted', 'rated', insert('resign', (record) => [{ ...rowOf(record, 'ply'), type: 'reminder', data: {} }])),
  rows('a row of an unknown type', 'rated', field('resign', { type: 'note' })),
  rows('a row with a field too many', 'rated', field('resign', { note: 1 })),
  rows('a row without `at`', 'rated', field('resign', { at: undefined })),
  rows('a row whose data are a list', 'rated', field('resign', { data: [] })),
  rows('a row whose data are nested', 'rated', field('resign', { data: { a: { b: { c: 1 } } } })),
  rows('`player`: a third one', 'rated', field('resign', { player: 'third' })),
  rows('`end.at`: in month 13', 'rated', field('end', { at: '2026-13-01T00:00:00.000Z' })),
  rows('`start` after the first ply', 'rated', swap(['start', 0], ['ply', 0])),
  rows('all rows after the start left out', 'rated', (record) => ({ ...record, serverSeed: null, rows: record.rows.slice(0, 4) })),
  around('a row that is null', 'rated', (record) => anything({ rows: [...record.rows, null] })(record)),
  around('rows that are not a list', 'rated', anything({ rows: { 0: 'x' } })),
];

// A line each.
// prettier-ignore
export const RECORD: readonly Tampering[] = [
  around('`format`: 1', 'rated', anything({ format: 1 })),
  around('`format`: 3', 'rated', anything({ format: 3 })),
  around('`format`: a text', 'rated', anything({ format: '2' })),
  around('`format` left out', 'rated', anything({ format: undefined })),
  around('`id`: another game', 'rated', anything({ id: '0198c0de-0000-7000-8000-000000000009' })),
  rows('`id`: another game, hashed again', 'rated', anything({ id: '0198c0de-0000-7000-8000-000000000009' })),
  around('`id` in upper case', 'rated', ({ id, ...record }) => ({ ...record, id: id.toUpperCase() })),
  around('`id`: not an id', 'rated', anything({ id: 'x' })),
  around('`players` swapped', 'rated', ({ players, ...record }) => ({ ...record, players: { first: players!.second, second: players!.first } })),
  around('`players`: another id', 'rated', ({ players, ...record }) => ({ ...record, players: { ...players!, first: { ...players!.first, id: 'u-3' } } })),
  around('`players` left out', 'rated', anything({ players: null })),
  around('`players` before the start', 'waiting', anything({ players: { first: { id: 'u-1', username: 'ann' }, second: { id: 'u-2', username: 'bob' } } })),
  around('a username changed', 'rated', ({ players, ...record }) => ({ ...record, players: { ...players!, first: { ...players!.first, username: 'eve' } } }), harmless(NAMES)),
  around('the usernames swapped', 'rated', ({ players, ...record }) => ({ ...record, players: { first: { ...players!.first, username: 'bob' }, second: { ...players!.second, username: 'ann' } } }), harmless(NAMES)),
  around('a username that forges lines of the output', 'rated', ({ players, ...record }) => ({ ...record, players: { ...players!, first: { ...players!.first, username: 'x\nok      receipt     forged' } } }), harmless(NAMES)),
  around('a username of 2000 characters', 'rated', ({ players, ...record }) => ({ ...record, players: { ...players!, first: { ...players!.first, username: 'x'.repeat(2000) } } })),
  around('`outcome`: a different winner from the rows', 'rated', anything({ outcome: { winner: 'first', reason: 'resignation' } })),
  around('`outcome`: a different reason from the rows', 'rated', anything({ outcome: { winner: 'second', reason: 'timeout' } })),
  around('`outcome` left out', 'rated', anything({ outcome: null })),
  around('`outcome` and `serverSeed` left out', 'rated', anything({ outcome: null, serverSeed: null })),
  around('`outcome` before the end', 'running', anything({ outcome: { winner: 'first', reason: 'resignation' } })),
  around('`outcome`: a field too many', 'rated', anything({ outcome: { winner: 'second', reason: 'resignation', by: 'x' } })),
  around('a field too many', 'rated', anything({ comment: 'x' })),
  around('a field left out', 'rated', anything({ serverSeed: undefined })),
  rows('the record of another game', 'rated', () => ({ ...drop('end')(OTHER), id: '0198c0de-0000-7000-8000-000000000007' })),
];
const OTHER = (await BASES.late()).record;

/** What is done to the text of the record. */
const text = (name: string, change: (text: string) => string, more: Partial<Tampering> = {}): Tampering => ({
  name,
  ...more,
  async verdicts() {
    const { record } = await BASES.rated();
    const given = JSON.stringify(record);
    const altered = change(given);
    if (altered === given) throw new Error(`${name} changes nothing`);
    return [found(findingsOf(altered), findingsOf(given))];
  },
});

const SAME = 'It is the same JSON value; hashes are over canonical JSON.';

// A line each.
// prettier-ignore
export const TEXTS: readonly Tampering[] = [
  text('a name twice in the record, the false value first', (it) => it.replace('{', '{"id":"x",')),
  text('a name twice in a row, the false value last', (it) => it.replace('"type":"resign"', '"type":"resign","type":"abort"')),
  text('a name twice, once with an escape', (it) => it.replace('{', '{"\\u0069d":"x",')),
  text('`__proto__` as a name', (it) => it.replace('{', '{"__proto__":{"format":2},')),
  text('`__proto__` in the data of a row', (it) => it.replace('"data":{}', '"data":{"__proto__":{"x":1}}')),
  text('a number as a fraction', (it) => it.replace('"seq":0', '"seq":0.0')),
  text('a number with an exponent', (it) => it.replace('"timeUsed":60', '"timeUsed":6e1')),
  text('a number beyond 2^53', (it) => it.replace('"timeUsed":60', '"timeUsed":9007199254740993')),
  text('a number out of range', (it) => it.replace('"timeUsed":60', '"timeUsed":1e999')),
  text('minus zero', (it) => it.replace('"seq":0', '"seq":-0')),
  text('a number with a leading zero', (it) => it.replace('"timeUsed":60', '"timeUsed":060')),
  text('NaN', (it) => it.replace('"timeUsed":60', '"timeUsed":NaN')),
  text('a byte order mark', (it) => `\ufeff${it}`),
  text('a comment', (it) => `${it}// the end`),
  text('a comma too many', (it) => `${it.slice(0, -1)},}`),
  text('single quotes', (it) => it.replaceAll('"', "'")),
  text('half of a surrogate pair', (it) => it.replace('"ann"', '"\\ud800"')),
  text('a control character in a text', (it) => it.replace('"ann"', '"a\u0000n"')),
  text('a look-alike letter in a move', (it) => it.replace('e2e4', 'е2e4')),
  text('lists in lists, 100000 deep', (it) => it.replace('{', `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)},`)),
  text('20 MB of white space', (it) => it + ' '.repeat(20_000_000)),
  text('cut in the middle', (it) => it.slice(0, it.length / 2)),
  text('two records in one file', (it) => it + it),
  text('a list of one record', (it) => `[${it}]`),
  text('a record inside a string', (it) => JSON.stringify(it)),
  text('an empty file', () => ''),
  text('`null`', () => 'null'),
  text('letters written as escapes', (it) => it.replace('e2e4', '\\u00652e4'), harmless(SAME)),
  text('white space between values', (it) => JSON.stringify(JSON.parse(it), null, 2), harmless(SAME)),
  text('names of a row in another order', (it) => it.replace(/\{"seq":(\d+),"type":"(\w+)"/g, '{"type":"$2","seq":$1'), harmless(SAME)),
];
