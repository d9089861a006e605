import { ID, ObjectType } from '@nestjs/graphql';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Game, GameDocument } from '../games/games.model.js';
import { Vacation } from '../vacations/vacations.model.js';
import { ImportedGame, ImportedGameDocument } from '../imports/imports.model.js';
import { Challenge } from '../matchmaking/challenges.model.js';
import { Notification } from '../notifications/notifications.model.js';
import { Cost } from '../../platform/contract/cost.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { enumOf, model, shown } from '../../platform/contract/model.js';
import { Rating } from '../ratings/ratings.model.js';
import { User } from '../users/users.model.js';
import { CHANGE_KINDS, KIND_MEANINGS } from './change.row.js';

/** The models of changes, which only their user sees. */

const IMPORTED = 'The imported game; null for any other kind.';
const CHANGED = 'The changes, the oldest first.';
const CURSOR = 'The cursor to send as `since` of the next request; present even if nothing changed.';
const MORE = 'True if more changes follow; request them with `cursor`.';

export const ChangeKindEnum = enumOf(CHANGE_KINDS, {
  name: 'ChangeKind',
  description: 'A kind of item that can change.',
  values: KIND_MEANINGS,
});

@ObjectType({ description: 'The newest change of an item of your data, with the item as it is now.' })
export class Change extends model({
  kind: shown(ChangeKindEnum, { description: 'The kind of the item.' }),
  id: shown(ID, {
    description:
      'The id of the item: the game (also for messages and seat), imported game, challenge, vacation, notification or ' +
      'user; for a rating its pool.',
    rest: { type: String },
  }),
  deleted: shown(Boolean, {
    description: 'True if the item is gone; delete your copy.',
  }),
  at: shown(DateTimeScalar, { description: 'The time at which the change was stored.' }),
  game: shown(Game, {
    nullable: true,
    graphqlOnly: true,
    onDemand: true,
    description: 'The game as it is now, of a game, messages or seat; null for any other kind.',
  }),
  challenge: shown(Challenge, {
    nullable: true,
    onDemand: true,
    description: 'The challenge as it is now; null for any other kind.',
  }),
  importedGame: shown(ImportedGame, {
    nullable: true,
    graphqlOnly: true,
    onDemand: true,
    description: IMPORTED,
  }),
  rating: shown(Rating, {
    nullable: true,
    onDemand: true,
    description: 'The rating as it is now; null for any other kind.',
  }),
  profile: shown(User, {
    nullable: true,
    onDemand: true,
    description: 'Your profile as it is now; null for any other kind.',
  }),
  blocked: shown(User, {
    nullable: true,
    onDemand: true,
    description: 'The user whom you block; null for any other kind.',
  }),
  vacation: shown(Vacation, {
    nullable: true,
    onDemand: true,
    description:
      'The vacation as it is now; null for any other kind and for a vacation over for more than two years.',
  }),
  notification: shown(Notification, {
    nullable: true,
    onDemand: true,
    description: 'The notification as it is now; null for any other kind.',
  }),
}) {}

@ObjectType({
  description:
    'Your changes after a cursor, the oldest first; each item appears once, with its newest change.',
})
export class Changes extends model({
  items: shown([Change], { description: CHANGED }, Cost({ list: 'ofParent' })),
  cursor: shown(String, {
    description: CURSOR,
  }),
  hasMore: shown(Boolean, { description: MORE }),
}) {}

/** In GraphQL they are fields of the game. */
@ApiSchema({ description: 'Your note on a game and your mute of the opponent.' })
export class ChangedSeat {
  @ApiProperty({ type: String, nullable: true, description: 'Your note on the game; null without one.' })
  readonly note: string | null;

  @ApiProperty({
    type: Boolean,
    description: 'True if you mute the opponent, whose messages are then refused.',
  })
  readonly muted: boolean;
}

/** A change in REST, with the parts that GraphQL resolves on demand. */
export class ChangeDocument extends model({
  ...Change.fields,
  game: shown(GameDocument, {
    nullable: true,
    description: 'The game as it is now; null for any other kind.',
  }),
  importedGame: shown(ImportedGameDocument, { nullable: true, description: IMPORTED }),
  seat: shown(ChangedSeat, {
    nullable: true,
    description: 'Your note and mute as they are now; null for any other kind.',
  }),
}) {}

export class ChangePage {
  @ApiProperty({ type: [ChangeDocument], description: CHANGED })
  readonly items: readonly ChangeDocument[];

  @ApiProperty({
    type: String,
    description: CURSOR,
  })
  readonly cursor: string;

  @ApiProperty({ type: Boolean, description: MORE })
  readonly hasMore: boolean;
}
