import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/contract/access.js';
import { wholeList } from '../../platform/contract/paginated.js';
import { RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import {
  AddApplicationOwnerBody,
  CreateApplicationInput,
  CreateApplicationTokenBody,
  ApplicationParam,
  DeleteApplicationSecretInput,
  RemoveApplicationOwnerInput,
  UpdateApplicationBody,
} from './applications.inputs.js';
import { ApplicationPage } from './applications.model.js';
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

@ApiTags('applications')
@Controller('v1/applications')
export class ApplicationsController {
  constructor(private readonly applications: ApplicationsService) {}

  @Needs('account')
  @Get()
  @ApiOperation({
    operationId: 'myApplications',
    summary: 'Your applications, the one registered last first.',
  })
  @ApiOkResponse({ type: ApplicationPage })
  async myApplications(@SignedIn() viewer: Principal): Promise<ApplicationPage> {
    return wholeList(await this.applications.owned(viewer));
  }

  @Post()
  @RouteOf(CREATE_APPLICATION, 201)
  createApplication(
    @SignedIn() viewer: Principal,
    @Body() body: CreateApplicationInput,
  ): Promise<RestPayloadOf<typeof CREATE_APPLICATION>> {
    return this.applications.create(viewer, body);
  }

  @Post(':id/tokens')
  @RouteOf(CREATE_APPLICATION_TOKEN, 201)
  async createApplicationToken(
    @Param() { id }: ApplicationParam,
    @Body() { secret }: CreateApplicationTokenBody,
  ): Promise<RestPayloadOf<typeof CREATE_APPLICATION_TOKEN>> {
    const { accessToken, accessTokenExpiresAt } = await this.applications.token(id, secret);
    return { token: accessToken, expiresAt: accessTokenExpiresAt };
  }

  @Patch(':id')
  @RouteOf(UPDATE_APPLICATION)
  async updateApplication(
    @SignedIn() viewer: Principal,
    @Param() { id }: ApplicationParam,
    @Body() body: UpdateApplicationBody,
  ): Promise<RestPayloadOf<typeof UPDATE_APPLICATION>> {
    return { application: await this.applications.update(viewer, id, body) };
  }

  @Delete(':id')
  @RouteOf(DELETE_APPLICATION)
  async deleteApplication(
    @SignedIn() viewer: Principal,
    @Param() { id }: ApplicationParam,
  ): Promise<RestPayloadOf<typeof DELETE_APPLICATION>> {
    await this.applications.delete(viewer, id);
    return { deletedId: id };
  }

  @Post(':id/secrets')
  @RouteOf(CREATE_APPLICATION_SECRET, 201)
  createApplicationSecret(
    @SignedIn() viewer: Principal,
    @Param() { id }: ApplicationParam,
  ): Promise<RestPayloadOf<typeof CREATE_APPLICATION_SECRET>> {
    return this.applications.addSecret(viewer, id);
  }

  @Delete(':id/secrets/:secretId')
  @RouteOf(DELETE_APPLICATION_SECRET)
  async deleteApplicationSecret(
    @SignedIn() viewer: Principal,
    @Param() { id, secretId }: DeleteApplicationSecretInput,
  ): Promise<RestPayloadOf<typeof DELETE_APPLICATION_SECRET>> {
    return { application: await this.applications.deleteSecret(viewer, id, secretId) };
  }

  @Post(':id/owners')
  @RouteOf(ADD_APPLICATION_OWNER)
  async addApplicationOwner(
    @SignedIn() viewer: Principal,
    @Param() { id }: ApplicationParam,
    @Body() { username }: AddApplicationOwnerBody,
  ): Promise<RestPayloadOf<typeof ADD_APPLICATION_OWNER>> {
    return { application: await this.applications.addOwner(viewer, id, username) };
  }

  @Delete(':id/owners/:username')
  @RouteOf(REMOVE_APPLICATION_OWNER)
  async removeApplicationOwner(
    @SignedIn() viewer: Principal,
    @Param() { id, username }: RemoveApplicationOwnerInput,
  ): Promise<RestPayloadOf<typeof REMOVE_APPLICATION_OWNER>> {
    return { application: await this.applications.removeOwner(viewer, id, username) };
  }
}
