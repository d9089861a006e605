import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { GivenTimeControl } from '../arbiter/time-control.js';
import type { Viewer } from '../auth/viewer.js';
import { BlocksService } from '../blocks/blocks.service.js';
import type { Config } from '../config.js';
import { DealsService } from '../engine/deals.service.js';
import { EngineService } from '../engine/engine.service.js';
import { unwrap } from '../engine/refusals.js';
import { clientSeedHash, parseClientSeed } from '../fairness/commitment.js';
import type { GameRow } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { NotificationsService } from '../notifications/notifications.service.js';
import { CONFIG } from '../platform/config.module.js';
import type { Transaction } from '../platform/database/prisma.service.js';
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
import { Invitations } from './invitations.js';
import { opensLink } from './links.js';
import { invited, rejection } from './notices.js';
import { openFrom, seedOf, timeControlOf, type GivenSeed } from './terms.js';

const SWEEP_MS = 60_000;
const SWEPT_AT_ONCE = 500;

export interface ChallengeRequest extends GivenSeed {
  readonly ruleset: string;
  readonly options?: unknown;
  /** A username; without it the challenge is open to the first who has its link. */
  readonly opponent?: string | null | undefined;
  readonly timeControl: GivenTimeControl;
  readonly rated?: boolean | null | undefined;
  readonly side?: SideWish | null | undefined;
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
  private readonly sweep = new Every('ChallengeSweep', SWEEP_MS, () => this.expire());

  constructor(
    private readonly store: ChallengesStore,
    private readonly invitations: Invitations,
    private readonly games: GamesService,
    private readonly engine: EngineService,
    private readonly deals: DealsService,
    private readonly users: UsersService,
    private readonly blocks: BlocksService,
    private readonly notifications: NotificationsService,
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
    const opened = row.status === 'open' ? await this.begin(row, viewer, seed) : null;
    return opened ?? this.accepted(viewer, id);
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
    return this.close(row, 'declined', (tx, now) => this.notifications.add(tx, [rejection(row, now)]));
  }

  async cancel(viewer: Viewer, id: string): Promise<ChallengeRow> {
    const row = await this.challenge(viewer, id);
    if (row.creatorId !== viewer.userId) {
      throw new DomainError('FORBIDDEN', 'Only the creator can cancel; the challenged player declines.');
    }
    return this.close(row, 'cancelled');
  }

  /** Marks what has expired, in small steps. */
  async expire(): Promise<void> {
    const now = this.time.now();
    const settle = (tx: Transaction, rows: readonly ChallengeRow[]) =>
      this.notifications.settle(tx, rows.flatMap(invited), now);
    while ((await this.store.expire(now, SWEPT_AT_ONCE, settle)) === SWEPT_AT_ONCE);
  }

  private maySee(row: ChallengeRow, viewer: Viewer | null, token?: string | null): boolean {
    if (viewer !== null && (viewer.userId === row.creatorId || viewer.userId === row.opponentId)) return true;
    return opensLink(this.config.tokenSecret, row.id, token);
  }

  private async terms(viewer: Viewer, request: ChallengeRequest): Promise<ChallengeTerms> {
    return {
      id: uuid(),
      creatorId: viewer.userId,
      opponentId: await this.opponentId(viewer, request.opponent ?? null),
      status: 'open',
      ruleset: this.engine.ruleset(request.ruleset).id,
      options: this.engine.options(request.ruleset, request.options ?? {}),
      timeControl: timeControlOf(request.timeControl),
      rated: request.rated ?? false,
      side: request.side ?? 'any',
      ...seedOf(request),
      ...openFrom(this.time.now()),
      answeredAt: null,
      rematchOf: null,
    };
  }

  private async opponentId(viewer: Viewer, username: string | null): Promise<string | null> {
    if (username === null) return null;
    const user = await this.users.byUsername(username);
    if (user === null) throw new DomainError('NOT_FOUND', 'Nobody has this username.', { field: 'opponent' });
    if (user.id === viewer.userId) {
      throw new DomainError('BAD_INPUT', 'You cannot challenge yourself.', { field: 'opponent' });
    }
    await this.blocks.demandWelcome(viewer.userId, user.id);
    return user.id;
  }

  private insert(terms: ChallengeTerms, act: KeyedAct | null): Promise<ChallengeRow | null> {
    const { id, createdAt } = terms;
    return this.invitations.send(
      terms,
      async (tx) => act === null || this.idempotency.claim(tx, act, id, createdAt),
    );
  }

  /** The game of an open challenge that the viewer takes; null when it is not open any more. */
  private async begin(row: ChallengeRow, viewer: Viewer, seed: string): Promise<GameRow | null> {
    await this.blocks.demandWelcome(viewer.userId, row.creatorId);
    const game = await this.draft(row, viewer.userId, row.creatorClientSeed, seed);
    const now = this.time.now();
    return this.store.accept(row.id, viewer.userId, now, async (tx) => {
      await this.notifications.settle(tx, invited(row), now);
      return this.games.insert(tx, game);
    });
  }

  private async draft(
    row: ChallengeRow,
    accepterId: string,
    creatorSeed: string | null,
    accepterSeed: string,
  ): Promise<GameRow> {
    const { id, ruleset, options, timeControl, rated, commitment } = row;
    const wished = wishedSeat(row);
    const creator = wished ?? (await this.drawSeat(id, creatorSeed, accepterSeed));
    const isFirst = creator === 'first';
    return this.games.draft({
      id,
      ruleset,
      options,
      timeControl,
      rated,
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

  private async close(
    row: ChallengeRow,
    status: 'declined' | 'cancelled',
    tell: (tx: Transaction, now: Date) => Promise<void> = async () => undefined,
  ): Promise<ChallengeRow> {
    const now = this.time.now();
    const closed = await this.store.close(row.id, status, now, async (tx) => {
      await this.notifications.settle(tx, invited(row), now);
      await tell(tx, now);
    });
    if (closed) return { ...row, status, answeredAt: now };
    const found = (await this.store.find(row.id))!;
    if (found.status === status) return found;
    throw this.closed(found);
  }

  private closed(row: ChallengeRow): DomainError {
    const status = statusAt(row, this.time.now());
    return new DomainError('CHALLENGE_CLOSED', `The challenge is no longer open: it is ${status}.`);
  }
}
