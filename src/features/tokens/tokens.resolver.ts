import { Query, Resolver } from '@nestjs/graphql';
import { Needs } from '../../platform/contract/access.js';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import type { Quotas } from '../../platform/limits/quotas.js';
import { OfQuotas } from '../auth/device.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { MOST_LISTED } from '../auth/sessions.js';
import { CreateTokenInput, DeleteTokenInput } from './tokens.inputs.js';
import { PersonalToken } from './tokens.model.js';
import { TokensService } from './tokens.service.js';
import { CREATE_TOKEN, DELETE_TOKEN } from './tokens.verbs.js';

@Resolver()
export class TokensResolver {
  constructor(private readonly tokens: TokensService) {}

  @Cost(rowsAtMost(MOST_LISTED))
  @Needs('account')
  @Query(() => [PersonalToken], { description: 'Your personal tokens, the one made last first.' })
  myTokens(@SignedIn() viewer: Principal): Promise<readonly PersonalToken[]> {
    return this.tokens.listed(viewer);
  }

  @MutationOf(CREATE_TOKEN)
  createToken(
    @SignedIn() viewer: Principal,
    @InputArg() input: CreateTokenInput,
    @OfQuotas() quotas: Quotas,
  ): Promise<PayloadOf<typeof CREATE_TOKEN>> {
    return this.tokens.make(viewer, input, quotas);
  }

  @MutationOf(DELETE_TOKEN)
  async deleteToken(
    @SignedIn() viewer: Principal,
    @InputArg() { id }: DeleteTokenInput,
  ): Promise<PayloadOf<typeof DELETE_TOKEN>> {
    return { ended: await this.tokens.delete(viewer, id) };
  }
}
