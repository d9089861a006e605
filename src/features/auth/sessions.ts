import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { Config } from '../../config.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { DomainError } from '../../platform/errors/errors.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import type { SignedKind } from './claims.js';
import { AccessEnds, EXPIRY, SESSION_END, type AccessEnd } from './access-ends.js';
import { Liveness, type SessionOf } from './liveness.js';
import {
  type NewPersonalToken,
  type OwnPersonalToken,
  type PersonalSession,
  PersonalTokensStore,
} from './personal-tokens.store.js';
import { type NewBareSession, type OwnSession, SessionsStore, type StoredSession } from './sessions.store.js';
import type { SocketContext, Principal } from './principal.js';

export type { StoredSession };

const SWEEP_MAX = 1000;
/** Other processes hear of an end within so long. */
const HEAR_MS = 500;
/** So long is an end told, to processes that were away for a moment. */
const TOLD_MS = 30_000;
const MINUTE_MS = 60_000;
/** For so long after the password was given may the ways in be changed. */
const CONFIRMED_MS = 600_000;
/** The most sessions that are listed. */
export const MOST_LISTED = 100;
const LOOKED_AT_ONCE = 1000;
const TOKEN_BYTES = 32;
const KEY_BYTES = 32;
/** For so long the same refresh token gets the same next one again. */
const REPEATABLE_MS = 10_000;

/** Whose password was checked, and against what; of a guest, who has none, it is empty. */
export interface Proof {
  readonly userId: string;
  readonly passwordHash: string;
}

/** A session just opened or renewed, with its next refresh token. */
export interface OpenSession {
  readonly id: string;
  readonly userId: string;
  readonly kind: SignedKind;
  readonly refreshToken: string;
  readonly expiresAt: Date;
}

/**
 * Opens, renews and ends sessions. A session lasts until it is ended, or until it was not renewed for SESSION_DAYS. Its
 * end takes effect at once in this process and within a second in others, also on what is open there and silent.
 */
