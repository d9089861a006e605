import { HalfmoveError, hasCode } from '../errors.js';
import { ACTS } from '../generated/acts.js';
import { type Ask, check, type GameCheck } from './check.js';
import { hashOf, leadsTo, type Receipt, receiptOf, type Row, signedBy } from './receipt.js';
import { type Kept, type ProofStore, type Seed, Shelf } from './store.js';

/**
 * Keeps what proves how the server has played: receipts from every answer, the keys that it showed first, and the client
 * seeds that it draws for the user.
 */

/** What the user must be told of, in plain words; each thing is told once. */
export interface ProofNotice {
  /**
   * CONTRADICTION: the server has signed two stories of a game. CHANGED_KEY: it signs with another key. BAD_RECEIPT: it
   * gave a receipt that its key has not signed. CHECK_FAILED: the finished game does not hold.
   */
  readonly code: 'CONTRADICTION' | 'CHANGED_KEY' | 'BAD_RECEIPT' | 'CHECK_FAILED';
  readonly gameId: string;
  readonly message: string;
  /** The texts of the receipts that prove it. */
  readonly receipts: readonly string[];
}

/** What is held of a game. */
export interface GameProof extends Kept {
  /** All receipts, the oldest first. */
  readonly receipts: readonly string[];
}

export interface ProofOptions {
  readonly store?: ProofStore | undefined;
  readonly onNotice?: ((notice: ProofNotice) => void) | undefined;
}

type Body = Readonly<Record<string, unknown>>;
/** How a request is sent with another input, the id of the challenge in its answer, and how a seed is given to that. */
interface Way<T> {
  send(input: Body): Promise<T>;
  idIn(answer: T): Promise<string | undefined>;
  /** Null where the answer cannot be that to another request. */
  give(id: string, seed: Body): Promise<T> | null;
}

/** Others write texts as well; under this name the server itself gives one. */
const RECEIPT = /(?:"(receipt)"\s*:\s*)?"(halfmove receipt v1\\n(?:[^"\\]|\\.)*)"/g;
const SEED_BYTES = 16;
/** By input type, or by method and route: what opens a game with a seed announced or to come, and what accepts one. */
const ANNOUNCES =
  /^(?:CreateSeekInput|OfferRematchInput|POST \/v1\/seeks|POST \/v1\/games\/\{id\}\/rematch)$/;
const OPENS = /^(?:CreateChallengeInput|CounterChallengeInput|POST \/v1\/challenges(?:\/\{id\}\/counter)?)$/;
const ACCEPTS = /^(?:AcceptChallengeInput|POST \/v1\/challenges\/\{id\}\/accept)$/;
/** When the end is looked for in the log, in milliseconds after it. */
const LOOKS_MS = [2_000, 5_000, 20_000, 60_000];

const CONTRADICTED =
  'The server has signed two different stories of this game. Both receipts are kept. It may have lost a part of its data, ' +
  'or it may be cheating: ask its operator. Nothing more is sent in this game until you say that it goes on.';

const unescaped = (text: string): string => JSON.parse(`"${text}"`) as string;
const textsOf = ({ opening, before, newest, newer, end, contradictions = [] }: Kept): readonly string[] =>
  [...new Set([opening, before, newest, newer, end, ...contradictions.flat()])].filter(
    (text) => text !== undefined,
  );

async function newSeed(): Promise<Seed> {
  const bytes = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
  const clientSeed = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { clientSeed, hash: await hashOf(clientSeed) };
}

export class Keeper {
  private readonly shelf: Shelf;
  private readonly told = new Set<string>();
  /** The hashes of the seeds that are being given. */
  private readonly opening = new Set<string>();
  /** One receipt after the other. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    url: string,
    private readonly ask: Ask,
    private readonly options: ProofOptions,
  ) {
    this.shelf = new Shelf(url, options.store);
  }

  /** Takes the receipts in the text of an answer or event. */
  hear(text: string): void {
    for (const [, name, escaped] of text.matchAll(RECEIPT)) {
      const receipt = receiptOf(unescaped(escaped!));
      if (receipt === null) continue;
      this.queue = this.queue.then(() => this.take(receipt, name !== undefined)).catch(() => undefined);
    }
  }

