/** Applications and their players, as `by` of the requests of Api. */

const SITE = { name: 'A site', url: 'https://example.org' };

/** A new application with a token, and its owner. */
export async function newSite(api, name = SITE.name) {
  const owner = await api.register('owner');
  const { application, secret } = await api.well(owner, 'POST', '/v1/applications', { ...SITE, name });
  const site = { id: application.id, secret, owner };
  return { ...site, token: await tokenOf(api, site) };
}

/** A new token of an application. */
export const tokenOf = async (api, { id, secret }) =>
  (await api.well(null, 'POST', `/v1/applications/${id}/tokens`, { secret })).token;

/** Saves players by their external ids. */
export const savePlayers = (api, site, ...externalIds) =>
  api.well(site, 'PUT', '/v1/application/players', {
    players: externalIds.map((externalId) => ({ externalId, displayName: `Member ${externalId}` })),
  });

/** A new token of a player. */
export async function playerOf(api, site, externalId) {
  const path = `/v1/application/players/${externalId}/tokens`;
  const { token, playerId } = await api.well(site, 'POST', path, {});
  return { id: playerId, token, externalId };
}

export const newGame = (externalId, first, second, more = {}) => ({
  ...{ externalId, ruleset: 'chess', timeControl: { perMove: { seconds: 259_200 } } },
  ...{ first: { externalId: first }, second: { externalId: second }, ...more },
});

/** Begins one game, and resolves to its id. */
export async function beginGame(api, site, ...given) {
  const body = { games: [newGame(...given)] };
  return (await api.well(site, 'POST', '/v1/application/games', body)).games[0].game.id;
}

/** All items of a list, page by page to its end. */
export async function walk(api, by, path) {
  const found = [];
  for (let after = null; ;) {
    const more = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    const { items, next } = await api.well(by, 'GET', `${path}?first=100${more}`);
    found.push(...items);
    if (next === null) return found;
    after = next;
  }
}
