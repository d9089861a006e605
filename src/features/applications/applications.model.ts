import { ID, Int, ObjectType } from '@nestjs/graphql';
import { ApiSchema } from '@nestjs/swagger';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { model, shown } from '../../platform/contract/model.js';
import { pageFields } from '../../platform/contract/paginated.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { User } from '../users/users.model.js';

export const MOST_SECRETS = 2;
export const MOST_OWNERS = 2;

@ObjectType({ description: 'A secret of an application, without the secret itself, which is shown once.' })
export class ApplicationSecret extends model({
  id: shown(ID, { description: 'The id of the secret, to delete it.' }),
  createdAt: shown(DateTimeScalar, { description: 'The time when it was made.' }),
}) {}

@ObjectType({ description: 'What an application uses of what it may use.' })
export class ApplicationUsage extends model({
  players: shown(Int, { description: 'The number of its players.', example: 120 }),
  mostPlayers: shown(Int, { description: 'The number of players that it may have.', example: 100_000 }),
  runningGames: shown(Int, { description: 'The number of its running games.', example: 40 }),
  mostRunningGames: shown(Int, {
    description: 'The number of running games that it may have.',
    example: 20_000,
  }),
  requests: shown(Int, {
    description:
      'The number of its requests in the current minute, those of its players included, as far as this process of the server has counted them.',
    example: 250,
  }),
  mostRequests: shown(Int, {
    description: 'The number of requests that it may send in a minute.',
    example: 6000,
  }),
}) {}

const SITE = {
  name: shown(String, {
    description: 'The name, shown beside the names of its players.',
    example: 'Springfield Chess Club',
  }),
  url: shown(String, { description: 'The address of its site.', example: 'https://chess.example.org' }),
};

@ObjectType({ description: 'An application with the address of its site, as others see it.' })
export class ApplicationSite extends model({
  id: shown(ID, { description: 'The id of the application.' }),
  ...SITE,
}) {}

@ObjectType({ description: 'An application, as its owners and the application itself see it.' })
export class Application extends model({
  id: shown(ID, {
    description: 'The id of the application, which is its `client_id` at `POST /oauth/token`.',
  }),
  ...SITE,
  chat: shown(Boolean, { description: 'True if messages can be written in its games.' }),
  suspended: shown(Boolean, {
    description: 'True while the operator of the server has suspended it: none of its tokens is accepted.',
  }),
  createdAt: shown(DateTimeScalar, { description: 'The time of registration.' }),
  owners: shown(
    [User],
    { description: 'The one or two persons who answer for it.' },
    Cost(rowsAtMost(MOST_OWNERS)),
  ),
  secrets: shown(
    [ApplicationSecret],
    {
      description:
        'Its valid secrets, two at most, the newest first; none if its owners have yet to make one or have deleted all.',
    },
    Cost(rowsAtMost(MOST_SECRETS)),
  ),
  usage: shown(ApplicationUsage, { description: 'What it uses of what it may use.' }),
}) {}

@ApiSchema({ description: 'Your applications, the one registered last first.' })
export class ApplicationPage extends model(pageFields(Application)) {}
