import { ObjectType } from '@nestjs/graphql';
import { ApiSchema } from '@nestjs/swagger';
import { connectionOf } from '../../platform/contract/connection.js';
import { model, shown } from '../../platform/contract/model.js';
import { pageFields } from '../../platform/contract/paginated.js';
import { Game, GameDocument } from '../games/games.model.js';

const EXTERNAL_ID = shown(String, {
  nullable: true,
  description: "The application's own name for the game; null for one that its players began themselves.",
  example: 'round-3-board-7',
});

@ObjectType({ description: 'A game of your application.' })
export class OwnGame extends model({
  externalId: EXTERNAL_ID,
  game: shown(Game, { description: 'The game, as everybody sees it.' }),
}) {}

/** The same in REST. */
@ApiSchema({ description: 'A game of your application.' })
export class OwnGameDocument extends model({
  externalId: EXTERNAL_ID,
  game: shown(GameDocument, { description: 'The game, as everybody sees it.' }),
}) {}

@ObjectType({ description: 'A page of the games of your application.' })
export class OwnGameConnection extends model(
  connectionOf(OwnGame, 'A game on a page.', { edgeName: 'OwnGameEdge' }),
) {}

@ApiSchema({ description: 'Games of your application, the one begun first first.' })
export class OwnGamePage extends model(pageFields(OwnGameDocument)) {}
