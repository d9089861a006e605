import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { Address } from '../auth/attempts.js';
import { SignedIn, type Viewer } from '../auth/viewer.js';
import { CloseAccountInput } from './accounts.inputs.js';
import { AccountsService } from './accounts.service.js';

@Resolver()
export class AccountsResolver {
  constructor(private readonly accounts: AccountsService) {}

  @Mutation(() => Boolean, {
    description:
      'Closes your account for good: running games are resigned, and all games stay, under closed-account.',
  })
  closeAccount(
    @SignedIn() viewer: Viewer,
    @Args('input') { password }: CloseAccountInput,
    @Address() address: string,
  ): Promise<boolean> {
    return this.accounts.close(viewer, password, address);
  }
}
