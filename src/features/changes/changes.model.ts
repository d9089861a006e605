import { ID, ObjectType, registerEnumType } from '@nestjs/graphql';
import { ApiExtraModels, ApiProperty, getSchemaPath, OmitType } from '@nestjs/swagger';
import { GameDocument } from '../games/games.model.js';
import { Vacation } from '../vacations/vacations.model.js';
import { ImportedGame, ImportedGameDocument } from '../imports/imports.model.js';
import { Challenge } from '../matchmaking/challenges.model.js';
import { Notification } from '../notifications/notifications.model.js';
import { Cost } from '../../platform/graphql/cost.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { enumOf, Shown } from '../../platform/model.js';
import { Rating } from '../ratings/ratings.model.js';
import { User } from '../users/users.model.js';
import { CHANGE_KINDS } from './change.row.js';

/** What leaves the server about changes; to the user whose they are alone. */

export const ChangeKindEnum = enumOf(CHANGE_KINDS);
registerEnumType(ChangeKindEnum, {
  name: 'ChangeKind',
  description:
    'What has changed. import: a game that you have imported; messages: those of a game; seat: your note on a game, or whether you mute your opponent there.',
});

@ObjectType({ description: 'The newest change of something of yours, and what became of it.' })
export class Change {
  @Shown(() => ChangeKindEnum)
  readonly kind: keyof typeof ChangeKindEnum;

  @Shown(() => ID, {
    description:
      'Of the game (also of messages and seat), the imported game, the challenge, the vacation, the notification, the user; of a rating the pool.',
    rest: { type: String },
  })
  readonly id: string;

  @Shown(() => Boolean, { description: 'It is gone: forget what you have of it.' })
  readonly deleted: boolean;

  @Shown(() => DateTimeScalar, { description: 'When it was stored.' })
  readonly at: Date;

  @Shown(() => Challenge, { nullable: true, description: 'challenge: as it is now.' })
  readonly challenge?: Challenge | null;

  @Shown(() => ImportedGame, { nullable: true, graphqlOnly: true, description: 'import: the game.' })
  readonly importedGame?: ImportedGame | null;

  @Shown(() => Rating, { nullable: true, description: 'rating: as it is now.' })
  readonly rating?: Rating | null;

  @Shown(() => User, { nullable: true, description: 'profile: yours as it is now.' })
  readonly profile?: User | null;

  @Shown(() => User, { nullable: true, description: 'block: whom you block.' })
  readonly blocked?: User | null;

  @Shown(() => Vacation, { nullable: true, description: 'vacation: as it is now; null for an old one.' })
  readonly vacation?: Vacation | null;

  @Shown(() => Notification, { nullable: true, description: 'notification: as it is now.' })
  readonly notification?: Notification | null;
}

@ObjectType({
  description: 'Your changes behind a cursor, the oldest first: each thing once, by its newest change.',
})
export class Changes {
  @Cost({ list: 'ofParent' })
  @Shown(() => [Change])
  readonly items: readonly Change[];

  @Shown(() => String, { description: 'For `since` of the next page or poll; also when there was nothing.' })
  readonly cursor: string;

  @Shown(() => Boolean, { description: 'Is there more already?' })
  readonly hasMore: boolean;
}

const orNull = (model: new () => unknown, description: string) => ({
  anyOf: [{ $ref: getSchemaPath(model) }, { type: 'object', nullable: true, enum: [null] }],
  description,
});

/** What a player keeps at his seat, in REST; in GraphQL fields of the game. */
export class ChangedSeat {
  @ApiProperty({ type: String, nullable: true, description: 'Your own note; null: there is none.' })
  readonly note: string | null;

  @ApiProperty({ type: Boolean, description: 'Are the messages of your opponent refused?' })
  readonly muted: boolean;
}

/** A change in REST, with what GraphQL resolves on demand. */
@ApiExtraModels(GameDocument, ImportedGameDocument, ChangedSeat)
export class ChangeDocument extends OmitType(Change, ['importedGame'] as const) {
  @ApiProperty(orNull(GameDocument, 'game: as it is now.'))
  readonly game: GameDocument | null;

  @ApiProperty(orNull(ImportedGameDocument, 'import: the game.'))
  readonly importedGame: ImportedGameDocument | null;

  @ApiProperty(orNull(ChangedSeat, 'seat: as it is now.'))
  readonly seat: ChangedSeat | null;
}

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
