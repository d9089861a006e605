import createFetch, { type Client, type ClientPathsWithMethod, type MaybeOptionalInit, type MethodResponse } from 'openapi-fetch'; // prettier-ignore
import type { paths } from './generated/rest.js';
import { prepareRequest } from './idempotency.js';
import type { Proofs } from './proofs.js';
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

const PROVEN = /^\/v1\/(?:games|challenges|seeks)/;

export function restOf(transport: Transport, keeper: SessionKeeper, url: string, proofs: Proofs): Rest {
  const api = createFetch<paths>({ baseUrl: url });
  api.use({
    // Replaces the request that openapi-fetch would send.
    onRequest: async ({ request, schemaPath, params, options: { parseAs } }) => {
      const { session } = keeper;
      const read = parseAs === 'json' ? checkedJson : checked;
      const send = async (sent: Request) => {
        const isRepeatable = await prepareRequest(sent, schemaPath);
        return transport.send(sent, { isRepeatable, read }, session);
      };
      const proof = PROVEN.test(schemaPath) && request.method !== 'GET' ? await proofs.loaded() : null;
      return proof === null ? send(request) : proof.viaRest(request, schemaPath, params.path?.['id'], send);
    },
  });
  return api as unknown as Rest;
}
