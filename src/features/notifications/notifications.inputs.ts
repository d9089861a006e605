import { ArgsType, Field, ID } from '@nestjs/graphql';
import { Transform } from 'class-transformer';
import { IsArray, IsBoolean, IsDate, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Given } from '../../platform/model.js';
import { PageArgs } from '../../platform/page.inputs.js';
import { flagOf, momentOf } from '../../platform/texts.js';
import { NOTIFICATION_ID } from './notifications.model.js';

/** What comes in about notifications. */

const MOST_OF_A_TEXT = 500;

@ArgsType()
export class NotificationsArgs extends PageArgs {
  @Field(() => Boolean, { nullable: true, defaultValue: false, description: 'Only what is unread.' })
  @IsBoolean({ message: 'unread must be true or false' })
  @IsOptional()
  @Transform(flagOf)
  readonly unread?: boolean | null;
}

/** Exactly one of them is given. */
@ArgsType()
export class MarkReadInput {
  @Given(() => [ID], {
    nullable: true,
    description: 'These, up to 100.',
    rest: { type: String },
    example: [NOTIFICATION_ID],
  })
  @MaxLength(MOST_OF_A_TEXT, { each: true })
  @IsString({ each: true })
  @IsArray()
  readonly ids?: string[] | null;

  @Given(() => ID, { nullable: true, description: 'All from this game.' })
  @IsUUID()
  readonly gameId?: string | null;

  @Given(() => DateTimeScalar, {
    nullable: true,
    description: 'All up to this moment: the createdAt of the newest that you have shown.',
  })
  @IsDate({ message: 'before must be a moment, written as 2026-01-31T12:00:00.000Z' })
  @Transform(momentOf)
  readonly before?: Date | null;
}
