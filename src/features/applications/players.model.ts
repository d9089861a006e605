import { ID, ObjectType } from '@nestjs/graphql';
import { ApiSchema } from '@nestjs/swagger';
import { connectionOf } from '../../platform/contract/connection.js';
import { Cost } from '../../platform/contract/cost.js';
import { model, shown } from '../../platform/contract/model.js';
import { pageFields } from '../../platform/contract/paginated.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { ALL_POOLS, Rating } from '../ratings/ratings.model.js';
import { ManagedPlayer } from '../users/users.model.js';

@ObjectType({ description: 'A player of your application, as the application sees them.' })
export class OwnPlayer extends model({
  id: shown(ID, { description: 'The id of the player, as in games.' }),
  externalId: shown(String, {
    description: 'The name under which the application knows the player.',
    example: 'member-17',
  }),
  createdAt: shown(DateTimeScalar, { description: 'The time when the player was made.' }),
  player: shown(ManagedPlayer, { description: 'The player, as others see them.' }),
  ratings: shown(
    [Rating],
    { description: 'The ratings, all of them in pools of the application.' },
    Cost(ALL_POOLS),
  ),
}) {}

@ObjectType({ description: 'A page of the players of your application.' })
export class OwnPlayerConnection extends model(
  connectionOf(OwnPlayer, 'A player on a page.', { edgeName: 'OwnPlayerEdge' }),
) {}

@ApiSchema({ description: 'Players of your application, the one made first first.' })
export class OwnPlayerPage extends model(pageFields(OwnPlayer)) {}
