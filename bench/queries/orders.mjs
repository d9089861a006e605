import { FILTERS, ORDERS, subjectsOf } from './filters.mjs';
import { workOf } from './server.mjs';

/** The database work of `games` for each filter in each order, for the first page and a page near the end. */

const PAGE = 20;
const QUERY = `query ($filter: GamesFilter, $orderBy: GamesOrder, $first: Int, $after: String, $last: Int) {
  games(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last) {
    edges { node { id } } pageInfo { startCursor } }
}`;

async function costOf(server, db, filter, by) {
  const asked = (page) => ({ query: QUERY, variables: { filter, orderBy: { by }, ...page } });
  const first = await workOf(server, db, asked({ first: PAGE }));
  const { data } = await server.ask(asked({ last: 100 }));
  const after = data.games.pageInfo.startCursor;
  // An empty list has only one page.
  const last = after === null ? first : await workOf(server, db, asked({ first: PAGE, after }));
  return { first, last };
}

export async function costs(server, db) {
  const subjects = await subjectsOf(db);
  const found = [];
  for (const [title, filterOf] of FILTERS) {
    const orders = {};
    for (const by of ORDERS) orders[by] = await costOf(server, db, filterOf(subjects), by);
    found.push({ title, orders });
  }
  return found;
}
