import { ID, ObjectType } from '@nestjs/graphql';
import { model, shown } from '../../platform/model.js';
import { Challenge } from './challenges.model.js';

@ObjectType({
  description:
    'A seek that came or went. First of all, and whenever more has changed than is told one by one, id is null: ' +
    'then read the lobby; what changes from then on is told.',
})
export class LobbyChange extends model({
  id: shown(ID, { nullable: true }),
  seek: shown(Challenge, {
    nullable: true,
    description: 'Null: it is not open any more, or not for you; then take it off your list.',
  }),
}) {}
