import { ID, Int, ObjectType } from '@nestjs/graphql';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { TimeControl } from '../games/clocks.model.js';
import { Outcome } from '../games/games.model.js';
import { PlayerEnum, StatusEnum } from '../games/enums.model.js';
import { connectionOf } from '../../platform/connection.js';
import { DateTimeScalar, JsonScalar } from '../../platform/graphql/scalars.js';
import { Shown } from '../../platform/model.js';
import { PageInfo } from '../../platform/page.js';
import { User } from '../users/users.model.js';
import type { ImportRow } from './import.row.js';

/** What leaves the server about imported games. What a text says nobody has checked but the moves and the end. */

@ObjectType({ description: 'Who played, as the text names them: no users of this server.' })
export class ImportedPlayers {
  @Shown(() => String, { nullable: true })
  readonly first: string | null;

  @Shown(() => String, { nullable: true })
  readonly second: string | null;
}

@ObjectType({ description: 'A ply of an imported game.' })
export class ImportedPly {
  @Shown(() => Int, { description: 'Its number, from 1.' })
  readonly ply: number;

  @Shown(() => PlayerEnum)
  readonly player: keyof typeof PlayerEnum;

  @Shown(() => String, { example: 'e2e4' })
  readonly move: string;

  @Shown(() => String, { nullable: true, description: 'Letter of the piece that it turned up.' })
  readonly reveals: string | null;

  @Shown(() => String, { nullable: true, description: 'Letter of the piece that it captured.' })
  readonly captured: string | null;

  @Shown(() => String, { description: 'As people write it.', example: 'e4' })
  readonly san: string;

  @Shown(() => Int, { nullable: true, description: 'Whole seconds that its player had left after it.' })
  readonly clock: number | null;

  @Shown(() => Boolean, { description: 'Was it a conditional move?' })
  readonly automatic: boolean;
}

@ObjectType({ description: 'A page of plies (Relay).' })
export class ImportedPlyConnection extends connectionOf(ImportedPly, 'A ply in a page.') {
  @Shown(() => Int, { description: 'All plies of the game.' })
  readonly totalCount: number;
}

@ObjectType({
  description:
    'A game that was played elsewhere and brought here as a text. It is over, and touches nothing that was played here.',
})
export class ImportedGame {
  @Shown(() => ID)
  readonly id: string;

  @Shown(() => Boolean, { description: 'Always true: it was not played here.' })
  readonly imported: true;

  @Shown(() => DateTimeScalar)
  readonly importedAt: Date;

  @Shown(() => String, { example: 'chess' })
  readonly ruleset: string;

  @Shown(() => JsonScalar, { description: 'Complete, with the defaults.' })
  readonly options: Readonly<Record<string, unknown>>;

  @Shown(() => String, { nullable: true, description: 'The opening set-up, where the game has one.' })
  readonly setup: string | null;

  @Shown(() => Int, { nullable: true, description: 'The published number of setup.', example: 4242 })
  readonly setupNumber: number | null;

  @Shown(() => String, {
    nullable: true,
    description: 'The position that the plies begin from; null: the ordinary start, or that of setup.',
  })
  readonly start: string | null;

  @Shown(() => String, {
    nullable: true,
    description: 'The letters that lay face-down in start, where the text says them.',
  })
  readonly faceDown: string | null;

  @Shown(() => Boolean, { description: 'Always false.' })
  readonly rated: false;

  @Shown(() => StatusEnum, { description: 'finished, or aborted where the text says that.' })
  readonly status: keyof typeof StatusEnum;

  @Shown(() => Outcome, {
    description:
      'By the rules where they see the end, else by the text; docs/formats.md tells what follows from it.',
  })
  readonly outcome: Outcome;

  @Shown(() => ImportedPlayers)
  readonly players: ImportedPlayers;

  @Shown(() => String, { nullable: true, description: 'The id that the text gives the game.' })
  readonly originalId: string | null;

  @Shown(() => String, { nullable: true })
  readonly event: string | null;

  @Shown(() => String, { nullable: true })
  readonly site: string | null;

  @Shown(() => String, { nullable: true })
  readonly round: string | null;

  @Shown(() => String, {
    nullable: true,
    description: 'As 2026.01.31, with ? for what is not known; null: the day of startedAt, or not known.',
  })
  readonly date: string | null;

  @Shown(() => TimeControl, {
    nullable: true,
    description: 'Null: not known, or none of these; then it stands in tags.',
  })
  readonly timeControl: TimeControl | null;

  @Shown(() => DateTimeScalar, { nullable: true })
  readonly startedAt: Date | null;

  @Shown(() => DateTimeScalar, { nullable: true })
  readonly endedAt: Date | null;

  @Shown(() => JsonScalar, {
    description: 'Further tags of the text, by their names.',
    rest: { type: 'object', additionalProperties: { type: 'string' } },
  })
  readonly tags: Readonly<Record<string, string>>;

  @Shown(() => Int)
  readonly plyCount: number;

  @Shown(() => String, { description: 'After the last ply, as FEN or its like.' })
  readonly position: string;

  /** Where the fields that are resolved on demand start from; in no schema. */
  readonly row: ImportRow;
}

@ObjectType({ description: 'A page of imported games (Relay).' })
export class ImportedGameConnection extends connectionOf(ImportedGame, 'An imported game in a page.') {}

/** An imported game as one document of REST, with what GraphQL resolves on demand. */
export class ImportedGameDocument extends OmitType(ImportedGame, ['row'] as const) {
  @ApiProperty({ type: User })
  readonly importedBy: User;
}

/** A page of imported games in REST. */
export class ImportedGamePage {
  @ApiProperty({ type: [ImportedGameDocument] })
  readonly games: readonly ImportedGameDocument[];

  @ApiProperty({ type: PageInfo })
  readonly pageInfo: PageInfo;
}
