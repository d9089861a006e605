import { Injectable } from '@nestjs/common';
import { DealsService } from '../../engine/deals.service.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import type { GameRow } from '../games/game.row.js';
import type { Player } from '../../rules/ruleset.js';
import { GameOpener } from '../games/game-opener.js';
import type { ChallengeTerms } from './challenge.row.js';
import { ChallengesStore } from './challenges.store.js';
import { ClientSeedsStore } from './client-seeds.store.js';
import { GameStart } from './game-start.js';
import { Invitations } from './invitations.js';
import { OpenLimits } from './open-limits.js';
import { withHashes } from './opening-rows.js';
import type { GivenTerms } from './terms.js';

/** The two players of a game, and what is agreed on. */
export interface MadeGame extends Pick<GivenTerms, 'ruleset' | 'options' | 'timeControl' | 'rated'> {
  readonly firstId: string;
  readonly secondId: string;
  /** The hash of a client seed, and who gives it later; null if nobody does, so that the server alone deals. */
  readonly announced: { readonly by: Player; readonly clientSeedHash: string } | null;
}

const NO_SEED = { clientSeed: null, clientSeedHash: null };

/**
 * Games that begin at once between two players for whom somebody else acts. In chain, record and log they are what they
 * would be if one player had challenged the other, who accepted: the one who announces a client seed, else the first.
 */
@Injectable()
export class MadeGames {
  constructor(
    private readonly invitations: Invitations,
    private readonly challenges: ChallengesStore,
    private readonly start: GameStart,
    private readonly opener: GameOpener,
    private readonly deals: DealsService,
    private readonly seeds: ClientSeedsStore,
    private readonly limits: OpenLimits,
  ) {}

  /** Throws INVALID_RULESET, INVALID_OPTIONS, INVALID_TIME_CONTROL, INVALID_SEED. */
  terms({ firstId, secondId, announced, ...given }: MadeGame): ChallengeTerms {
    const seat = announced?.by ?? 'first';
    const [creatorId, opponentId] = seat === 'first' ? [firstId, secondId] : [secondId, firstId];
    return this.invitations.terms(
      { kind: 'direct', creatorId, opponentId },
      { ...given, seat, clientSeedHash: announced?.clientSeedHash },
    );
  }

  /** Stores a game under a name of its maker. Throws ACCOUNT_CLOSED, LIMIT_REACHED, FORBIDDEN, INVALID_SEED. */
  async store(tx: Transaction, terms: ChallengeTerms, externalId: string): Promise<GameRow> {
    const { id, creatorId, creatorClientSeedHash: hash, createdAt } = terms;
    if (hash !== null) {
      await this.limits.demandForAnnouncement(tx, creatorId, createdAt);
      await this.seeds.use(tx, hash, id, createdAt, 'clientSeedHash');
    }
    const row = withHashes({ ...terms, commitment: await this.deals.commit(tx, terms.id, terms.createdAt) });
    const joining = { userId: row.opponentId!, seed: NO_SEED, side: 'any', seek: null } as const;
    const { row: drafted, happened } = await this.start.draft(row, joining, tx);
    const game = await this.opener.insert(tx, { ...drafted, externalId }, happened);
    await this.challenges.insert(tx, {
      ...row,
      ...{ status: 'accepted', answeredAt: game.createdAt, gameId: game.id },
    });
    return game;
  }
}
