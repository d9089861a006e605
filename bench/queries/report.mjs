import { cpus } from 'node:os';
import { ORDERS } from './filters.mjs';

/** Formats the measurements as docs/queries.md. */

export const rounded = (number) => (number < 10 ? number.toFixed(1) : Math.round(number).toString());

const grouped = (number) => number.toLocaleString('en');

const shown = (variables) =>
  JSON.stringify(variables, (name, value) => (['after', 'since'].includes(name) ? '...' : value));

/** Its first field: also the operation id of the same query over REST. */
const operationOf = (query) => /^[^{]*\{\s*(\w+)/.exec(query)[1];

/** Queries that differ in their variables alone stand together. */
function queryTexts(results) {
  const numbered = results.map((result, i) => ({ ...result, number: i + 1 }));
  const queries = [...new Set(results.map(({ query }) => query))];
  return queries.map((query) => {
    const asked = numbered.filter((one) => one.query === query);
    const rows = asked.map(({ number, variables }) => `| ${number} | \`${shown(variables)}\` |`);
    return `### ${operationOf(query)}\n\n\`\`\`graphql manual\n${query}\n\`\`\`\n\n| number | variables |\n| ---: | --- |\n${rows.join('\n')}\n`;
  });
}

const rowOf = ({ title, query, ms, lookupMs, ratio, work }, i) =>
  `| ${i + 1} | ${title} | \`${operationOf(query)}\` | ${rounded(ms)} | ${rounded(lookupMs)} | ${rounded(ratio)} | ${grouped(work.buffers)} | ${work.indexes.join(', ')} |`;

const WORDS = { CREATED_AT: 'creation', ENDED_AT: 'end', LAST_ACTIVITY_AT: 'last activity' };

const pagingRow = ({ by, ratio, buffers: [first, far] }) => `| ${WORDS[by]} | ${ratio.toFixed(2)} | ${first} | ${far} |`; // prettier-ignore

/**
 * Indexes of `games` only, without the common parts of their names. The primary key is left out because every
 * list uses it.
 */
const shortNames = (indexes) =>
  indexes
    .filter((name) => name.startsWith('games_') && name !== 'games_pkey')
    .map((name) => name.slice('games_'.length).replace(/_idx$/, ''));

function orderRow({ title, orders }) {
  const cells = ORDERS.map((by) => `${grouped(orders[by].first.buffers)} / ${grouped(orders[by].last.buffers)}`); // prettier-ignore
  const all = ORDERS.flatMap((by) => [orders[by].first, orders[by].last]);
  const indexes = new Set(all.flatMap((work) => shortNames(work.indexes)));
  return `| ${title} | ${cells.join(' | ')} | ${grouped(Math.max(...all.map(({ rowsSorted }) => rowsSorted)))} | ${[...indexes].sort().join(', ')} |`;
}

const planText = ({ title, text }) =>
  `<details><summary>${title}</summary>\n\n\`\`\`\n${text}\n\`\`\`\n\n</details>\n`;

export const reportOf = ({
  results,
  lookup,
  paging,
  orders,
  plans,
  size,
  rounds,
  deep,
  measured,
}) => `# The queries of a site

For developers who change searches or indexes, and for people who plan a large server.

\`npm run bench -- queries\` writes this page. Measured ${measured}, on ${cpus().length} cores that ran the database as well, against ${grouped(size.games)} games with ${grouped(size.plies)} plies (\`npm run bench -- seed\`).

Each query was sent over HTTP in turns with the lookup of one game by its id, \`{ game(id: "...") { id } }\`. Times are medians of ${rounds}, in milliseconds on that machine; "times a lookup" is what you can compare with other machines. Buffers are the pages of 8 KB that PostgreSQL read for the query, by \`EXPLAIN (ANALYZE, BUFFERS)\` of the statements that the server sent; a lookup reads ${lookup.buffers}.

The indexes are those of the same plans. No plan reads a large table from end to end, and the tests hold the same on a small history.

| | query | operation | ms | lookup, ms | times a lookup | buffers | indexes |
| ---: | --- | --- | ---: | ---: | ---: | ---: | --- |
${results.map(rowOf).join('\n')}

## Page ${grouped(deep)}

How many times as long page ${grouped(deep)} of all games took as page 1 of the same list (medians of ${2 * rounds}), and the buffers of both:

| ordered by | times page 1 | buffers, page 1 | buffers, page ${grouped(deep)} |
| --- | ---: | ---: | ---: |
${paging.map(pagingRow).join('\n')}

## Each filter in each order

The buffers of \`games\` with each filter, newest first: of the first page of 20, and after the slash of the page that begins a hundred games before the end of the list. Up to 80 of them are for the rows of the games themselves. In each order the server looks at 1,250 games of a kind at most for a page (of the running games by last activity 500): of those that are over and of those that run, with a player in either seat. If few games match, it collects and sorts them, up to 2,000, and of the running games of a player all; "largest sort" is the largest number of rows sorted. Indexes are those of the table \`games\`, without \`games_\` and \`_idx\`.

| filter | by creation | by end | by last activity | largest sort | indexes |
| --- | ---: | ---: | ---: | ---: | --- |
${orders.map(orderRow).join('\n')}

## The queries

The numbers are those of the first table.

${queryTexts(results).join('\n')}
## Plans

The plans of two searches:

${plans.map(planText).join('\n')}`;
