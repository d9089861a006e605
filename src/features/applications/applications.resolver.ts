import { Query, Resolver } from '@nestjs/graphql';
import { Needs, NeedsKind } from '../../platform/contract/access.js';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import { OfApplication, SignedIn, type Principal } from '../auth/principal.js';
import {
  AddApplicationOwnerInput,
  CreateApplicationInput,
  CreateApplicationSecretInput,
  CreateApplicationTokenInput,
  DeleteApplicationInput,
  DeleteApplicationSecretInput,
  RemoveApplicationOwnerInput,
  UpdateApplicationInput,
} from './applications.inputs.js';
import { Application } from './applications.model.js';
import { ApplicationsService } from './applications.service.js';
import {
  ADD_APPLICATION_OWNER,
  CREATE_APPLICATION,
  CREATE_APPLICATION_SECRET,
  CREATE_APPLICATION_TOKEN,
  DELETE_APPLICATION,
  DELETE_APPLICATION_SECRET,
  REMOVE_APPLICATION_OWNER,
  UPDATE_APPLICATION,
} from './applications.verbs.js';

/** A usual number of applications of one person. */
const SOME = 10;

@Resolver()
export class ApplicationsResolver {
  constructor(private readonly applications: ApplicationsService) {}

  @Cost(rowsAtMost(SOME))
  @Needs('account')
  @Query(() => [Application], { description: 'Your applications, the one registered last first.' })
  myApplications(@SignedIn() viewer: Principal): Promise<readonly Application[]> {
    return this.applications.owned(viewer);
  }

  @NeedsKind('application', 'application')
  @Query(() => Application, { description: 'The application whose token it is, with what it uses.' })
  application(@OfApplication() { userId }: Principal): Promise<Application> {
    return this.applications.one(userId);
  }

  @MutationOf(CREATE_APPLICATION)
  createApplication(
    @SignedIn() viewer: Principal,
    @InputArg() input: CreateApplicationInput,
  ): Promise<PayloadOf<typeof CREATE_APPLICATION>> {
    return this.applications.create(viewer, input);
  }

  @MutationOf(CREATE_APPLICATION_TOKEN)
  async createApplicationToken(
    @InputArg() { id, secret }: CreateApplicationTokenInput,
  ): Promise<PayloadOf<typeof CREATE_APPLICATION_TOKEN>> {
    const { accessToken, accessTokenExpiresAt } = await this.applications.token(id, secret);
    return { token: accessToken, expiresAt: accessTokenExpiresAt };
  }

  @MutationOf(UPDATE_APPLICATION)
  async updateApplication(
    @SignedIn() viewer: Principal,
    @InputArg() { id, ...change }: UpdateApplicationInput,
  ): Promise<PayloadOf<typeof UPDATE_APPLICATION>> {
    return { application: await this.applications.update(viewer, id, change) };
  }

  @MutationOf(DELETE_APPLICATION)
  async deleteApplication(
    @SignedIn() viewer: Principal,
    @InputArg() { id }: DeleteApplicationInput,
  ): Promise<PayloadOf<typeof DELETE_APPLICATION>> {
    await this.applications.delete(viewer, id);
    return { deletedId: id };
  }

  @MutationOf(CREATE_APPLICATION_SECRET)
  createApplicationSecret(
    @SignedIn() viewer: Principal,
    @InputArg() { id }: CreateApplicationSecretInput,
  ): Promise<PayloadOf<typeof CREATE_APPLICATION_SECRET>> {
    return this.applications.addSecret(viewer, id);
  }

  @MutationOf(DELETE_APPLICATION_SECRET)
  async deleteApplicationSecret(
    @SignedIn() viewer: Principal,
    @InputArg() { id, secretId }: DeleteApplicationSecretInput,
  ): Promise<PayloadOf<typeof DELETE_APPLICATION_SECRET>> {
    return { application: await this.applications.deleteSecret(viewer, id, secretId) };
  }

  @MutationOf(ADD_APPLICATION_OWNER)
  async addApplicationOwner(
    @SignedIn() viewer: Principal,
    @InputArg() { id, username }: AddApplicationOwnerInput,
  ): Promise<PayloadOf<typeof ADD_APPLICATION_OWNER>> {
    return { application: await this.applications.addOwner(viewer, id, username) };
  }

  @MutationOf(REMOVE_APPLICATION_OWNER)
  async removeApplicationOwner(
    @SignedIn() viewer: Principal,
    @InputArg() { id, username }: RemoveApplicationOwnerInput,
  ): Promise<PayloadOf<typeof REMOVE_APPLICATION_OWNER>> {
    return { application: await this.applications.removeOwner(viewer, id, username) };
  }
}
