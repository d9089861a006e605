/**
 * What `games` may be asked for: each filter, and such as are asked for together. `busy` and `rival` are two usernames,
 * `from` and `until` the ends of a week in the middle of the history.
 */
export const FILTERS = [
  ['all', () => ({})],
  ['player', ({ busy }) => ({ player: busy })],
  ['player, side', ({ busy }) => ({ player: busy, side: 'SECOND' })],
  ['player, opponent', ({ busy, rival }) => ({ player: busy, opponent: rival })],
  ['player, result', ({ busy }) => ({ player: busy, result: 'WON' })],
  ['player, ruleset', ({ busy }) => ({ player: busy, ruleset: 'xiangqi' })],
  ['player, reason', ({ busy }) => ({ player: busy, reason: 'TIMEOUT' })],
  ['player, opening', ({ busy }) => ({ player: busy, ruleset: 'chess', opening: 'e2e4' })],
  ['player, ended', ({ busy, from, until }) => ({ player: busy, endedFrom: from, endedUntil: until })],
  ['ruleset that many play', () => ({ ruleset: 'chess' })],
  ['ruleset that few play', () => ({ ruleset: 'half-chess' })],
  ['ruleset, options that all share', () => ({ ruleset: 'xiangqi', options: {} })],
  ['ruleset, options that most share', () => ({ ruleset: 'banqi-taiwan', options: {} })],
  ['ruleset, options that few share', () => ({ ruleset: 'half-chess', options: { captures: 'hierarchy' } })],
  ['ruleset, rated, minPlies', () => ({ ruleset: 'chess', rated: true, minPlies: 60 })],
  ['ruleset, reason', () => ({ ruleset: 'xiangqi', reason: 'RESIGNATION' })],
  ['ruleset, opening of many', () => ({ ruleset: 'chess', opening: 'e2e4' })],
  ['ruleset, opening of few', () => ({ ruleset: 'chess', opening: 'e2e4 e7e5 g1f3 b8c6' })],
  ['ruleset, ended', ({ from, until }) => ({ ruleset: 'xiangqi', endedFrom: from, endedUntil: until })],
  ['ruleset, status running', () => ({ ruleset: 'xiangqi', status: ['PENDING', 'ACTIVE', 'PAUSED'] })],
  ['rated', () => ({ rated: true })],
  ['not rated', () => ({ rated: false })],
  ['status running', () => ({ status: ['PENDING', 'ACTIVE', 'PAUSED'] })],
  ['status finished', () => ({ status: ['FINISHED'] })],
  ['status aborted', () => ({ status: ['ABORTED'] })],
  ['result firstWon', () => ({ result: 'FIRST_WON' })],
  ['result drawn', () => ({ result: 'DRAWN' })],
  ['reason of many', () => ({ reason: 'RESIGNATION' })],
  ['reason of few', () => ({ reason: 'FIVEFOLD_REPETITION' })],
  ['timeControl', () => ({ timeControl: 'BANK' })],
  ['seconds', () => ({ seconds: 86_400 })],
  ['initial, increment', () => ({ initial: 259_200, increment: 43_200 })],
  ['created', ({ from, until }) => ({ createdFrom: from, createdUntil: until })],
  ['ended', ({ from, until }) => ({ endedFrom: from, endedUntil: until })],
  ['lastActivity', ({ from, until }) => ({ lastActivityFrom: from, lastActivityUntil: until })],
  ['minPlies', () => ({ minPlies: 60 })],
];

export const ORDERS = ['CREATED_AT', 'ENDED_AT', 'LAST_ACTIVITY_AT'];

/** Whom and when the filters are about. */
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
