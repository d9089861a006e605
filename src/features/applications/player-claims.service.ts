import { Inject, Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Config } from '../../config.js';
import { orThrow } from '../../platform/errors/errors.js';
import { addressKey } from '../../platform/http/addresses.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { consume, Counts, HOUR_SECONDS } from '../../platform/limits/counts.js';
import type { Counted } from '../../platform/limits/quotas.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { AccountLinks, invalidLink } from '../auth/account-links.js';
import type { Session } from '../auth/auth.model.js';
import type { ClientOf } from '../auth/device.js';
import type { Principal } from '../auth/principal.js';
import { Claims, type WaysIn } from '../guests/claims.js';
import { UsersService } from '../users/users.service.js';
import { PlayersService } from './players.service.js';
import { type ClaimedPlayer, PlayersStore } from './players.store.js';

export interface ClaimLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** How a player of an application becomes a person, if the application wants it. */
@Injectable()
export class PlayerClaims {
  private readonly looksByAddress: RateLimiterAbstract;

  constructor(
    private readonly players: PlayersService,
    private readonly store: PlayersStore,
    private readonly users: UsersService,
    private readonly links: AccountLinks,
    private readonly claims: Claims,
    private readonly own: OwnAddress,
    counts: Counts,
    @Inject(CONFIG) { registrationsPerHour }: Pick<Config, 'registrationsPerHour'>,
  ) {
    // Apart from registrations, so that a look does not use one up.
    this.looksByAddress = counts.limiter('claim-looks', registrationsPerHour, HOUR_SECONDS);
  }

  /** The link for whoever plays as this player; an earlier one works no more. Throws NOT_FOUND, INVALID_CLIENT. */
  async link(application: Principal, externalId: string): Promise<ClaimLink> {
    const { id: userId } = await this.players.row(application.userId, externalId);
    const link = { userId, email: null };
    const { secret, expiresAt } = await this.links.replace('claim', link, (tx) =>
      this.players.assertOpen(tx, application),
    );
    return { url: this.own.url(`/claim#${secret}`), expiresAt };
  }

  /** Whom a link is for, which works as before. Throws INVALID_LINK, RATE_LIMITED. */
  async look(secret: string, { address, quotas }: Counted): Promise<ClaimedPlayer> {
    await consume('looks at links from your address', this.looksByAddress, addressKey(address), quotas);
    const { userId } = await this.links.find('claim', secret);
    return orThrow(await this.store.ofActive(userId), invalidLink);
  }

  /** Makes the player of a link a person, who leaves the application. Throws INVALID_LINK and as Claims.claim. */
  async claim(secret: string, ways: WaysIn, client: ClientOf): Promise<Session> {
    const { userId } = await this.links.find('claim', secret);
    const player = await this.users.one(userId);
    if (!('application' in player)) throw invalidLink();
    return this.claims.claim(player, ways, client, {
      assertTheirs: async (tx) => {
        if (!(await this.store.isOfActive(tx, player.application.id, userId))) throw invalidLink();
        await this.links.use(tx, secret);
      },
      late: async () => invalidLink(),
    });
  }
}
