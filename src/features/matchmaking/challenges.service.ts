import type { Quotas } from '../../platform/limits/quotas.js';
import { shown } from '../../rules/shown.js';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import { BlocksService } from '../blocks/blocks.service.js';
import type { Config } from '../../config.js';
import { unwrap } from '../../engine/refusals.js';
import { parseClientSeed } from '../../fairness/commitment.js';
import { playerOf, type GameRow } from '../games/game.row.js';
import { GameOpener } from '../games/game-opener.js';
import { GamesService } from '../games/games.service.js';
import { NotificationsService } from '../notifications/notifications.service.js';
import { PubSub } from '../../platform/events/pubsub.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { badInput, orThrow, DomainError } from '../../platform/errors/errors.js';
import { isUuid } from '../../platform/contract/page.js';
import { keyedAct } from '../../platform/idempotency/idempotency.js';
import { retry, UNTIL_STILL } from '../../platform/process/retry.js';
import { Time } from '../../platform/process/time.js';
import type { Player } from '../../rules/ruleset.js';
import type { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { statusAt, type ChallengeRow, type DeclineReason } from './challenge.row.js';
import { BOXES, ChallengesStore, type Box } from './challenges.store.js';
import { ClientSeedsStore } from './client-seeds.store.js';
import { Matching } from './matching.js';
import { Invitations } from './invitations.js';
import { opensLink } from './links.js';
import { assertCasual, assertMayName, assertWelcome } from './guests.js';
import { invited, rejection } from './notices.js';
import { GameStart } from './game-start.js';
import { OpenLimits } from './open-limits.js';
import { hashInGame, hashOfSeed, type GivenSeed } from './opening-rows.js';
import type { GivenTerms } from './terms.js';

const SWEPT_AT_ONCE = 500;
const CLOSED_AT_ONCE = 100;

export interface ChallengeRequest extends GivenTerms {
  /** Exactly one: a user, or a link. */
  readonly opponent: { readonly username?: string | null; readonly link?: boolean | null };
  readonly idempotencyKey?: string | null | undefined;
}

export interface CounterRequest extends GivenTerms {
  readonly id: string;
  readonly idempotencyKey?: string | null | undefined;
}

export interface Acceptance {
  readonly id: string;
  readonly linkToken?: string | null | undefined;
  readonly clientSeed?: string | null | undefined;
}

/** How an open challenge ends without a game. */
interface Answer {
  readonly status: 'declined' | 'cancelled';
  readonly declineReason?: DeclineReason;
}

/** Creates, answers and closes challenges. */
@Injectable()
export class ChallengesService {
  constructor(
    private readonly store: ChallengesStore,
    private readonly seeds: ClientSeedsStore,
    private readonly invitations: Invitations,
    private readonly openings: GameStart,
    private readonly games: GamesService,
    private readonly opener: GameOpener,
    private readonly users: UsersService,
    private readonly blocks: BlocksService,
    private readonly matching: Matching,
    private readonly limits: OpenLimits,
    private readonly notifications: NotificationsService,
    private readonly pubsub: PubSub,
    private readonly time: Time,
    background: Background,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    background.every('ChallengeSweep', config.expirySweepSeconds * 1000, () => this.expire());
  }

  /** A challenge that the viewer may see; throws NOT_FOUND for any other. */
  async challenge(viewer: Principal | null, id: string, linkToken?: string | null): Promise<ChallengeRow> {
    return orThrow(
      await this.found(viewer, id, linkToken),
      () =>
        new DomainError(
          'NOT_FOUND',
          `No challenge that you may see has the id ${shown(id)}. If you have its link, send linkToken as well.`,
          { field: 'id' },
        ),
    );
  }

  /** A challenge that the viewer may see, or null. */
  async found(viewer: Principal | null, id: string, linkToken?: string | null): Promise<ChallengeRow | null> {
    const row = isUuid(id) ? await this.store.find(id) : null;
    return row !== null && this.maySee(row, viewer, linkToken) ? row : null;
  }

  /** All challenges to or from the viewer, whatever their status, behind `after`. */
  ofAnyStatus(
    viewer: Principal,
    box: Box,
    after: ChallengeRow | null,
    limit: number,
  ): Promise<readonly ChallengeRow[]> {
    return this.store.ofAnyStatus(viewer.userId, box, after, limit);
  }

  /** Throws the errors of terms(), LIMIT_REACHED and, about the opponent, NOT_FOUND, BLOCKED, CHALLENGES_REFUSED. */
  create(
    viewer: Principal,
    { idempotencyKey, ...request }: ChallengeRequest,
    quotas: Quotas,
  ): Promise<ChallengeRow> {
    const act = keyedAct(viewer.userId, idempotencyKey, 'createChallenge', request);
    assertCasual(viewer, request);
    if (request.opponent.username != null) assertMayName(viewer);
    return this.invitations.once(act, async () => {
      const opponent = await this.opponent(viewer, request.opponent);
      const addressed = { creatorId: viewer.userId, opponentId: opponent?.id ?? null };
      const terms = this.invitations.terms({ kind: opponent ? 'direct' : 'link', ...addressed }, request);
      if (opponent !== null) await this.matching.demandChallenge(viewer.userId, opponent, terms.ruleset);
      return this.invitations.sendOnce(act, terms, quotas, (tx) => this.limits.demandForChallenge(tx, terms));
    });
  }

  /**
   * Closes a challenge to the viewer and sends one back on other terms, in one transaction. As it is an answer, it also
   * reaches a user who accepts no challenges. Throws FORBIDDEN, CHALLENGE_CLOSED, ACCOUNT_CLOSED, BLOCKED and the errors
   * of terms().
   */
  counter(
    viewer: Principal,
    { idempotencyKey, ...request }: CounterRequest,
    quotas: Quotas,
  ): Promise<ChallengeRow> {
    const act = keyedAct(viewer.userId, idempotencyKey, 'counterChallenge', request);
    assertCasual(viewer, request);
    return this.invitations.once(act, async () => {
      const row = await this.challenge(viewer, request.id);
      if (row.kind !== 'direct' || row.opponentId !== viewer.userId) {
        throw new DomainError(
          'FORBIDDEN',
          'This challenge is not addressed to you, so you cannot answer it with other terms. Create a challenge of your own.',
        );
      }
      await this.blocks.assertNotBlocked(viewer.userId, row.creatorId);
      const addressed = { creatorId: viewer.userId, opponentId: row.creatorId, counterTo: row.id };
      const terms = this.invitations.terms({ kind: 'direct', ...addressed }, request);
      return this.invitations.sendOnce(act, terms, quotas, async (tx) => {
        const now = terms.createdAt;
        if (!(await this.store.closeWithin(tx, row.id, 'countered', now))) {
          throw closed((await this.store.find(row.id, tx))!, this.time.now());
        }
        await this.blocks.lockUnblocked(tx, viewer.userId, row.creatorId);
        await this.notifications.settle(tx, invited(row), now);
      });
    });
  }

  /** Accepts a challenge; the game has its id. Repeated by the same user, it answers with the game. */
  async accept(viewer: Principal, { id, linkToken, clientSeed }: Acceptance): Promise<GameRow> {
    const seed = clientSeed == null ? null : unwrap(parseClientSeed(clientSeed));
    return this.take(viewer, { id, linkToken }, { clientSeed: seed, clientSeedHash: null });
  }

  /** As accept, but the client seed may also be announced by its hash; the game then waits for it. */
  async take(
    viewer: Principal,
    { id, linkToken }: Omit<Acceptance, 'clientSeed'>,
    seed: GivenSeed,
  ): Promise<GameRow> {
    return retry(async () => {
      const row = await this.challenge(viewer, id, linkToken);
      if (row.creatorId === viewer.userId) {
        throw new DomainError(
          'OWN_CHALLENGE',
          'You created this challenge, so you cannot accept it. Wait for another user to accept it, or cancel it.',
        );
      }
      if (row.status === 'open') await assertWelcome(viewer, row, this.users);
      const begun = row.status === 'open' ? await this.begin(row, viewer, seed) : null;
      return begun ?? this.accepted(viewer, id, seed);
    }, UNTIL_STILL);
  }

  /** Throws NOT_FOUND, FORBIDDEN, CHALLENGE_CLOSED. */
  async decline(viewer: Principal, id: string, reason: DeclineReason = 'generic'): Promise<ChallengeRow> {
    const row = await this.challengeOf(
      'opponentId',
      viewer,
      id,
      'This challenge is not addressed to you, so you cannot decline it. If you created it, cancel it.',
    );
    return this.close(row, { status: 'declined', declineReason: reason });
  }

  /** Throws NOT_FOUND, FORBIDDEN, CHALLENGE_CLOSED. */
  async cancel(viewer: Principal, id: string): Promise<ChallengeRow> {
    const row = await this.challengeOf(
      'creatorId',
      viewer,
      id,
      'You did not create this challenge, so you cannot cancel it. If it is addressed to you, decline it.',
    );
    return this.close(row, { status: 'cancelled' });
  }

  /** For a closed account: cancels the user's open challenges and declines those to them. */
  async closeAllOf(userId: string): Promise<void> {
    for (const box of BOXES) {
      const answer: Answer =
        box === 'outgoing' ? { status: 'cancelled' } : { status: 'declined', declineReason: 'generic' };
      const next = () => this.store.open(userId, box, this.time.now(), null, CLOSED_AT_ONCE);
      for (let rows = await next(); rows.length > 0; rows = await next()) {
        for (const row of rows) await this.closeOpen(row, answer);
      }
    }
  }

  /** Marks expired challenges, in batches. */
  async expire(): Promise<void> {
    const now = this.time.now();
    let expired: readonly ChallengeRow[];
    do {
      expired = await this.store.expire(now, SWEPT_AT_ONCE, (tx, rows) =>
        this.notifications.settle(tx, rows.flatMap(invited), now),
      );
      this.announceClosed(expired);
    } while (expired.length === SWEPT_AT_ONCE);
  }

  private maySee(row: ChallengeRow, viewer: Principal | null, token?: string | null): boolean {
    if (row.kind === 'seek') return true;
    if (viewer !== null && (viewer.userId === row.creatorId || viewer.userId === row.opponentId)) return true;
    return opensLink(this.config.tokenSecret, row.id, token);
  }

  /** A challenge in which the viewer has this role. Throws NOT_FOUND, and FORBIDDEN with the given message. */
  private async challengeOf(
    part: 'creatorId' | 'opponentId',
    viewer: Principal,
    id: string,
    forbidden: string,
  ): Promise<ChallengeRow> {
    const row = await this.challenge(viewer, id);
    if (row[part] === viewer.userId) return row;
    throw new DomainError('FORBIDDEN', forbidden);
  }

  private async opponent(
    viewer: Principal,
    { username, link }: ChallengeRequest['opponent'],
  ): Promise<User | null> {
    if (link === false) throw badInput('opponent.link', 'opponent.link must be true; got false. To challenge a user, send opponent.username instead.'); // prettier-ignore
    if (username == null) return null;
    const user = await this.users.profile(username, 'opponent');
    if (user.id !== viewer.userId) return user;
    throw badInput('opponent', `opponent must be another user: ${user.username} is you.`);
  }

  /** The game of a challenge that the viewer accepts; null if it is no longer open. */
  private async begin(row: ChallengeRow, { userId }: Principal, given: GivenSeed): Promise<GameRow | null> {
    await this.matching.demandTaker(userId, row);
    const joining = { userId, seed: given, side: 'any', seek: null } as const;
    const { row: game, happened } = await this.openings.draft(row, joining);
    const now = this.time.now();
    const closing = { opponentId: userId, gameId: row.id, asSeen: true };
    const begun = await this.store.close(row, 'accepted', now, closing, async (tx) => {
      await this.blocks.lockUnblocked(tx, userId, row.creatorId);
      await this.notifications.settle(tx, invited(row), now);
      if (given.clientSeedHash !== null) await this.limits.demandForAnnouncement(tx, userId, now);
      const hash = hashOfSeed(given);
      if (hash !== null) await this.seeds.use(tx, hash, row.id, now, fieldOf(given));
      return this.opener.insert(tx, game, happened);
    });
    if (begun !== null) this.announceClosed([row]);
    return begun;
  }

  /** Null: it is open all the same, and was changed by its creator in this moment. */
  private async accepted(viewer: Principal, id: string, given: GivenSeed): Promise<GameRow | null> {
    const row = (await this.store.find(id))!;
    if (statusAt(row, this.time.now()) === 'open') return null;
    if (row.status === 'accepted') {
      const game = await this.games.game(row.gameId!);
      const player = playerOf(game, viewer.userId);
      if (player !== null) {
        demandSameSeed(game, player, given);
        return game;
      }
    }
    throw closed(row, this.time.now());
  }

  private async close(row: ChallengeRow, answer: Answer): Promise<ChallengeRow> {
    const answered = await this.closeOpen(row, answer);
    if (answered !== null) return answered;
    const found = (await this.store.find(row.id))!;
    if (found.status === answer.status) return found;
    throw closed(found, this.time.now());
  }

  /** Null if it is no longer open. */
  private async closeOpen(row: ChallengeRow, { status, ...more }: Answer): Promise<ChallengeRow | null> {
    const now = this.time.now();
    const closed = await this.store.close(row, status, now, more, async (tx) => {
      // Delete the notification of a cancelled challenge; mark that of an answered one as read.
      if (status === 'cancelled') await this.notifications.withdraw(tx, invited(row));
      else await this.notifications.settle(tx, invited(row), now);
      if (more.declineReason) await this.notifications.add(tx, [rejection(row, more.declineReason, now)]);
      return { ...row, ...more, status, answeredAt: now };
    });
    if (closed !== null) this.announceClosed([row]);
    return closed;
  }

  private announceClosed(rows: readonly ChallengeRow[]): void {
    for (const { id, kind } of rows) if (kind === 'seek') this.pubsub.publishSeek(id, false);
  }
}

/** The field that the seed or its hash was sent in. */
const fieldOf = ({ clientSeed }: GivenSeed): string =>
  clientSeed === null ? 'clientSeedHash' : 'clientSeed';

/** A repeated acceptance must have the same seed, or none. Throws INVALID_SEED. */
function demandSameSeed(game: GameRow, player: Player, given: GivenSeed): void {
  const standing = hashInGame(game, player);
  const hash = hashOfSeed(given);
  if (hash === null || hash === standing) return;
  const message =
    standing === null
      ? 'You accepted this challenge without a client seed, which cannot be changed. Send the request without one.'
      : `You accepted this challenge with the client seed whose SHA-256 is ${standing}, which cannot be changed. Send the request with that seed, or without one.`;
  throw new DomainError('INVALID_SEED', message, { field: fieldOf(given) });
}

export function closed(row: ChallengeRow, now: Date): DomainError {
  const status = statusAt(row, now);
  const how = status === 'expired' ? 'has expired' : `was ${status}`;
  const advice =
    status === 'accepted' ? 'Its game has the same id.' : 'Create a new one if you still want to play.';
  const message = `The challenge is no longer open: it ${how}. ${advice}`;
  return new DomainError('CHALLENGE_CLOSED', message);
}
