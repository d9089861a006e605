import { ID, ObjectType } from '@nestjs/graphql';
import { model, shown } from '../../platform/contract/model.js';
import { Challenge } from './challenges.model.js';

@ObjectType({
  description:
    'A seek that entered or left the lobby. If the id is null, any seeks may have changed: reload the whole lobby. Such ' +
    'a change is sent first, and after many changes at once.',
})
export class LobbyChange extends model({
  id: shown(ID, {
    nullable: true,
    description: 'The id of the seek, or null if the whole lobby must be reloaded.',
  }),
  seek: shown(Challenge, {
    nullable: true,
    description: 'The seek, or null if it is no longer open or not visible to you.',
  }),
}) {}
