import { Injectable } from '@nestjs/common';
import { DealsService } from '../../engine/deals.service.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import type { GameRow } from '../games/game.row.js';
import { GameOpener } from '../games/game-opener.js';
import type { ChallengeTerms } from './challenge.row.js';
import { ChallengesStore } from './challenges.store.js';
import { GameStart } from './game-start.js';
import { Invitations } from './invitations.js';
import { withHashes } from './opening-rows.js';
import type { GivenTerms } from './terms.js';

/** The two players of a game, and what is agreed on. */
export interface MadeGame extends Pick<GivenTerms, 'ruleset' | 'options' | 'timeControl' | 'rated'> {
  readonly firstId: string;
  readonly secondId: string;
}

/** Nobody gives a client seed for them: the server alone deals. */
const NO_SEED = { clientSeed: null, clientSeedHash: null };

/**
 * Games that begin at once between two players for whom somebody else acts. In chain, record and log they are what they
 * would be if the first player had challenged the second, who accepted.
 */
@Injectable()
export class MadeGames {
  constructor(
    private readonly invitations: Invitations,
    private readonly challenges: ChallengesStore,
    private readonly start: GameStart,
    private readonly opener: GameOpener,
    private readonly deals: DealsService,
  ) {}

  /** Throws INVALID_RULESET, INVALID_OPTIONS, INVALID_TIME_CONTROL. */
  terms({ firstId, secondId, ...given }: MadeGame): ChallengeTerms {
    const addressed = { kind: 'direct', creatorId: firstId, opponentId: secondId } as const;
    return this.invitations.terms(addressed, { ...given, seat: 'first' });
  }

  /** Stores a game under a name of its maker. Throws ACCOUNT_CLOSED, LIMIT_REACHED, FORBIDDEN. */
  async store(tx: Transaction, terms: ChallengeTerms, externalId: string): Promise<GameRow> {
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
