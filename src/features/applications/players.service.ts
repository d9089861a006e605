import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { Config } from '../../config.js';
import { Cursors } from '../../platform/contract/cursors.js';
import { DEFAULT_PAGE_SIZE, pageOf, type PageRequest } from '../../platform/contract/page.js';
import { PLAYER_SCOPES } from '../../platform/contract/scopes.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { badInput, DomainError, ofRow, orThrow } from '../../platform/errors/errors.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { Time } from '../../platform/process/time.js';
import { shown } from '../../rules/shown.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AccessTokens } from '../auth/access-tokens.js';
import type { Principal } from '../auth/principal.js';
import { Sessions } from '../auth/sessions.js';
import { RatingsService } from '../ratings/ratings.service.js';
import { ratingOf } from '../ratings/ratings.view.js';
import { requireDisplayName } from '../users/names.js';
import { invalidClient } from './applications.service.js';
import { type CreatePlayerTokenBody, USUAL_SECONDS } from './players.inputs.js';
import type { OwnPlayer, OwnPlayerConnection } from './players.model.js';
import { type PlayerRow, PlayersStore, type WantedPlayer } from './players.store.js';

/** A player as the server of a site names them. */
export interface NamedPlayer {
  readonly externalId: string;
  readonly displayName: string;
}

/** A token for the browser of a player. */
export interface PlayerToken {
  readonly token: string;
  readonly expiresAt: Date;
  readonly playerId: string;
}

/** Not dots alone, which clients fold out of an address. */
const EXTERNAL_ID = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,100}$/;

