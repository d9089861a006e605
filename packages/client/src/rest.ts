import createFetch, { type Client, type ClientPathsWithMethod, type MaybeOptionalInit, type MethodResponse } from 'openapi-fetch'; // prettier-ignore
import type { paths } from './generated/rest.js';
import { prepareRequest } from './idempotency.js';
import type { SessionKeeper } from './session.js';
import { checked, checkedJson, type Transport } from './transport.js';

type Api = Client<paths>;
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** As in openapi-fetch, but throws errors. With If-None-Match, `data` is undefined if `response` has status 304. */
type Call<M extends Method> = <
  Path extends ClientPathsWithMethod<Api, M>,
  Init extends MaybeOptionalInit<paths[Path], M>,
>(
  path: Path,
  ...init: undefined extends MaybeOptionalInit<paths[Path], M> ? [init?: Init] : [init: Init]
) => Promise<{ readonly data: MethodResponse<Api, M, Path, Init>; readonly response: Response }>;

/** The routes of openapi.json. */
export type Rest = { readonly [M in Method as Uppercase<M>]: Call<M> };

export function restOf(transport: Transport, keeper: SessionKeeper, url: string): Rest {
  const api = createFetch<paths>({ baseUrl: url });
  api.use({
    // Replaces the request that openapi-fetch would send.
    onRequest: async ({ request, schemaPath, options: { parseAs } }) => {
      const { session } = keeper;
      const isRepeatable = await prepareRequest(request, schemaPath);
      const read = parseAs === 'json' ? checkedJson : checked;
      return transport.send(request, { isRepeatable, read }, session);
    },
  });
  return api as unknown as Rest;
}
