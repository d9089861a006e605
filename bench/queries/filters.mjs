/**
 * The filters of `games` to measure, alone and combined. `busy` and `rival` are two usernames, `from` and
 * `until` the ends of a week in the middle of the history.
 */
export const FILTERS = [
  ['all', () => ({})],
  ['player', ({ busy }) => ({ player: busy })],
  ['player, seat', ({ busy }) => ({ player: busy, seat: 'SECOND' })],
  ['player, opponent', ({ busy, rival }) => ({ player: busy, opponent: rival })],
  ['player, result', ({ busy }) => ({ player: busy, result: 'WON' })],
  ['player, ruleset', ({ busy }) => ({ player: busy, ruleset: 'xiangqi' })],
  ['player, reason', ({ busy }) => ({ player: busy, reason: 'TIMEOUT' })],
  ['player, opening', ({ busy }) => ({ player: busy, ruleset: 'chess', opening: 'e2e4' })],
  ['player, ended', ({ busy, from, until }) => ({ player: busy, endedFrom: from, endedUntil: until })],
  ['common ruleset', () => ({ ruleset: 'chess' })],
  ['rare ruleset', () => ({ ruleset: 'half-chess' })],
  ['ruleset, options of all its games', () => ({ ruleset: 'xiangqi', options: {} })],
  ['ruleset, options of most of its games', () => ({ ruleset: 'banqi-taiwan', options: {} })],
  [
    'ruleset, options of few of its games',
    () => ({ ruleset: 'half-chess', options: { captures: 'hierarchy' } }),
  ],
  ['ruleset, rated, minPlies', () => ({ ruleset: 'chess', rated: true, minPlies: 60 })],
  ['ruleset, reason', () => ({ ruleset: 'xiangqi', reason: 'RESIGNATION' })],
  ['ruleset, common opening', () => ({ ruleset: 'chess', opening: 'e2e4' })],
  ['ruleset, rare opening', () => ({ ruleset: 'chess', opening: 'e2e4 e7e5 g1f3 b8c6' })],
  ['ruleset, ended', ({ from, until }) => ({ ruleset: 'xiangqi', endedFrom: from, endedUntil: until })],
  ['ruleset, status running', () => ({ ruleset: 'xiangqi', status: ['PENDING', 'ACTIVE', 'PAUSED'] })],
  ['rated', () => ({ rated: true })],
  ['not rated', () => ({ rated: false })],
  ['status running', () => ({ status: ['PENDING', 'ACTIVE', 'PAUSED'] })],
  ['status finished', () => ({ status: ['FINISHED'] })],
  ['status aborted', () => ({ status: ['ABORTED'] })],
  ['result firstWon', () => ({ result: 'FIRST_WON' })],
  ['result drawn', () => ({ result: 'DRAWN' })],
  ['common reason', () => ({ reason: 'RESIGNATION' })],
  ['rare reason', () => ({ reason: 'FIVEFOLD_REPETITION' })],
  ['timeControl', () => ({ timeControl: 'BANK' })],
  ['seconds', () => ({ seconds: 86_400 })],
  ['initial, increment', () => ({ initial: 259_200, increment: 43_200 })],
  ['created', ({ from, until }) => ({ createdFrom: from, createdUntil: until })],
  ['ended', ({ from, until }) => ({ endedFrom: from, endedUntil: until })],
  ['lastActivity', ({ from, until }) => ({ lastActivityFrom: from, lastActivityUntil: until })],
  ['minPlies', () => ({ minPlies: 60 })],
];

export const ORDERS = ['CREATED_AT', 'ENDED_AT', 'LAST_ACTIVITY_AT'];

/** The players and dates for the filters. */
export async function subjectsOf(db) {
  const { rows: busiest } = await db.query(`
    SELECT u.username FROM users u
    JOIN (SELECT first_id AS id, count(*) FROM games GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 2) f ON f.id = u.id
    ORDER BY f.count DESC, u.id`);
  const { rows: moments } = await db.query(`
    SELECT middle AS "from", middle + interval '7 days' AS until
    FROM (SELECT min(created_at) + (max(created_at) - min(created_at)) / 2 AS middle FROM games) g`);
  const [busy, rival] = busiest.map(({ username }) => username);
  const [{ from, until }] = moments;
  return { busy, rival, from: from.toISOString(), until: until.toISOString() };
}
