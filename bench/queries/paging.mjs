import { ORDERS } from './filters.mjs';
import { median } from './median.mjs';
import { workOf } from './server.mjs';

/** A page far down the list of all games, compared with the first page. */

const PAGE = 20;
const MOST = 100;
const QUERY = `query ($by: GamesOrderBy!, $first: Int, $after: String) {
  games(orderBy: { by: $by }, first: $first, after: $after) {
    edges { cursor node { id ruleset { id } plyCount } } pageInfo { endCursor hasNextPage } }
}`;

/** The cursor before page `deep` of all games, found by paging to it. */
export async function deepCursor({ ask }, by, deep) {
  let after = null;
  for (let left = (deep - 1) * PAGE; left > 0;) {
    const { edges, pageInfo } = (await ask({ query: QUERY, variables: { by, first: MOST, after } })).data.games; // prettier-ignore
    if (!pageInfo.hasNextPage) throw new Error(`There are too few games for page ${deep}. Seed more games.`);
    after = edges.length > left ? edges[left - 1].cursor : pageInfo.endCursor;
    left -= edges.length;
  }
  return after;
}

async function oneOrder(server, db, by, deep, rounds) {
  const of = (after) => ({ query: QUERY, variables: { by, first: PAGE, after } });
  const after = await deepCursor(server, by, deep);
  const [first, far] = [[], []];
  for (let i = 0; i < rounds; i++) {
    first.push((await server.ask(of(null))).ms);
    far.push((await server.ask(of(after))).ms);
  }
  const works = [await workOf(server, db, of(null)), await workOf(server, db, of(after))];
  return { by, ratio: median(far) / median(first), buffers: works.map(({ buffers }) => buffers) };
}

/** The ratio of the times, and the buffers of both pages. */
export async function pagingOf(server, db, deep, rounds) {
  const found = [];
  for (const by of ORDERS) found.push(await oneOrder(server, db, by, deep, rounds));
  return found;
}
