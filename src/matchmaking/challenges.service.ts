import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { makeTimeControl, type TimeControl } from '../arbiter/clock.js';
import type { Viewer } from '../auth/viewer.js';
import type { Config } from '../config.js';
import { DealsService } from '../engine/deals.service.js';
import { EngineService } from '../engine/engine.service.js';
import { unwrap } from '../engine/refusals.js';
import { clientSeedHash, parseClientSeed } from '../fairness/commitment.js';
import type { GameRow } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { CONFIG } from '../platform/config.module.js';
import { DomainError } from '../platform/errors.js';
import { Every } from '../platform/every.js';
import { Idempotency, keyedAct, type KeyedAct } from '../platform/idempotency.js';
import { Time } from '../platform/time.js';
import { opponent, type Player } from '../rules/ruleset.js';
import { UsersService } from '../users/users.service.js';
import {
  statusAt,
  wishedSeat,
  type ChallengeRow,
  type ChallengeTerms,
  type SideWish,
} from './challenge.row.js';
import { ChallengesStore, type Box } from './challenges.store.js';
import { opensLink } from './links.js';

const VALID_MS = 14 * 86_400_000;
const SWEEP_MS = 60_000;

export interface ChallengeRequest {
  readonly ruleset: string;
  readonly options?: unknown;
  /** A username; without it the challenge is open to the first who has its link. */
  readonly opponent?: string | null | undefined;
  readonly timeControl: { readonly type: string; readonly seconds?: number | null | undefined };
  readonly side?: SideWish | null | undefined;
  readonly clientSeed?: string | null | undefined;
  readonly clientSeedHash?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

export interface Acceptance {
  readonly id: string;
  readonly linkToken?: string | null | undefined;
  readonly clientSeed?: string | null | undefined;
}

/** From two people who want to play to a game. */
@Injectable()
export class ChallengesService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep = new Every('ChallengeSweep', SWEEP_MS, () => this.store.expire(this.time.now()));

  constructor(
    private readonly store: ChallengesStore,
    private readonly games: GamesService,
    private readonly engine: EngineService,
    private readonly deals: DealsService,
    private readonly users: UsersService,
    private readonly idempotency: Idempotency,
    private readonly time: Time,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.sweep.stop();
  }

  /** A challenge that the viewer may see; throws NOT_FOUND for any other. */
  async challenge(viewer: Viewer | null, id: string, linkToken?: string | null): Promise<ChallengeRow> {
    const row = await this.store.find(id);
    if (row !== null && this.maySee(row, viewer, linkToken)) return row;
    throw new DomainError('NOT_FOUND', 'There is no challenge with this id for you.', { field: 'id' });
  }

  /** The open ones to or from the viewer, newest first. */
  open(viewer: Viewer, box: Box, after: string | null, limit: number): Promise<readonly ChallengeRow[]> {
    return this.store.open(viewer.userId, box, this.time.now(), after, limit);
  }

  async create(viewer: Viewer, { idempotencyKey, ...request }: ChallengeRequest): Promise<ChallengeRow> {
    const act = keyedAct(viewer.userId, idempotencyKey, 'createChallenge', request);
    const made = act && (await this.idempotency.made(act));
    if (made) return (await this.store.find(made))!;
    const row = await this.insert(await this.terms(viewer, request), act);
    // Null: the same request, sent twice at once, has made it meanwhile.
    return row ?? (await this.store.find((await this.idempotency.made(act!))!))!;
  }

  /** Takes a challenge up; its game has the same id. Asked again by the same user, it answers with the game. */
  async accept(viewer: Viewer, { id, linkToken, clientSeed }: Acceptance): Promise<GameRow> {
    const row = await this.challenge(viewer, id, linkToken);
    if (row.creatorId === viewer.userId) {
      throw new DomainError('OWN_CHALLENGE', 'You cannot accept your own challenge.');
    }
    const seed = unwrap(parseClientSeed(clientSeed ?? ''));
    const game =
      row.status === 'open' ? await this.draft(row, viewer.userId, row.creatorClientSeed, seed) : null;
    const now = this.time.now();
    const taken =
      game !== null && (await this.store.accept(id, viewer.userId, now, (tx) => this.games.insert(tx, game)));
    return taken ? game : this.accepted(viewer, id);
  }

  /** The creator's seed, announced by its hash, starts the game that waits for it. */
  async revealClientSeed(viewer: Viewer, id: string, clientSeed: string): Promise<GameRow> {
    const row = await this.challenge(viewer, id);
    if (row.creatorId !== viewer.userId) {
      throw new DomainError('FORBIDDEN', 'Only the creator of the challenge has announced a seed.');
    }
    const seed = unwrap(parseClientSeed(clientSeed));
    if (clientSeedHash(seed) !== row.creatorClientSeedHash) {
      const message = 'This is not the seed whose SHA-256 came with the challenge.';
      throw new DomainError('INVALID_SEED', message, { field: 'clientSeed' });
    }
    const waiting = await this.games.game(id);
    if (waiting.status === 'pending') {
      const accepterId = waiting.firstId === row.creatorId ? waiting.secondId : waiting.firstId;
      const accepterSeed = waiting.firstClientSeed ?? waiting.secondClientSeed ?? '';
      await this.games.start(waiting, await this.draft(row, accepterId, seed, accepterSeed));
    }
    const game = await this.games.game(id);
    if (game.termsHash !== null) return game;
    throw new DomainError('GAME_OVER', 'The game was aborted before the seed came.');
  }

