import type { Quotas } from '../../platform/limits/quotas.js';
import { OfQuotas } from '../auth/device.js';
import { Needs } from '../../platform/contract/access.js';
import { Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { SignedIn, Viewing, type Principal } from '../auth/principal.js';
import { GameViewer } from '../games/viewer.model.js';
import { Challenge } from './challenges.model.js';
import { OFFER_REMATCH } from './challenges.verbs.js';
import { ChallengesView } from './challenges.view.js';
import { OfferRematchInput } from './rematches.inputs.js';
import { RematchesService } from './rematches.service.js';

@Resolver(() => GameViewer)
export class RematchesResolver {
  constructor(
    private readonly rematches: RematchesService,
    private readonly view: ChallengesView,
  ) {}

  @MutationOf(OFFER_REMATCH)
  async offer(
    @SignedIn() viewer: Principal,
    @InputArg() input: OfferRematchInput,
    @OfQuotas() quotas: Quotas,
  ): Promise<PayloadOf<typeof OFFER_REMATCH>> {
    const row = await this.rematches.offer(viewer, input, quotas);
    return this.view.withGame(row, await this.view.gameOf(row), viewer);
  }

  @Needs('challenges:read')
  @ResolveField(() => Challenge, {
    nullable: true,
    description: 'The rematch of the game, offered or accepted; null if there is none.',
  })
  async rematch(
    @Parent() { row }: GameViewer,
    @Viewing() viewer: Principal | null,
  ): Promise<Challenge | null> {
    const found = await this.rematches.ofGame(row, viewer);
    return found && this.view.challenge(found, viewer);
  }
}
