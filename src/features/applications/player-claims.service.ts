import { Injectable } from '@nestjs/common';
import { OwnAddress } from '../../platform/http/own-address.js';
import { AccountLinks, invalidLink } from '../auth/account-links.js';
import type { Session } from '../auth/auth.model.js';
import type { ClientOf } from '../auth/device.js';
import type { Principal } from '../auth/principal.js';
import { Claims, type WaysIn } from '../guests/claims.js';
import { UsersService } from '../users/users.service.js';
import { PlayersService } from './players.service.js';
import { PlayersStore } from './players.store.js';

export interface ClaimLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** How a player of an application becomes a person, if the application wants it. */
@Injectable()
export class PlayerClaims {
  constructor(
    private readonly players: PlayersService,
    private readonly store: PlayersStore,
    private readonly users: UsersService,
    private readonly links: AccountLinks,
    private readonly claims: Claims,
    private readonly own: OwnAddress,
  ) {}

  /** The link for whoever plays as this player; an earlier one works no more. Throws NOT_FOUND, INVALID_CLIENT. */
  async link(application: Principal, externalId: string): Promise<ClaimLink> {
    const { id: userId } = await this.players.row(application.userId, externalId);
    const link = { userId, email: null };
    const { secret, expiresAt } = await this.links.replace('claim', link, (tx) =>
      this.players.assertOpen(tx, application),
    );
    return { url: this.own.url(`/claim#${secret}`), expiresAt };
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