  async proof(id: string): Promise<GameProof> {
    await this.queue;
    const kept = await this.shelf.game(id);
    const versionOf = (text: string) => receiptOf(text)!.version;
    return { ...kept, receipts: [...textsOf(kept)].sort((a, b) => versionOf(a) - versionOf(b)) };
  }

  /** The user has been told of the contradiction, and plays on with what the server says now. */
  async goOn(id: string): Promise<void> {
    await this.queue;
    const kept = await this.shelf.game(id);
    const { contradictions = [], newer: _, end: _end, ...rest } = kept;
    const [, newest] = contradictions.at(-1) ?? [];
    if (newest !== undefined) await this.shelf.keep(id, { ...rest, contradictions, newest, wentOn: contradictions.length }); // prettier-ignore
  }

  async verify(id: string): Promise<GameCheck> {
    await this.queue;
    const kept = await this.shelf.game(id);
    const keys = (await this.shelf.keys())?.known ?? (await this.keysFor(null));
    return check(this.ask, id, kept, textsOf(kept), keys, async (seek) =>
      textsOf(await this.shelf.game(seek)),
    );
  }

  /**
   * Sends an input with what proves or guards it; `kind` is its type, or the method and the route. What opens a game is
   * answered as it stands when the user's seed has been given.
   */
  async send<T>(kind: string, id: string | undefined, input: Body, way: Way<T>): Promise<T> {
    const announces = ANNOUNCES.test(kind);
    if ((announces || OPENS.test(kind)) && input['clientSeedHash'] == null)
      return this.open(announces, input, way);
    if (id !== undefined && ACCEPTS.test(kind) && input['clientSeed'] == null)
      return way.send({ ...input, ...(await this.accepting(id, input['linkToken'])) });
    if (id !== undefined && ACTS.has(kind) && input['version'] == null && input['seen'] == null)
      return this.act(id, input, way);
    return way.send(input);
  }

  private async open<T>(announces: boolean, input: Body, way: Way<T>): Promise<T> {
    const seed = await newSeed();
    await this.shelf.keepSeed(seed);
    this.opening.add(seed.hash);
    try {
      const answer = await way.send(announces ? { ...input, clientSeedHash: seed.hash } : input);
      const id = (await way.idIn(answer)) ?? (await this.challengeOf(seed));
      // The game is open. A seed that it waits for is sent again with the next receipt of it.
      return id === undefined
        ? answer
        : ((await this.give(id, seed, announces, way).catch(() => answer)) ?? answer);
    } finally {
      this.opening.delete(seed.hash);
    }
  }

  /** Null if the server has shown no commitment, without which a seed protects from nothing; one that was announced is waited for. */
  private async give<T>(id: string, seed: Seed, isAnnounced: boolean, way: Way<T>): Promise<T | null> {
    await this.queue;
    if ((await this.shelf.game(id)).newest === undefined) await this.look(id);
    const kept = await this.shelf.game(id);
    if (kept.newest === undefined && !isAnnounced) return null;
    if (kept.newest !== undefined) await this.shelf.keep(id, { ...kept, before: kept.newest });
    await this.shelf.keepSeed({ ...seed, challenge: id });
    const given = { clientSeed: seed.clientSeed };
    // A document of the user's own may ask for what another answer does not have.
    const begun = await Promise.resolve(way.give(id, given)).catch(() => null);
    if (begun === null) await this.ask(`/v1/challenges/${id}/client-seed`, given);
    await this.shelf.keepSeed({ ...seed, challenge: id, isGiven: true });
    return begun;
  }

  /** Gives an announced seed that did not arrive, as where the answer to the opening was lost. */
  private async giveLate(seed: Seed, id: string): Promise<void> {
    this.opening.add(seed.hash);
    try {
      await this.ask(`/v1/challenges/${id}/client-seed`, { clientSeed: seed.clientSeed });
      await this.shelf.keepSeed({ ...seed, challenge: id, isGiven: true });
    } catch {
      // The next receipt tries again.
    } finally {
      this.opening.delete(seed.hash);
    }
  }

