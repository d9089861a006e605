/** Where proof is kept, as in the localStorage of a browser; its methods may also answer later. */
export interface ProofStore {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
}

/** A client seed of the user. It is secret until the game begins. */
export interface Seed {
  readonly clientSeed: string;
  readonly hash: string;
  /** The challenge that it was drawn for, once that is known. */
  readonly challenge?: string;
  readonly isGiven?: true;
}

/** What is kept of a game or challenge. */
export interface Kept {
  /** The texts of receipts: of the opening, the one right before the user's seed, the newest that goes on from them, a newer one that is not compared yet, and that of the end. */
  readonly opening?: string;
  readonly before?: string;
  readonly newest?: string;
  readonly newer?: string;
  readonly end?: string;
  /** Whose seed the user's is. */
  readonly role?: 'creator' | 'accepter';
  /** Pairs of receipts of which the second contradicts the first. */
  readonly contradictions?: readonly (readonly [string, string])[];
  /** After how many of them the user has said that the game goes on. */
  readonly wentOn?: number;
  /** What the check after the end said. */
  readonly verdict?: 'holds' | 'failed' | 'open';
}

export interface Keys {
  /** Those that were seen first, and those that were told of later, as verifier keys. */
  readonly known: readonly string[];
}

const MOST_GAMES = 1000;
const MOST_SEEDS = 100;

const inMemory = (): ProofStore => {
  const texts = new Map<string, string>();
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, value) => texts.set(key, value),
    removeItem: (key) => texts.delete(key),
  };
};

function ofBrowser(): ProofStore | null {
  try {
    return (globalThis as { readonly localStorage?: ProofStore }).localStorage ?? null;
  } catch {
    return null;
  }
}

/** What is kept of one server, as JSON under keys with its address. Tokens are never among it. */
export class Shelf {
  private readonly store: ProofStore;

  constructor(
    private readonly url: string,
    store: ProofStore | undefined,
  ) {
    this.store = store ?? ofBrowser() ?? inMemory();
  }

  game = (id: string): Promise<Kept> => this.read(id, {});

  async keep(id: string, kept: Kept): Promise<void> {
    await this.write(id, kept);
    const games = await this.read<readonly string[]>('games', []);
    if (games.at(-1) === id) return;
    const listed = [...games.filter((each) => each !== id), id];
    for (const old of listed.splice(0, listed.length - MOST_GAMES))
      await this.store.removeItem(this.key(old));
    await this.write('games', listed);
  }

  keys = (): Promise<Keys | null> => this.read<Keys | null>('keys', null);
  keepKeys = (keys: Keys): Promise<void> => this.write('keys', keys);

  seeds = (): Promise<readonly Seed[]> => this.read<readonly Seed[]>('seeds', []);

  /** In the place of the one with the same hash. */
  async keepSeed(seed: Seed): Promise<void> {
    const others = (await this.seeds()).filter(({ hash }) => hash !== seed.hash);
    await this.write('seeds', [...others, seed].slice(-MOST_SEEDS));
  }

  private key = (name: string): string => `halfmove-proof ${this.url} ${name}`;

  private async read<T>(name: string, otherwise: T): Promise<T> {
    try {
      return (JSON.parse((await this.store.getItem(this.key(name))) ?? 'null') as T | null) ?? otherwise;
    } catch {
      return otherwise;
    }
  }

  private async write(name: string, value: object): Promise<void> {
    await this.store.setItem(this.key(name), JSON.stringify(value));
  }
}
