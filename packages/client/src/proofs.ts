import type { Ask, GameCheck } from './proof/check.js';
import type { GameProof, Keeper, ProofOptions } from './proof/keeper.js';

/** Loads what keeps proof with the first receipt, or with the first request that needs one. */

const MARK = 'halfmove receipt v1';

interface Loaded {
  readonly keeper: Keeper;
  viaGraphql<Result>(
    query: string,
    given: object,
    send: (query: string, given: object) => Promise<Result>,
  ): Promise<Result>;
  viaRest(
    request: Request,
    route: string,
    id: unknown,
    send: (request: Request) => Promise<Response>,
  ): Promise<Response>;
}

export class Proofs {
  private loading: Promise<Loaded | null> | null = null;

  constructor(
    private readonly url: string,
    private readonly ask: Ask,
    /** Null keeps nothing. */
    private readonly options: ProofOptions | null,
  ) {}

  /** Null if nothing is kept, or the code could not be loaded. */
  loaded(): Promise<Loaded | null> {
    return (this.loading ??= this.load().catch(() => (this.loading = null)));
  }

  private async load(): Promise<Loaded | null> {
    if (this.options === null) return null;
    const [{ Keeper }, { viaGraphql, viaRest }] = await Promise.all([
      import('./proof/keeper.js'),
      import('./proof/requests.js'),
    ]);
    const keeper = new Keeper(this.url, this.ask, this.options);
    return {
      keeper,
      viaGraphql: (query, given, send) => viaGraphql(keeper, query, given, send),
      viaRest: (request, route, id, send) => viaRest(keeper, request, route, id, send),
    };
  }

  /** Keeps the receipts in the text of an answer or an event. */
  heard(text: string): void {
    if (text.includes(MARK)) void this.loaded().then((proof) => proof?.keeper.hear(text));
  }

  /** Lets each JSON answer be heard. */
  hearing(fetch: (request: Request) => Promise<Response>): (request: Request) => Promise<Response> {
    if (this.options === null) return fetch;
    return async (request) => {
      const response = await fetch(request);
      const isJson = /\bjson/.test(response.headers.get('content-type') ?? '');
      if (response.body === null || !isJson) return response;
      const text = await response.text();
      this.heard(text);
      return new Response(text, response);
    };
  }

  proof = async (id: string): Promise<GameProof | null> => (await this.loaded())?.keeper.proof(id) ?? null;

  goOn = async (id: string): Promise<void> => (await this.loaded())?.keeper.goOn(id);

  async verify(id: string): Promise<GameCheck> {
    const proof = await this.loaded();
    if (proof === null) throw new Error('This client keeps no proof: its option `proofs` is null.');
    return proof.keeper.verify(id);
  }
}