/** The players whom an application brings along. `application` is always the application that acts as itself. */
@Injectable()
export class PlayersService {
  constructor(
    private readonly store: PlayersStore,
    private readonly sessions: Sessions,
    private readonly tokens: AccessTokens,
    private readonly accounts: AccountsService,
    private readonly ratings: RatingsService,
    private readonly cursors: Cursors,
    private readonly time: Time,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Makes or changes a player. Throws BAD_INPUT, LIMIT_REACHED, INVALID_CLIENT. */
  async save(application: Principal, named: NamedPlayer): Promise<OwnPlayer> {
    const [player] = await this.stored(application, [wantedPlayer(named)]);
    return player!;
  }

  /** Makes or changes players, all or none; a refusal names its row. Throws BAD_INPUT, LIMIT_REACHED, INVALID_CLIENT. */
  async saveAll(application: Principal, named: readonly NamedPlayer[]): Promise<readonly OwnPlayer[]> {
    const names = named.map(({ externalId }) => externalId);
    const wanted = named.map((player, i) => {
      try {
        const before = names.indexOf(player.externalId);
        if (before === i) return wantedPlayer(player);
        throw badInput(
          'externalId',
          `Each player must be there once; this one is players.${before} already.`,
        );
      } catch (error) {
        throw ofRow(error, `players.${i}`, player.externalId);
      }
    });
    return this.stored(application, wanted);
  }

  /** Throws NOT_FOUND. */
  async one({ userId }: Principal, externalId: string): Promise<OwnPlayer> {
    const [row] = await this.shown([await this.row(userId, externalId)]);
    return row!;
  }

  listed({ userId }: Principal, page: PageRequest): Promise<OwnPlayerConnection> {
    return pageOf(page, {
      cursors: this.cursors.of<string>('ownPlayers', userId),
      size: DEFAULT_PAGE_SIZE,
      read: async ({ after = null, limit }) => this.shown(await this.store.listed(userId, after, limit)),
      key: ({ id }) => id,
      node: (player) => Promise.resolve(player),
    });
  }

  /** Throws NOT_FOUND, BAD_INPUT, INVALID_CLIENT. */
  async token(
    application: Principal,
    externalId: string,
    { scopes, seconds }: CreatePlayerTokenBody,
  ): Promise<PlayerToken> {
    const unknown = (scopes ?? []).find((scope) => !(PLAYER_SCOPES as readonly string[]).includes(scope));
    if (unknown !== undefined) {
      throw badInput('scopes', `scopes must be of ${PLAYER_SCOPES.join(', ')}; got ${shown(unknown)}.`);
    }
    const asked = PLAYER_SCOPES.filter((scope) => scopes?.includes(scope) ?? true);
    if (asked.length === 0) throw badInput('scopes', 'scopes must name at least one scope; got none.');
    const applicationId = application.userId;
    const { id: userId } = await this.row(applicationId, externalId);
    const expiresAt = new Date(this.time.now().getTime() + (seconds ?? USUAL_SECONDS) * 1000);
    const granted = { kind: 'player', userId, applicationId, scopes: asked, expiresAt } as const;
    const opened = await this.sessions.openBare(granted, (tx) => this.sessions.isOpenIn(tx, application));
    const sessionId = orThrow(opened, invalidClient);
    const signed = this.tokens.signUntil({ ...granted, sessionId });
    return { token: signed.accessToken, expiresAt: signed.accessTokenExpiresAt, playerId: userId };
  }

  /** Throws NOT_FOUND. */
  async erase({ userId }: Principal, externalId: string): Promise<string> {
    const { id } = await this.row(userId, externalId);
    if (!(await this.accounts.closePlayer(id))) throw noPlayer(externalId, 'externalId');
    return id;
  }

  /** The ids of players by their external ids. Throws BAD_INPUT. */
  async idsOf({ userId }: Principal, externalIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.store.named(userId, [...new Set(externalIds)]);
    return new Map(rows.map(({ externalId, id }) => [externalId, id]));
  }

  /** The external ids of players by their ids, without those who have left. */
  async namesOf({ userId }: Principal, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.store.byIds(userId, [...new Set(ids)]);
    return new Map(rows.map(({ externalId, id }) => [id, externalId]));
  }

  /** Throws INVALID_CLIENT if the application is suspended or deleted; it is not before the end of the transaction. */
  async assertActive(tx: Transaction, applicationId: string): Promise<void> {
    if (!(await this.sessions.holdApplication(tx, applicationId))) throw invalidClient();
  }

  /** As assertActive; and throws it if the session of the application has ended, which it does not before then either. */
  async assertOpen(tx: Transaction, application: Principal): Promise<void> {
    await this.assertActive(tx, application.userId);
    if (!(await this.sessions.isOpenIn(tx, application))) throw invalidClient();
  }

  /** Throws NOT_FOUND. */
  async row(applicationId: string, externalId: string): Promise<PlayerRow> {
    const [row] = await this.store.named(applicationId, [externalId]);
    return orThrow(row ?? null, () => noPlayer(externalId, 'externalId'));
  }

  private async stored(
    { userId }: Principal,
    wanted: readonly WantedPlayer[],
  ): Promise<readonly OwnPlayer[]> {
    const names = wanted.map(({ externalId }) => externalId);
    const rows = await this.store.transaction(async (tx) => {
      await this.assertActive(tx, userId);
      const changed = await this.store.save(tx, userId, wanted, this.time.now());
      const limit = this.config.maxPlayersOfApplication;
      if (changed > 0 && (await this.store.count(tx, userId, limit + 1)) > limit) throw tooMany(limit);
      return this.store.named(userId, names, tx);
    });
    const found = await this.shown(rows);
    return names.map((name) => found.find(({ externalId }) => externalId === name)!);
  }

  private shown(rows: readonly PlayerRow[]): Promise<OwnPlayer[]> {
    return Promise.all(
      rows.map(async ({ id, externalId, createdAt, displayName, application }) => ({
        ...{ id, externalId, createdAt },
        player: { id, username: null, displayName, closed: false, application },
        ratings: (await this.ratings.ofUser(id)).map(ratingOf),
      })),
    );
  }
}

/** Throws BAD_INPUT. */
const wantedPlayer = ({ externalId, displayName }: NamedPlayer): WantedPlayer => ({
  id: uuid(),
  externalId: requireExternalId(externalId, 'externalId'),
  displayName: requireDisplayName(displayName),
});

/** Throws BAD_INPUT. */
export function requireExternalId(externalId: string, field: string): string {
  if (EXTERNAL_ID.test(externalId)) return externalId;
  throw badInput(
    field,
    `${field} must have 1 to 100 of the characters A-Z a-z 0-9 . _ ~ - and not be . or ..; got ${shown(externalId)}. Take an id, never an e-mail address.`,
  );
}

export const noPlayer = (externalId: string, field: string): DomainError =>
  new DomainError(
    'NOT_FOUND',
    `Your application has no player ${shown(externalId)}. Save the player first. One who has left or was erased becomes a new player by that.`,
    {
      field,
    },
  );

const tooMany = (limit: number): DomainError =>
  new DomainError(
    'LIMIT_REACHED',
    `An application can have ${limit} players. Erase some that do not play any more.`,
    {
      limit,
    },
  );