  /** By the receipts in its answer. */
  private async challengeOf({ hash }: Seed): Promise<string | undefined> {
    await this.queue;
    return (await this.shelf.seeds()).find((seed) => seed.hash === hash)?.challenge;
  }

  /** The seed to accept with, after the receipt of what stands before it. The same for a challenge that has not changed. */
  private async accepting(id: string, linkToken: unknown): Promise<Body> {
    await this.look(id, linkToken);
    const kept = await this.shelf.game(id);
    const newest = kept.newer ?? kept.newest;
    if (newest === undefined) return {};
    const drawn = (await this.shelf.seeds()).find(({ challenge }) => challenge === id);
    const seed =
      drawn !== undefined && kept.before === newest ? drawn : { ...(await newSeed()), challenge: id };
    await this.shelf.keepSeed({ ...seed, isGiven: true });
    await this.shelf.keep(id, { ...kept, before: newest });
    return { clientSeed: seed.clientSeed };
  }

  /** Sends an act on what was seen; once more if only what the client had seen was old, and what is new goes on from it. */
  private async act<T>(id: string, input: Body, way: Way<T>): Promise<T> {
    const seen = await this.seen(id);
    if (seen === null) return way.send(input);
    try {
      return await way.send({ ...input, seen });
    } catch (error) {
      if (!hasCode(error, 'STALE_VERSION')) throw error;
      await this.ask(`/v1/games/${id}`);
      const now = await this.seen(id);
      if (now === null || now.hash === seen.hash) throw error;
      return await way.send({ ...input, seen: now });
    }
  }

  private async seen(id: string): Promise<{ readonly version: number; readonly hash: string } | null> {
    await this.queue;
    const { newest, newer, contradictions = [], wentOn = 0 } = await this.shelf.game(id);
    if (contradictions.length > wentOn) throw new HalfmoveError('CONTRADICTION', CONTRADICTED);
    const text = newer ?? newest;
    const receipt = text === undefined ? null : receiptOf(text);
    return receipt === null ? null : { version: receipt.version, hash: receipt.hash };
  }

  private async look(id: string, linkToken?: unknown): Promise<void> {
    const query = typeof linkToken === 'string' ? `?linkToken=${encodeURIComponent(linkToken)}` : '';
    await this.ask(`/v1/challenges/${id}${query}`).catch(() => undefined);
    await this.queue;
  }

  private async take(receipt: Receipt, isGiven: boolean): Promise<void> {
    const { game: id, written } = receipt;
    const kept = await this.shelf.game(id);
    const held = textsOf(kept);
    if (held.includes(written) || (!isGiven && held.length === 0)) return;
    if (!(await this.isGenuine(receipt, isGiven))) return;
    const { contradictions = [], wentOn = 0 } = kept;
    if (contradictions.length > wentOn) return;
    const mine = (await this.shelf.seeds()).find(({ hash }) => isIn(receipt, hash));
    if (mine !== undefined && mine.challenge === undefined)
      await this.shelf.keepSeed({ ...mine, challenge: id });
    if (mine !== undefined && mine.isGiven !== true && !receipt.isEnd && !this.opening.has(mine.hash))
      void this.giveLate(mine, mine.challenge ?? id);
    const noted: Kept = {
      ...kept,
      ...(receipt.version === 0 && kept.opening === undefined && { opening: written }),
      ...(receipt.isEnd && kept.end === undefined && { end: written }),
      ...(mine && { role: receipt.creatorSeed === mine.hash ? 'creator' : 'accepter' }),
      // An announced seed is not given yet.
      ...(mine && mine.isGiven !== true && { before: written }),
    };
    const next = await this.compared(receipt, noted);
    await this.shelf.keep(id, next);
    if (next.contradictions !== noted.contradictions)
      this.tell({
        code: 'CONTRADICTION',
        gameId: id,
        message: CONTRADICTED,
        receipts: next.contradictions!.at(-1)!,
      });
    else if (receipt.isEnd && kept.newest !== undefined && kept.verdict === undefined) this.checkEnd(id, 0);
  }

