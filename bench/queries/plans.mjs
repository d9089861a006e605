import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';

/** Plans of the statements that a server has sent, by EXPLAIN. */

/** The tables that grow with the history; the others stay small. */
export const GROWING = 'games plies game_events rating_changes changes challenges opening_moves unexplored_games'.split(' '); // prettier-ignore

/** PostgreSQL settles on the plan of a prepared statement by this many executions. */
const UNTIL_KEPT = 7;

const literal = (value) => (value === null || value === undefined ? 'NULL' : pg.escapeLiteral(String(prepareValue(value)))); // prettier-ignore

/** Whether EXPLAIN accepts the statement. */
export const isQuery = ({ text }) => /^(\/\*[^*]*\*\/|[\s(])*(SELECT|WITH)\b/i.test(text);

/**
 * Executes a statement as the server does and returns the output of EXPLAIN. An unnamed statement is planned
 * for its values each time; a named one has the plan that PostgreSQL settles on, or the one that `mode`
 * demands.
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
    await db.query('ROLLBACK; DEALLOCATE ALL');
  }
}

function* nodesOf(node) {
  yield node;
  for (const below of node.Plans ?? []) yield* nodesOf(below);
}

/** The children that supply the rows of a node; children that only filter rows are left out. */
function sourcesOf(node, all) {
  const cte = all.find((other) => other['Subplan Name'] === `CTE ${node['CTE Name']}`);
  if (cte !== undefined) return [cte];
  const kinds = ['Anti', 'Semi'].includes(node['Join Type']) ? ['Outer'] : ['Outer', 'Inner', 'Member', 'Subquery']; // prettier-ignore
  return (node.Plans ?? []).filter((below) => kinds.includes(below['Parent Relationship']));
}

/** Whether some limit bounds the rows that a node returns, regardless of the size of the tables. */
function isLimited(node, all) {
  if (node['Node Type'] === 'Limit') return true;
  const sources = sourcesOf(node, all);
  return sources.length > 0 ? sources.every((source) => isLimited(source, all)) : node['Node Type'] === 'Result'; // prettier-ignore
}

/** The input of a sort, without the subplans that compute a single value. */
const inputOf = (sort) => sort.Plans.find((below) => below['Parent Relationship'] === 'Outer');

const removedOf = (scans) =>
  scans.reduce((sum, scan) => sum + (scan['Rows Removed by Filter'] ?? 0) * scan['Actual Loops'], 0);

/** The parts of a plan that the report needs. */
export function essenceOf(plan) {
  const nodes = [...nodesOf(plan)];
  const sorts = nodes.filter((node) => node['Node Type'] === 'Sort');
  const named = (key) => [...new Set(nodes.flatMap((node) => node[key] ?? []))];
  return {
    /** Pages of 8 KB that were read. */
    buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    indexes: named('Index Name').sort(),
    /** Tables that were read from end to end. */
    scanned: nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']),
    /** Rows that were read but filtered out, because no index covers the condition. */
    removed: removedOf(nodes.filter((node) => node['Relation Name'] !== undefined)),
    /** Rows of the largest sort. */
    rowsSorted: Math.max(0, ...sorts.map(inputOf).map((below) => below['Actual Rows'] * below['Actual Loops'])), // prettier-ignore
    /** Sorts whose input grows with the tables. */
    endlessSorts: sorts.filter((sort) => !isLimited(inputOf(sort), nodes)).map((node) => node['Sort Key'].join(', ')), // prettier-ignore
  };
}

/** The sum over several statements. */
export const together = (essences) => ({
  buffers: essences.reduce((sum, { buffers }) => sum + buffers, 0),
  indexes: [...new Set(essences.flatMap(({ indexes }) => indexes))].sort(),
  scanned: essences.flatMap(({ scanned }) => scanned),
  removed: essences.reduce((sum, { removed }) => sum + removed, 0),
  rowsSorted: Math.max(0, ...essences.map(({ rowsSorted }) => rowsSorted)),
  endlessSorts: essences.flatMap(({ endlessSorts }) => endlessSorts),
});
