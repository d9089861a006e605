import { Body, Controller, Header, Headers, HttpCode, Post } from '@nestjs/common';
import { ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/contract/access.js';
import { model, shown } from '../../platform/contract/model.js';
import { inputOf } from '../../platform/contract/inputs.js';
import { longText, oneOf, optional } from '../../platform/contract/fields.js';
import { Refuses } from '../../platform/contract/verb.js';
import { badInput } from '../../platform/errors/errors.js';
import { Problems } from '../../platform/http/problem.filter.js';
import { Time } from '../../platform/process/time.js';
import { Int, ObjectType } from '@nestjs/graphql';
import { shown as quoted } from '../../rules/shown.js';
import { OAUTH_FORM } from './credentials.errors.js';
import { basicIn } from './credentials.form.js';
import { ApplicationsService } from './applications.service.js';

/** All that an application can ask for. */
const SCOPE = 'application';

/** What OAuth 2.1 asks for, under its names. */
class ClientCredentials extends inputOf({
  grant_type: oneOf({ CLIENT_CREDENTIALS: 'client_credentials' }, 'How the token is asked for.'),
  client_id: optional(
    longText('The id of the application; left out with HTTP Basic.', {
      example: '01890000-0000-7000-8000-000000000000',
    }),
  ),
  client_secret: optional(longText('A secret of the application; left out with HTTP Basic.')),
  scope: optional(longText(`\`${SCOPE}\`, which is also the default.`, { example: SCOPE })),
}) {}

@ObjectType({ isAbstract: true })
class ClientToken extends model({
  access_token: shown(String, { description: 'The token, for `Authorization: Bearer ...`.' }),
  token_type: shown(String, { description: 'Always `Bearer`.', example: 'Bearer' }),
  expires_in: shown(Int, { description: 'For how many seconds it is valid.', example: 900 }),
  scope: shown(String, { description: 'Always `application`.', example: SCOPE }),
}) {}

@ApiTags('applications')
@Controller('oauth')
export class CredentialsController {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly time: Time,
  ) {}

  @Public()
  @Post('token')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Refuses('INVALID_CLIENT')
  @Problems(OAUTH_FORM)
  @ApiConsumes('application/json', 'application/x-www-form-urlencoded')
  @ApiOperation({
    operationId: 'clientToken',
    summary:
      'Exchange id and secret of an application for a token by which it acts as itself (OAuth 2.1, client credentials).',
    description:
      'An error is a problem as of any route, as `application/json`, with `error` and `error_description` of RFC 6749 beside `code` and `detail`: `invalid_client`, `invalid_request`, `invalid_scope`, `unsupported_grant_type`, `temporarily_unavailable` (429 and 503), `server_error`.',
  })
  @ApiOkResponse({ type: ClientToken })
  async token(
    @Body() { client_id: id, client_secret: secret, scope }: ClientCredentials,
    @Headers('authorization') header: string | undefined,
  ): Promise<ClientToken> {
    if (scope != null && scope !== SCOPE) {
      throw badInput('scope', `scope must be ${SCOPE}, or left out; got ${quoted(scope)}.`);
    }
    const basic = basicIn(header);
    if (basic !== null && id != null && id !== basic.id) {
      throw badInput('client_id', 'client_id must be that of HTTP Basic, or left out; the two differ.');
    }
    const given = basic ?? { id: id ?? '', secret: secret ?? '' };
    const { accessToken, accessTokenExpiresAt } = await this.applications.token(given.id, given.secret);
    const seconds = Math.floor((accessTokenExpiresAt.getTime() - this.time.now().getTime()) / 1000);
    return { access_token: accessToken, token_type: 'Bearer', expires_in: seconds, scope: SCOPE };
  }
}