  async decline(viewer: Viewer, id: string): Promise<ChallengeRow> {
    const row = await this.challenge(viewer, id);
    if (row.opponentId !== viewer.userId) {
      throw new DomainError('FORBIDDEN', 'Only the challenged player can decline; the creator cancels.');
    }
    return this.close(row, 'declined');
  }

  async cancel(viewer: Viewer, id: string): Promise<ChallengeRow> {
    const row = await this.challenge(viewer, id);
    if (row.creatorId !== viewer.userId) {
      throw new DomainError('FORBIDDEN', 'Only the creator can cancel; the challenged player declines.');
    }
    return this.close(row, 'cancelled');
  }

  private maySee(row: ChallengeRow, viewer: Viewer | null, token?: string | null): boolean {
    if (viewer !== null && (viewer.userId === row.creatorId || viewer.userId === row.opponentId)) return true;
    return opensLink(this.config.tokenSecret, row.id, token);
  }

  private async terms(viewer: Viewer, request: ChallengeRequest): Promise<ChallengeTerms> {
    const createdAt = this.time.now();
    return {
      id: uuid(),
      creatorId: viewer.userId,
      opponentId: await this.opponentId(viewer, request.opponent ?? null),
      status: 'open',
      ruleset: this.engine.ruleset(request.ruleset).id,
      options: this.engine.options(request.ruleset, request.options ?? {}),
      timeControl: timeControlOf(request),
      side: request.side ?? 'any',
      ...seedOf(request),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + VALID_MS),
      answeredAt: null,
    };
  }

  private async opponentId(viewer: Viewer, username: string | null): Promise<string | null> {
    if (username === null) return null;
    const user = await this.users.byUsername(username);
    if (user === null) throw new DomainError('NOT_FOUND', 'Nobody has this username.', { field: 'opponent' });
    if (user.id !== viewer.userId) return user.id;
    throw new DomainError('BAD_INPUT', 'You cannot challenge yourself.', { field: 'opponent' });
  }

  private insert(terms: ChallengeTerms, act: KeyedAct | null): Promise<ChallengeRow | null> {
    const { id, createdAt } = terms;
    return this.store.create(terms, async (tx) => {
      const first = act === null || (await this.idempotency.claim(tx, act, id, createdAt));
      return first ? this.deals.commit(tx, id, createdAt) : null;
    });
  }

  private async draft(
    row: ChallengeRow,
    accepterId: string,
    creatorSeed: string | null,
    accepterSeed: string,
  ): Promise<GameRow> {
    const { id, ruleset, options, timeControl, commitment } = row;
    const wished = wishedSeat(row);
    const creator = wished ?? (await this.drawSeat(id, creatorSeed, accepterSeed));
    const isFirst = creator === 'first';
    return this.games.draft({
      id,
      ruleset,
      options,
      timeControl,
      commitment,
      creator,
      sidesDrawn: wished === null,
      firstId: isFirst ? row.creatorId : accepterId,
      secondId: isFirst ? accepterId : row.creatorId,
      firstClientSeed: isFirst ? creatorSeed : accepterSeed,
      secondClientSeed: isFirst ? accepterSeed : creatorSeed,
      clientSeedHash: row.creatorClientSeedHash,
    });
  }

  /** As long as the creator's seed is awaited nothing can be drawn, and he sits first for the time being. */
  private async drawSeat(id: string, creatorSeed: string | null, accepterSeed: string): Promise<Player> {
    if (creatorSeed === null) return 'first';
    const first = await this.deals.drawSides(id, creatorSeed, accepterSeed);
    return first === 'creator' ? 'first' : opponent('first');
  }

  private async accepted(viewer: Viewer, id: string): Promise<GameRow> {
    const row = (await this.store.find(id))!;
    if (row.status === 'accepted') {
      const game = await this.games.game(id);
      if (game.firstId === viewer.userId || game.secondId === viewer.userId) return game;
    }
    throw this.closed(row);
  }

  private async close(row: ChallengeRow, status: 'declined' | 'cancelled'): Promise<ChallengeRow> {
    const now = this.time.now();
    if (await this.store.close(row.id, status, now)) return { ...row, status, answeredAt: now };
    const found = (await this.store.find(row.id))!;
    if (found.status === status) return found;
    throw this.closed(found);
  }

  private closed(row: ChallengeRow): DomainError {
    const status = statusAt(row, this.time.now());
    return new DomainError('CHALLENGE_CLOSED', `The challenge is no longer open: it is ${status}.`);
  }
}

function timeControlOf({ timeControl: { type, seconds } }: ChallengeRequest): TimeControl {
  const made = makeTimeControl(type, seconds);
  if (typeof made === 'string') throw new DomainError('INVALID_TIME_CONTROL', made, { field: 'timeControl' });
  return made;
}

type Seeds = Pick<ChallengeRow, 'creatorClientSeed' | 'creatorClientSeedHash'>;

function seedOf({ clientSeed, clientSeedHash: hash }: ChallengeRequest): Seeds {
  if (hash == null) {
    return { creatorClientSeed: unwrap(parseClientSeed(clientSeed ?? '')), creatorClientSeedHash: null };
  }
  const both = clientSeed != null;
  if (!both && /^[0-9a-f]{64}$/.test(hash)) return { creatorClientSeed: null, creatorClientSeedHash: hash };
  const message = both
    ? 'Give the client seed or its hash in advance, not both.'
    : 'The hash of a client seed is its SHA-256 in 64 lower-case hex digits.';
  throw new DomainError('INVALID_SEED', message, { field: 'clientSeedHash' });
}
