import { ID, ObjectType } from '@nestjs/graphql';
import { Shown } from '../../platform/model.js';
import { Challenge } from './challenges.model.js';

@ObjectType({
  description:
    'A seek that came or went. First of all, and whenever more has changed than is told one by one, id is null: ' +
    'then read the lobby; what changes from then on is told.',
})
export class LobbyChange {
  @Shown(() => ID, { nullable: true })
  readonly id: string | null;

  @Shown(() => Challenge, {
    nullable: true,
    description: 'Null: it is not open any more, or not for you; then take it off your list.',
  })
  readonly seek: Challenge | null;
}
