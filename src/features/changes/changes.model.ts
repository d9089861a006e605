import { ID, ObjectType } from '@nestjs/graphql';
import { ApiProperty } from '@nestjs/swagger';
import { Game, GameDocument } from '../games/games.model.js';
import { Vacation } from '../vacations/vacations.model.js';
import { ImportedGame, ImportedGameDocument } from '../imports/imports.model.js';
import { Challenge } from '../matchmaking/challenges.model.js';
import { Notification } from '../notifications/notifications.model.js';
import { Cost } from '../../platform/graphql/cost.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { enumOf, model, shown } from '../../platform/model.js';
import { Rating } from '../ratings/ratings.model.js';
import { User } from '../users/users.model.js';
import { CHANGE_KINDS } from './change.row.js';

/** What leaves the server about changes; to the user whose they are alone. */

export const ChangeKindEnum = enumOf(CHANGE_KINDS, {
  name: 'ChangeKind',
  description:
    'What has changed. import: a game that you have imported; messages: those of a game; seat: your note on a game, or whether you mute your opponent there.',
});

@ObjectType({ description: 'The newest change of something of yours, and what became of it.' })
export class Change extends model({
  kind: shown(ChangeKindEnum),
  id: shown(ID, {
    description:
      'Of the game (also of messages and seat), the imported game, the challenge, the vacation, the notification, the user; of a rating the pool.',
    rest: { type: String },
  }),
  deleted: shown(Boolean, { description: 'It is gone: forget what you have of it.' }),
  at: shown(DateTimeScalar, { description: 'When it was stored.' }),
  game: shown(Game, {
    nullable: true,
    graphqlOnly: true,
    onDemand: true,
    description: 'game, messages, seat: the game as it is now.',
  }),
  challenge: shown(Challenge, { nullable: true, onDemand: true, description: 'challenge: as it is now.' }),
  importedGame: shown(ImportedGame, {
    nullable: true,
    graphqlOnly: true,
    onDemand: true,
    description: 'import: the game.',
  }),
  rating: shown(Rating, { nullable: true, onDemand: true, description: 'rating: as it is now.' }),
  profile: shown(User, { nullable: true, onDemand: true, description: 'profile: yours as it is now.' }),
  blocked: shown(User, { nullable: true, onDemand: true, description: 'block: whom you block.' }),
  vacation: shown(Vacation, {
    nullable: true,
    onDemand: true,
    description: 'vacation: as it is now; null for an old one.',
  }),
  notification: shown(Notification, {
    nullable: true,
    onDemand: true,
    description: 'notification: as it is now.',
  }),
}) {}

@ObjectType({
  description: 'Your changes behind a cursor, the oldest first: each thing once, by its newest change.',
})
export class Changes extends model({
  items: shown([Change], {}, Cost({ list: 'ofParent' })),
  cursor: shown(String, {
    description: 'For `since` of the next page or poll; also when there was nothing.',
  }),
  hasMore: shown(Boolean, { description: 'Is there more already?' }),
}) {}

/** What a player keeps at his seat, in REST; in GraphQL fields of the game. */
export class ChangedSeat {
  @ApiProperty({ type: String, nullable: true, description: 'Your own note; null: there is none.' })
  readonly note: string | null;

  @ApiProperty({ type: Boolean, description: 'Are the messages of your opponent refused?' })
  readonly muted: boolean;
}

/** A change in REST, with what GraphQL resolves on demand. */
export class ChangeDocument extends model({
  ...Change.fields,
  game: shown(GameDocument, { nullable: true, description: 'game: as it is now.' }),
  importedGame: shown(ImportedGameDocument, { nullable: true, description: 'import: the game.' }),
  seat: shown(ChangedSeat, { nullable: true, description: 'seat: as it is now.' }),
}) {}

export class ChangesDocument {
  @ApiProperty({ type: [ChangeDocument] })
  readonly items: readonly ChangeDocument[];

  @ApiProperty({
    type: String,
    description: 'For `since` of the next page or poll; also when there was nothing.',
  })
  readonly cursor: string;

  @ApiProperty({ type: Boolean, description: 'Is there more already?' })
  readonly hasMore: boolean;
}
