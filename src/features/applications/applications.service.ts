import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { Config } from '../../config.js';
import { isUuid } from '../../platform/contract/page.js';
import { APPLICATION_SCOPES } from '../../platform/contract/scopes.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { badInput, DomainError, orThrow } from '../../platform/errors/errors.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import { shown } from '../../rules/shown.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AccountLinks } from '../auth/account-links.js';
import { ApplicationRequests } from '../auth/application-requests.js';
import { type AccessToken, AccessTokens } from '../auth/access-tokens.js';
import type { Principal } from '../auth/principal.js';
import { hashOf, MOST_LISTED, Sessions } from '../auth/sessions.js';
import { requireDisplayName } from '../users/names.js';
import { UsersService } from '../users/users.service.js';
import { MOST_OF_AN_ADDRESS, type UpdateApplicationBody } from './applications.inputs.js';
import { type Application, type ApplicationSecret, MOST_OWNERS, MOST_SECRETS } from './applications.model.js';
import { type ApplicationChange, ApplicationsStore, type WholeApplication } from './applications.store.js';

const SECRET_BYTES = 32;
/** For so long an application goes on after its last owner has closed the account. */
const OWNERLESS_MS = 14 * DAY_MS;
const SWEPT_AT_ONCE = 100;

interface NewApplication {
  readonly name: string;
  readonly url: string;
}

interface MadeApplication {
  readonly application: Application;
  readonly secret: string;
}

interface MadeSecret {
  readonly secret: string;
  readonly applicationSecret: ApplicationSecret;
}

/** Sites of third parties: who answers for them, and how their servers prove who they are. */
@Injectable()
export class ApplicationsService {
  constructor(
    private readonly store: ApplicationsStore,
    private readonly sessions: Sessions,
    private readonly links: AccountLinks,
    private readonly requests: ApplicationRequests,
    private readonly tokens: AccessTokens,
    private readonly users: UsersService,
    private readonly accounts: AccountsService,
    private readonly time: Time,
    background: Background,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    background.every('OwnerlessSweep', config.housekeepingSeconds * 1000, () => this.suspendOwnerless());
    background.every('OrphanSweep', config.expirySweepSeconds * 1000, async () => {
      while ((await this.eraseOrphans()) === SWEPT_AT_ONCE);
    });
  }

  /** Throws CONFIRMATION_REQUIRED, LIMIT_REACHED, FORBIDDEN, BAD_INPUT. */
  create(viewer: Principal, given: NewApplication): Promise<MadeApplication> {
    return this.insert(given, viewer.userId, async (tx) => {
      await this.sessions.assertConfirmedIn(tx, viewer);
      await this.assertMayOwn(tx, viewer.userId, 'you');
    });
  }

  /** For the operator, whom the limit does not hold. Throws NOT_FOUND, FORBIDDEN, BAD_INPUT. */
  async createFor(username: string, given: NewApplication): Promise<MadeApplication> {
    const { id } = await this.users.profile(username, 'username');
    return this.insert(given, id, (tx) => this.holdPerson(tx, id));
  }

  /** The applications of the viewer. */
  async owned({ userId }: Principal): Promise<readonly Application[]> {
    const rows = await this.store.owned(userId, MOST_LISTED);
    return Promise.all(rows.map((row) => this.shown(row)));
  }

  /** An application that is known to exist. Throws NOT_FOUND. */
  async one(id: string): Promise<Application> {
    return this.shown(orThrow(await this.store.whole(id), () => notFound(id)));
  }

  /** Throws NOT_FOUND, CONFIRMATION_REQUIRED, BAD_INPUT. */
  async update(viewer: Principal, id: string, given: UpdateApplicationBody): Promise<Application> {
    const change: ApplicationChange = {
      ...(given.name == null ? {} : { name: requireDisplayName(given.name, 'name') }),
      ...(given.url == null ? {} : { url: requireAddress(given.url) }),
      ...(given.chat == null ? {} : { chat: given.chat }),
    };
    if (Object.keys(change).length === 0) {
      throw badInput('name', 'The request changes nothing. Send name, url or chat.');
    }
    await this.held(viewer, id, (tx) => this.store.update(tx, id, change));
    return this.one(id);
  }

  /** Deletes an application and erases its players. Throws NOT_FOUND, CONFIRMATION_REQUIRED. */
  async delete(viewer: Principal, id: string): Promise<void> {
    await this.sessions.endOfApplication(id, async (tx) => {
      await this.assertOwner(tx, viewer, id);
      await this.store.delete(tx, id, this.time.now());
    });
    await this.eraseOrphans();
  }

