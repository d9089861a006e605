import { cpus } from 'node:os';
import { ORDERS } from './filters.mjs';

/** docs/queries.md from what was measured. */

export const rounded = (number) => (number < 10 ? number.toFixed(1) : Math.round(number).toString());

const grouped = (number) => number.toLocaleString('en');

const shown = (variables) =>
  JSON.stringify(variables, (name, value) => (['after', 'since'].includes(name) ? '...' : value));

const textOf = ({ title, query, variables }, i) =>
  `### ${i + 1}. ${title}\n\n\`\`\`graphql\n${query}\n\`\`\`\n${Object.keys(variables).length === 0 ? '' : `\nwith \`${shown(variables)}\`\n`}`;

const rowOf = ({ title, ms, lookupMs, ratio, work }, i) =>
  `| ${i + 1} | ${title} | ${rounded(ms)} | ${rounded(lookupMs)} | ${rounded(ratio)} | ${grouped(work.buffers)} | ${work.indexes.join(', ')} |`;

const WORDS = { createdAt: 'by creation', endedAt: 'by end', lastActivityAt: 'by last activity' };

const pagingRow = ({ by, ratio, buffers: [first, far] }) => `| ${WORDS[by]} | ${ratio.toFixed(2)} | ${first} | ${far} |`; // prettier-ignore

/** Indexes of games alone, without what all their names share; those of keys are those of every list. */
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
}) => `# Queries of a site

Written by \`npm run bench:queries\` on ${cpus().length} cores that ran the database as well, against ${grouped(size.games)} games and ${grouped(size.plies)} plies (\`npm run bench:seed\`). Each query was asked over HTTP in turns with the lookup of one game by its id, \`{ game(id: "...") { id } }\`: both by medians of ${rounds}, in milliseconds as this machine had them that day, and as "times a lookup", which is what other machines can be held against. Buffers are the pages of 8 KB that PostgreSQL looked at for it, by \`EXPLAIN (ANALYZE, BUFFERS)\` of the statements that the server sent, with their values; a lookup looks at ${lookup.buffers}. The indexes are those of the same plans. No plan reads a large table from end to end.

| | query | ms | lookup, ms | times a lookup | buffers | indexes |
| --- | --- | --- | --- | --- | --- | --- |
${results.map(rowOf).join('\n')}

## Page ${grouped(deep)}

How many times as long page ${grouped(deep)} of all games took as page 1 of the same list, medians of ${2 * rounds}, and the buffers of both.

| order | times page 1 | buffers, page 1 | buffers, page ${grouped(deep)} |
| --- | --- | --- | --- |
${paging.map(pagingRow).join('\n')}

## Each filter in each order

Of \`games\` with these filters, the newest first: the buffers of the first page of 20, and behind the slash those of the page that begins a hundred games before the end of the list. Of each, up to 80 are for the rows of the games themselves. At most 5,000 games are looked at for a page. The largest sort is of so many rows: such as few games meet are gathered and sorted, up to 2,000. The indexes are those of \`games\`, by their names without \`games_\` and \`_idx\`.

| filter | by creation | by end | by last activity | largest sort | indexes |
| --- | --- | --- | --- | --- | --- |
${orders.map(orderRow).join('\n')}

## The queries

${results.map(textOf).join('\n')}
## Plans

The searches of two of them.

${plans.map(planText).join('\n')}`;
