import { ID, ObjectType } from '@nestjs/graphql';
import { model, shown } from '../../platform/model.js';
import { Challenge } from './challenges.model.js';

@ObjectType({
  description:
    'A seek that entered or left the lobby. With a null id it says that the lobby as a whole may have changed: read it ' +
    'anew. That comes first, and after many changes at once.',
})
export class LobbyChange extends model({
  id: shown(ID, {
    nullable: true,
    description: 'The id of the seek, or null if the lobby is to be read anew.',
  }),
  seek: shown(Challenge, {
    nullable: true,
    description: 'The seek, or null if it is no longer open or not visible to you.',
  }),
}) {}