  /** Throws NOT_FOUND, CONFIRMATION_REQUIRED, LIMIT_REACHED. */
  addSecret(viewer: Principal, id: string): Promise<MadeSecret> {
    return this.held(viewer, id, async (tx) => {
      const { secrets } = (await this.store.whole(id, tx))!;
      if (secrets.length < MOST_SECRETS) return this.makeSecret(tx, id);
      throw new DomainError(
        'LIMIT_REACHED',
        `The application has ${MOST_SECRETS} secrets, which is the limit. Delete the one that is not in use any more.`,
        { limit: MOST_SECRETS },
      );
    });
  }

  /** Whoever had the secret keeps nothing: neither tokens nor links to players. Throws NOT_FOUND, CONFIRMATION_REQUIRED. */
  async deleteSecret(viewer: Principal, id: string, secretId: string): Promise<Application> {
    await this.sessions.endOfApplication(id, async (tx) => {
      await this.assertOwner(tx, viewer, id);
      if (await this.store.removeSecret(tx, id, secretId)) {
        await this.links.revokeOfPlayers(tx, id, 'claim');
        return;
      }
      throw new DomainError('NOT_FOUND', `The application has no secret with the id ${secretId}.`, {
        field: 'secretId',
      });
    });
    return this.one(id);
  }

  /** Throws NOT_FOUND, CONFIRMATION_REQUIRED, LIMIT_REACHED, FORBIDDEN. */
  async addOwner(viewer: Principal, id: string, username: string): Promise<Application> {
    const person = await this.users.profile(username, 'username');
    await this.held(viewer, id, (tx) =>
      this.makeOwner(tx, id, person.id, () => this.assertMayOwn(tx, person.id, person.username)),
    );
    return this.one(id);
  }

  /** For the operator, whom the limit of a person does not hold: for an application whose owners are gone. Throws NOT_FOUND, LIMIT_REACHED, FORBIDDEN. */
  async giveOwner(id: string, username: string): Promise<void> {
    const person = await this.users.profile(username, 'username');
    await this.store.transaction(async (tx) => {
      if (!isUuid(id) || !(await this.store.hold(tx, id))) throw absent(id);
      await this.makeOwner(tx, id, person.id, () => this.holdPerson(tx, person.id));
    });
  }

  /** Throws NOT_FOUND, CONFIRMATION_REQUIRED, FORBIDDEN. */
  async removeOwner(viewer: Principal, id: string, username: string): Promise<Application> {
    const person = await this.users.profile(username, 'username');
    await this.held(viewer, id, async (tx) => {
      const { owners } = (await this.store.whole(id, tx))!;
      if (!owners.includes(person.id)) {
        throw new DomainError('NOT_FOUND', `${person.username} is no owner of the application.`, {
          field: 'username',
        });
      }
      if (owners.length === 1) {
        throw new DomainError(
          'FORBIDDEN',
          `${person.username} is the only owner of the application. Add another owner first, or delete the application.`,
        );
      }
      await this.store.removeOwner(tx, id, person.id);
    });
    return this.one(id);
  }

  /** A token by which an application acts as itself. Throws INVALID_CLIENT. */
  async token(id: string, secret: string): Promise<AccessToken> {
    if (!isUuid(id)) throw invalidClient();
    const expiresAt = new Date(this.time.now().getTime() + this.config.accessTokenSeconds * 1000);
    const granted = { kind: 'application', scopes: APPLICATION_SCOPES, expiresAt } as const;
    const opened = await this.sessions.openBare({ ...granted, applicationId: id, userId: null }, (tx) =>
      this.store.hasSecret(tx, id, hashOf(secret)),
    );
    const sessionId = orThrow(opened, invalidClient);
    return this.tokens.signUntil({ ...granted, userId: id, sessionId });
  }

  /** For the operator: suspends an application, or lets it go on. Throws NOT_FOUND. */
  async suspend(id: string, isSuspended: boolean): Promise<void> {
    const at = isSuspended ? this.time.now() : null;
    await this.sessions.endOfApplication(id, async (tx) => {
      if (!isUuid(id) || !(await this.store.suspend(tx, id, at))) throw absent(id);
    });
  }

  /** Suspends applications for which nobody answers any more. */
  async suspendOwnerless(): Promise<void> {
    const before = new Date(this.time.now().getTime() - OWNERLESS_MS);
    for (const id of await this.store.ownerless(before, SWEPT_AT_ONCE)) await this.suspend(id, true);
  }

  /** Erases some players of deleted applications, and returns how many: one may have many thousands, which a sweep erases. */
  private async eraseOrphans(): Promise<number> {
    const some = await this.store.orphans(SWEPT_AT_ONCE);
    for (const id of some) await this.accounts.closePlayer(id);
    return some.length;
  }

