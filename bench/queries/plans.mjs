import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';

/** How the database carries out what a server has sent it, by EXPLAIN. */

/** The tables that grow with the history; what is left of the others is small. */
export const GROWING = 'games plies game_events rating_changes changes challenges opening_moves unexplored_games'.split(' '); // prettier-ignore

/** After so many times a statement with a name has the plan that it keeps. */
const UNTIL_KEPT = 7;

const literal = (value) => (value === null || value === undefined ? 'NULL' : pg.escapeLiteral(String(prepareValue(value)))); // prettier-ignore

/** What can be explained. */
export const isQuery = ({ text }) => /^(\/\*[^*]*\*\/|[\s(])*(SELECT|WITH)\b/i.test(text);

/**
 * Carries a statement out as the server does, and hands back what EXPLAIN says. One without a name is planned for its
 * values each time; one with a name has the plan that the database keeps in the end, or the one that `mode` demands.
 */
export async function explain(
  db,
  { text, values = [], name = '' },
  { mode = 'auto', settings = {}, format = 'JSON' } = {},
) {
  // prettier-ignore
  const list = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
  const kind = name === '' ? 'force_custom_plan' : mode;
  const options = format === 'JSON' ? 'ANALYZE, BUFFERS, FORMAT JSON' : 'ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF'; // prettier-ignore
  const set = Object.entries({ ...settings, plan_cache_mode: kind }).map(([key, value]) => `SET LOCAL ${key} = ${literal(value)}`); // prettier-ignore
  await db.query(['BEGIN', ...set].join('; '));
  try {
    await db.query(`PREPARE explained AS ${text}`);
    let rows;
    for (let i = kind === 'auto' ? 0 : UNTIL_KEPT - 1; i < UNTIL_KEPT; i++) {
      ({ rows } = await db.query(`EXPLAIN (${options}) EXECUTE explained${list}`));
    }
    const lines = rows.map((row) => row['QUERY PLAN']);
    return format === 'JSON' ? lines[0][0].Plan : lines.join('\n');
  } finally {
    // Of a statement that fails nothing is prepared.
    await db.query('ROLLBACK; DEALLOCATE ALL');
  }
}

function* nodesOf(node) {
  yield node;
  for (const below of node.Plans ?? []) yield* nodesOf(below);
}

/** From where the rows of a node come; such as only decide whether a row stays bring none. */
function sourcesOf(node, all) {
  const cte = all.find((other) => other['Subplan Name'] === `CTE ${node['CTE Name']}`);
  if (cte !== undefined) return [cte];
  const kinds = ['Anti', 'Semi'].includes(node['Join Type']) ? ['Outer'] : ['Outer', 'Inner', 'Member', 'Subquery']; // prettier-ignore
  return (node.Plans ?? []).filter((below) => kinds.includes(below['Parent Relationship']));
}

/** Whether no more rows than some limit can come out of a node, however many the tables have. */
function isLimited(node, all) {
  if (node['Node Type'] === 'Limit') return true;
  const sources = sourcesOf(node, all);
  return sources.length > 0 ? sources.every((source) => isLimited(source, all)) : node['Node Type'] === 'Result'; // prettier-ignore
}

/** What a sort sorts; a value that is found once and for all may stand beside it. */
const inputOf = (sort) => sort.Plans.find((below) => below['Parent Relationship'] === 'Outer');

const removedOf = (scans) =>
  scans.reduce((sum, scan) => sum + (scan['Rows Removed by Filter'] ?? 0) * scan['Actual Loops'], 0);

/** The essence of a plan. */
export function essenceOf(plan) {
  const nodes = [...nodesOf(plan)];
  const sorts = nodes.filter((node) => node['Node Type'] === 'Sort');
  const named = (key) => [...new Set(nodes.flatMap((node) => node[key] ?? []))];
  return {
    /** Pages of 8 KB that were looked at. */
    buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    indexes: named('Index Name').sort(),
    /** Tables that were read from end to end. */
    scanned: nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']),
    /** Rows that were read for nothing: no index knows the condition that they do not meet. */
    removed: removedOf(nodes.filter((node) => node['Relation Name'] !== undefined)),
    /** Of the largest sort. */
    rowsSorted: Math.max(0, ...sorts.map(inputOf).map((below) => below['Actual Rows'] * below['Actual Loops'])), // prettier-ignore
    /** Sorts of as many rows as there are. */
    endlessSorts: sorts.filter((sort) => !isLimited(inputOf(sort), nodes)).map((node) => node['Sort Key'].join(', ')), // prettier-ignore
  };
}

/** Of several statements together. */
export const together = (essences) => ({
  buffers: essences.reduce((sum, { buffers }) => sum + buffers, 0),
  indexes: [...new Set(essences.flatMap(({ indexes }) => indexes))].sort(),
  scanned: essences.flatMap(({ scanned }) => scanned),
  removed: essences.reduce((sum, { removed }) => sum + removed, 0),
  rowsSorted: Math.max(0, ...essences.map(({ rowsSorted }) => rowsSorted)),
  endlessSorts: essences.flatMap(({ endlessSorts }) => endlessSorts),
});