  /** With the receipt in its place, or as the second story of the game. */
  private async compared(receipt: Receipt, kept: Kept): Promise<Kept> {
    const { written, version } = receipt;
    // What the user has gone on from is no news.
    const { contradictions: _past, ...present } = kept;
    const held = textsOf(present).map((text) => receiptOf(text)!);
    const other = held.find((each) => each.version === version && each.text !== receipt.text);
    const contradicted = (by: Receipt): Kept => ({
      ...kept,
      contradictions: [...(kept.contradictions ?? []), [by.written, written]],
    });
    if (other !== undefined) return contradicted(other);
    const newest = kept.newest === undefined ? null : receiptOf(kept.newest)!;
    if (newest === null) return { ...kept, newest: written };
    if (version <= newest.version) return kept;
    const rows = await this.rowsAfter(newest);
    // A challenge has no record until it is accepted.
    if (rows === null) return { ...kept, newer: written };
    if (!(await leadsTo(receipt, newest, rows))) return contradicted(newest);
    const { newer: _, ...rest } = kept;
    return { ...rest, newest: written };
  }

  private async rowsAfter({ game, version }: Receipt): Promise<readonly Row[] | null> {
    try {
      const answer = await this.ask(`/v1/games/${game}/record?after=${version}`);
      return ((await answer.json()) as { readonly rows: readonly Row[] }).rows;
    } catch {
      return null;
    }
  }

  private async isGenuine(receipt: Receipt, isGiven: boolean): Promise<boolean> {
    const verdict = await signedBy(receipt, (await this.shelf.keys())?.known ?? []);
    const keys = verdict === 'unknown' ? await this.keysFor(receipt) : [];
    const now = verdict === 'unknown' ? await signedBy(receipt, keys) : verdict;
    if (now === 'valid' || !isGiven) return now === 'valid';
    this.tell({
      code: 'BAD_RECEIPT',
      gameId: receipt.game,
      message: 'The server gave a receipt that none of its keys has signed. It was not kept.',
      receipts: [receipt.written],
    });
    return false;
  }

  /** The keys that the server showed first, and those that it shows now, of which the user is told if one signs this. */
  private async keysFor(receipt: Receipt | null): Promise<readonly string[]> {
    const kept = await this.shelf.keys();
    const answer = await this.ask('/.well-known/halfmove.json');
    const { keys } = (await answer.json()) as { readonly keys: readonly { readonly key: string }[] };
    const fresh = keys.map(({ key }) => key).filter((key) => kept?.known.includes(key) !== true);
    const known = [...(kept?.known ?? []), ...fresh];
    if (fresh.length > 0) await this.shelf.keepKeys({ known });
    if (kept !== null && receipt !== null && (await signedBy(receipt, fresh)) === 'valid')
      this.tell({
        code: 'CHANGED_KEY',
        gameId: receipt.game,
        message:
          'The server signs with a key that it did not show before. Ask its operator whether the key was changed.',
        receipts: [receipt.written],
      });
    return known;
  }

  /** Looks for the end in the log, some seconds after it, and checks the game with all that is held. */
  private checkEnd(id: string, looks: number): void {
    const timer = setTimeout(() => {
      void this.verify(id).then(
        async (found) => {
          if (found.verdict === 'open' && looks + 1 < LOOKS_MS.length) return this.checkEnd(id, looks + 1);
          const kept = await this.shelf.game(id);
          await this.shelf.keep(id, { ...kept, verdict: found.verdict });
          if (found.verdict !== 'failed') return;
          const faults = found.findings.filter(({ ok }) => ok === false).map(({ detail }) => detail);
          const message = `This game does not hold: ${faults.join('; ')}.`;
          this.tell({ code: 'CHECK_FAILED', gameId: id, message, receipts: textsOf(kept) });
        },
        () => undefined,
      );
    }, LOOKS_MS[looks]);
    // In Node, no program waits for it.
    (timer as unknown as { readonly unref?: () => void }).unref?.();
  }

  private tell(notice: ProofNotice): void {
    const name = `${notice.code} ${notice.gameId}`;
    if (this.told.has(name) && notice.code !== 'CONTRADICTION') return;
    this.told.add(name);
    this.options.onNotice?.(notice);
  }
}

const isIn = ({ creatorSeed, accepterSeed }: Receipt, hash: string): boolean =>
  creatorSeed === hash || accepterSeed === hash;