@Injectable()
export class Sessions {
  private readonly liveness = new Liveness();
  private readonly refreshKey: Buffer;
  private readonly ends: AccessEnds;
  /** When sessions were used, since that was last written. */
  private uses = new Map<string, Date>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly store: SessionsStore,
    private readonly personalTokens: PersonalTokensStore,
    private readonly time: Time,
    background: Background,
  ) {
    this.refreshKey = Buffer.from(
      hkdfSync('sha256', config.tokenSecret, '', 'halfmove refresh tokens', KEY_BYTES),
    );
    this.ends = new AccessEnds(time);
    background.every('SessionEnds', config.heartbeatSeconds * 1000, () => this.lookForEnds());
    background.every('EndedSessions', HEAR_MS, () => this.hearOfEnds());
    background.every('SessionUses', MINUTE_MS, () => this.writeUses());
    background.every('SessionSweep', config.housekeepingSeconds * 1000, () => this.forgetEnded());
  }

  /** Null if the account is closed, or its password is not any more the one that was checked. */
  async open(
    { userId, passwordHash }: Proof,
    device: string,
    kind: SignedKind = 'password',
  ): Promise<OpenSession | null> {
    const now = this.time.now();
    const session = { id: uuid(), userId, kind };
    const refreshToken = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = this.expiryAt(now);
    const row = { ...session, passwordHash, device, now, expiresAt };
    return (await this.store.open(row, hashOf(refreshToken)))
      ? { ...session, refreshToken, expiresAt }
      : null;
  }

  /**
   * Exchanges a refresh token for the next one. A token used again, except at once, may have been stolen, so it ends the
   * session.
   */
  async renew(usedToken: string): Promise<OpenSession> {
    const now = this.time.now();
    const refreshToken = this.nextOf(usedToken);
    const used = await this.store.use({
      usedHash: hashOf(usedToken),
      nextHash: hashOf(refreshToken),
      now,
      expiresAt: this.expiryAt(now),
      repeatableFrom: new Date(now.getTime() - REPEATABLE_MS),
    });
    if (used?.isOver === false) return { ...used, refreshToken };
    if (used !== null) this.ended({ sessionId: used.id, userId: used.userId });
    throw badRefreshToken();
  }

  /** Ends a session and returns how many ended: 0 if it had already. */
  async end(session: SessionOf): Promise<number> {
    const ended = await this.store.revoke(session, this.time.now());
    if (ended > 0) this.ended(session);
    return ended;
  }

  /**
   * Ends all sessions of a user, or all but one and the personal tokens, in the same transaction as `beside`, and
   * returns how many there were.
   */
  async endAll(
    userId: string,
    but: string | null = null,
    beside: (tx: Transaction) => Promise<void> = async () => undefined,
  ): Promise<number> {
    const ended = await this.store.revokeAll({ userId, but }, this.time.now(), beside);
    for (const sessionId of ended) this.ended({ sessionId, userId });
    return ended.length;
  }

  /**
   * Opens a session of an application, or of one of its players; null if the application is suspended or deleted, has no
   * such player, or what proved it does not any more, as `isStill` says while no session of it can be ended.
   */
  async openBare(
    of: Omit<NewBareSession, 'id' | 'now'>,
    isStill: (tx: Transaction) => Promise<boolean>,
  ): Promise<string | null> {
    const session = { ...of, id: uuid(), now: this.time.now() };
    return (await this.store.openBare(session, isStill)) ? session.id : null;
  }

  /** Keeps an application from being suspended or deleted until the end of the transaction; false if it is. */
  holdApplication(tx: Transaction, id: string): Promise<boolean> {
    return this.store.holdApplication(tx, id);
  }

  /** Ends all sessions of an application and of its players, in the same transaction as `beside`. */
  async endOfApplication(applicationId: string, beside: (tx: Transaction) => Promise<void>): Promise<void> {
    const ended = await this.store.revokeOfApplication(applicationId, this.time.now(), beside);
    for (const session of ended) this.ended(session);
  }

  /** Whether a session is still open. Asked for every request, so mostly answered from memory. */
  async isLive(viewer: SessionOf): Promise<boolean> {
    const now = this.time.now();
    const known = this.liveness.get(viewer, now);
    if (known !== false) this.uses.set(viewer.sessionId, now);
    if (known !== null) return known;
    const live = this.liveness.set(viewer, await this.store.isLive(viewer, now), now);
    if (!live) this.ends.sessionEnded(viewer);
    return live;
  }

  /** The open session of a personal token, which counts as asked for at this moment; null for an unknown one. */
  async ofPersonalToken(token: string): Promise<PersonalSession | null> {
    const now = this.time.now();
    const found = await this.personalTokens.ofToken(hashOf(token), now);
    if (found === null || !this.liveness.set(found, true, now)) return null;
    this.uses.set(found.sessionId, now);
    return found;
  }

  /**
   * Stores a personal token, in the same transaction as `beside`. Throws UNAUTHENTICATED if the session of its maker has
   * ended.
   */
  async addPersonal(
    token: NewPersonalToken,
    maker: SessionOf,
    beside: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    if (!(await this.personalTokens.add(token, maker, beside))) throw SESSION_END.error;
  }

  /** How many personal tokens of a user are open; exact beside addPersonal, which makes those of a user one by one. */
  countPersonal(tx: Transaction, userId: string): Promise<number> {
    return this.personalTokens.count(tx, userId, this.time.now());
  }

  /** The personal tokens of a user that are open, the one made last first. */
  personal(userId: string): Promise<readonly OwnPersonalToken[]> {
    return this.personalTokens.listed(userId, this.time.now(), MOST_LISTED);
  }

  /** Whether a session is known to be open without asking the database. */
  isKnownLive(viewer: SessionOf): boolean {
    const now = this.time.now();
    const isLive = this.liveness.get(viewer, now) === true;
    if (isLive) this.uses.set(viewer.sessionId, now);
    return isLive;
  }

  /** Whether a session is known to have ended, without asking the database. */
  hasEnded(viewer: SessionOf): boolean {
    return this.liveness.get(viewer, this.time.now()) === false;
  }

  /**
   * Throws CONFIRMATION_REQUIRED as assertConfirmed, or UNAUTHENTICATED if the session has ended; it does not end before
   * the transaction does.
   */
  async assertConfirmedIn(tx: Transaction, viewer: SessionOf): Promise<void> {
    assertRecent(await this.store.held(tx, viewer, this.time.now()), this.time.now());
  }

  /** Throws UNAUTHENTICATED if the session has ended; it does not end before the transaction does. */
  async assertOpenIn(tx: Transaction, viewer: SessionOf): Promise<void> {
    if (!(await this.isOpenIn(tx, viewer))) throw SESSION_END.error;
  }

  /** Whether a session is open, and stays so until the transaction ends. */
  async isOpenIn(tx: Transaction, viewer: SessionOf): Promise<boolean> {
    return (await this.store.held(tx, viewer, this.time.now())) !== null;
  }

  /** As assertOpenIn, and throws INVALID_REFRESH_TOKEN unless it is the newest one of the session. */
  async assertNewest(tx: Transaction, viewer: SessionOf, refreshToken: string): Promise<void> {
    await this.assertOpenIn(tx, viewer);
    if (!(await this.store.isNewest(tx, viewer.sessionId, hashOf(refreshToken)))) throw badRefreshToken();
  }

  /** Notes that the user has just given the password; returns until when this counts. */
  async confirm(viewer: SessionOf): Promise<Date> {
    const now = this.time.now();
    await this.store.confirm(viewer, now);
    return new Date(now.getTime() + CONFIRMED_MS);
  }

  /** Throws CONFIRMATION_REQUIRED unless the password was given in this session within ten minutes, and UNAUTHENTICATED if it has ended. */
  async assertConfirmed(viewer: SessionOf): Promise<void> {
    assertRecent(await this.store.confirmedAt(viewer, this.time.now()), this.time.now());
  }

  /** The open sessions of a user, the one opened last first. */
  listed(userId: string): Promise<readonly OwnSession[]> {
    return this.store.openOf(userId, this.time.now(), MOST_LISTED);
  }

  /** The sessions of a user, in the order of their ids and so of their start. */
  ofUser(userId: string, after: string | null, limit: number): Promise<readonly StoredSession[]> {
    return this.store.ofUser(userId, after, limit);
  }

  /** Calls `told` once, when the access token expires or the session ends; the returned function cancels it. */
  whenOver(viewer: Principal, told: (end: AccessEnd) => void): () => void {
    return this.ends.watch(viewer, told);
  }

  /** Throws UNAUTHENTICATED if the access token has expired or the session has ended. */
  async assertSessionOpen(viewer: SessionOf & Pick<Principal, 'expiresAt'>): Promise<void> {
    if (!(await this.isLive(viewer))) throw SESSION_END.error;
    if (viewer.expiresAt > this.time.now()) return;
    this.ends.expired(viewer);
    throw EXPIRY.error;
  }

  /** The viewer of a subscription. Throws BAD_INPUT over HTTP, and as assertSessionOpen. */
  async listener({ viewer, application = null }: SocketContext): Promise<Principal | null> {
    if (viewer === undefined) {
      throw new DomainError(
        'BAD_INPUT',
        'Subscriptions are not accepted over HTTP; send them over WebSocket with the graphql-ws protocol.',
      );
    }
    const bearer = viewer ?? application;
    if (bearer !== null) await this.assertSessionOpen(bearer);
    return viewer;
  }

  private ended(session: SessionOf): void {
    this.liveness.end(session);
    this.ends.sessionEnded(session);
  }

  private async hearOfEnds(): Promise<void> {
    const now = this.time.now();
    for (const session of await this.store.endedSince(new Date(now.getTime() - TOLD_MS))) this.ended(session);
    this.liveness.heard(now);
  }

  private async writeUses(): Promise<void> {
    if (this.uses.size === 0) return;
    const uses = this.uses;
    this.uses = new Map();
    await this.store.noteUses(uses);
  }

  /** Finds the sessions that have expired, and on which something is open here. */
  private async lookForEnds(): Promise<void> {
    const watched = this.ends.sessions();
    for (let at = 0; at < watched.length; at += LOOKED_AT_ONCE) {
      const asked = watched.slice(at, at + LOOKED_AT_ONCE);
      const over = await this.store.over(
        asked.map(({ sessionId }) => sessionId),
        this.time.now(),
      );
      for (const session of asked) if (over.has(session.sessionId)) this.ended(session);
    }
  }

  private async forgetEnded(): Promise<void> {
    const told = new Date(this.time.now().getTime() - TOLD_MS);
    while ((await this.store.deleteEnded(told, SWEEP_MAX)) === SWEEP_MAX);
  }

  /** The same for every process, so that a repeated request gets the same answer from each. */
  private nextOf(usedToken: string): string {
    return createHmac('sha256', this.refreshKey).update(usedToken).digest('base64url');
  }

  private expiryAt(now: Date): Date {
    return new Date(now.getTime() + this.config.sessionDays * DAY_MS);
  }
}

/** Throws CONFIRMATION_REQUIRED, or UNAUTHENTICATED if the session has ended. */
function assertRecent(confirmed: { readonly at: Date | null } | null, now: Date): void {
  if (confirmed === null) throw SESSION_END.error;
  if (confirmed.at !== null && confirmed.at.getTime() > now.getTime() - CONFIRMED_MS) return;
  throw new DomainError(
    'CONFIRMATION_REQUIRED',
    'You have not given your password within ten minutes. Confirm it, then send the request again.',
  );
}

/** What is stored of a refresh token or a ticket. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const badRefreshToken = (): DomainError =>
  new DomainError(
    'INVALID_REFRESH_TOKEN',
    'The refresh token is invalid, has expired or was already used. Log in again.',
  );