  /** Runs `work` in a transaction that holds an application of the viewer. */
  private held<T>(viewer: Principal, id: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.store.transaction(async (tx) => {
      await this.assertOwner(tx, viewer, id);
      return work(tx);
    });
  }

  private async assertOwner(tx: Transaction, viewer: Principal, id: string): Promise<void> {
    await this.sessions.assertConfirmedIn(tx, viewer);
    if (!(await this.store.holdOwned(tx, id, viewer.userId))) throw notFound(id);
  }

  /** Registers an application in one transaction with `admit`, which refuses or holds its owner. */
  private async insert(
    given: NewApplication,
    ownerId: string,
    admit: (tx: Transaction) => Promise<void>,
  ): Promise<MadeApplication> {
    const createdAt = this.time.now();
    const row = {
      id: uuid(),
      name: requireDisplayName(given.name, 'name'),
      url: requireAddress(given.url),
      createdAt,
    };
    const made = await this.store.transaction(async (tx) => {
      await admit(tx);
      await this.store.insert(tx, row);
      await this.store.addOwner(tx, row.id, ownerId, createdAt);
      return this.makeSecret(tx, row.id);
    });
    return { application: await this.one(row.id), secret: made.secret };
  }

  /** Makes a person an owner of an application that is held, if `admit` lets it. */
  private async makeOwner(
    tx: Transaction,
    id: string,
    userId: string,
    admit: () => Promise<void>,
  ): Promise<void> {
    const { owners } = (await this.store.whole(id, tx))!;
    if (owners.includes(userId)) return;
    if (owners.length >= MOST_OWNERS) {
      throw new DomainError(
        'LIMIT_REACHED',
        `The application has ${MOST_OWNERS} owners, which is the limit. Remove one first.`,
        { limit: MOST_OWNERS },
      );
    }
    await admit();
    await this.store.addOwner(tx, id, userId, this.time.now());
  }

  private async holdPerson(tx: Transaction, userId: string): Promise<void> {
    if (await this.store.holdPerson(tx, userId)) return;
    throw new DomainError('FORBIDDEN', 'Only a person with an open account can own an application.');
  }

  private async assertMayOwn(tx: Transaction, userId: string, who: string): Promise<void> {
    await this.holdPerson(tx, userId);
    const limit = this.config.maxApplications;
    if ((await this.store.countOwned(tx, userId)) < limit) return;
    const has = who === 'you' ? 'You have' : `${who} has`;
    const message =
      limit === 0
        ? 'This server takes no applications.'
        : `${has} ${limit} application${limit === 1 ? '' : 's'}, which is the limit. Delete one first.`;
    throw new DomainError('LIMIT_REACHED', message, { limit });
  }

  private async makeSecret(tx: Transaction, applicationId: string): Promise<MadeSecret> {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const applicationSecret = { id: uuid(), createdAt: this.time.now() };
    await this.store.addSecret(tx, { ...applicationSecret, applicationId, hash: hashOf(secret) });
    return { secret, applicationSecret };
  }

  private async shown(row: WholeApplication): Promise<Application> {
    const { id, name, url, chat, createdAt, suspendedAt, owners, secrets, players, runningGames } = row;
    const { maxPlayersOfApplication: mostPlayers, maxRunningGamesOfApplication: mostRunningGames } =
      this.config;
    const [requests, mostRequests] = [
      await this.requests.used(id),
      this.config.requestsPerMinuteOfApplication,
    ];
    return {
      ...{ id, name, url, chat, createdAt, secrets },
      suspended: suspendedAt !== null,
      owners: await Promise.all(owners.map((owner) => this.users.person(owner))),
      usage: { players, mostPlayers, runningGames, mostRunningGames, requests, mostRequests },
    };
  }
}

/** Throws BAD_INPUT. */
function requireAddress(url: string): string {
  const isAddress = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (isAddress && url.length <= MOST_OF_AN_ADDRESS) return new URL(url).href;
  throw badInput(
    'url',
    `url must be an address that begins with https:// or http://, of at most ${MOST_OF_AN_ADDRESS} characters; got ${shown(url)}.`,
  );
}

const notFound = (id: string): DomainError =>
  new DomainError('NOT_FOUND', `You have no application with the id ${id}.`, { field: 'id' });

const absent = (id: string): DomainError =>
  new DomainError('NOT_FOUND', `There is no application with the id ${shown(id)}.`, { field: 'id' });

/** The same for an unknown application, a wrong secret, and one that is suspended. */
export const invalidClient = (): DomainError =>
  new DomainError(
    'INVALID_CLIENT',
    'The application is unknown or suspended, or the secret is wrong. Send client_id and client_secret of an application.',
  );
