import { Injectable } from '@nestjs/common';
import type { Viewer } from '../auth/viewer.js';
import { EngineService } from '../engine/engine.service.js';
import { DomainError } from '../platform/errors.js';
import {
  forwardPage,
  isCount,
  isMoment,
  isUuid,
  makeCursor,
  pageSize,
  readCursor,
  type PageRequest,
} from '../platform/page.js';
import { UsersService } from '../users/users.service.js';
import { outcomeOf, playerOf, type EventRow, type GameRow, type PlyRow } from './game.row.js';
import type * as model from './games.model.js';
import { GamesService } from './games.service.js';
import type { GameKey, GameList } from './games.store.js';

const PLIES_ON_A_PAGE = 100;
const GAMES_ON_A_PAGE = 20;

/** From rows to what leaves: the same for both transports. */
@Injectable()
export class GamesView {
  constructor(
    private readonly games: GamesService,
    private readonly engine: EngineService,
    private readonly users: UsersService,
  ) {}

  game(row: GameRow): model.Game {
    return { ...this.shown(row), row };
  }

  /** A whole game at one stroke, as REST shows it. */
  async document(row: GameRow, viewer: Viewer | null): Promise<model.GameDocument> {
    const [players, serverSeed] = await Promise.all([this.players(row), this.games.serverSeed(row)]);
    const observation = this.observation(row);
    return { ...this.shown(row), players, observation, serverSeed, you: this.seat(row, viewer) };
  }

  async players({ firstId, secondId }: GameRow): Promise<model.Players> {
    const [first, second] = await Promise.all([this.users.one(firstId), this.users.one(secondId)]);
    return { first, second };
  }

  seat(row: GameRow, viewer: Viewer | null): 'first' | 'second' | null {
    return viewer === null ? null : playerOf(row, viewer.userId);
  }

  observation(row: GameRow): model.Observation {
    const { check, captured, faceDown } = this.games.observe(row);
    const pieces = [...new Set(faceDown)];
    const count = (piece: string) => faceDown.split(piece).length - 1;
    return { check, captured, faceDown: pieces.map((piece) => ({ piece, count: count(piece) })) };
  }

  async events(row: GameRow): Promise<readonly model.GameEvent[]> {
    return (await this.games.events(row.id)).map(eventOf);
  }

  /** A page of the plies of a game, from either end. */
  async plies(row: GameRow, { first, after, last, before }: PageRequest): Promise<model.PlyConnection> {
    if (first != null && last != null) {
      throw new DomainError('BAD_INPUT', 'Give first or last, not both.', { field: 'last' });
    }
    const fromEnd = last != null;
    const size = fromEnd
      ? pageSize(last, 'last', PLIES_ON_A_PAGE)
      : pageSize(first, 'first', PLIES_ON_A_PAGE);
    const range = {
      after: seqOf(row, after, 'after'),
      before: seqOf(row, before, 'before'),
      limit: size + 1,
      fromEnd,
    };
    const rows = await this.games.plies(row.id, range);
    const page = fromEnd ? rows.slice(-size) : rows.slice(0, size);
    const edges = page.map((ply) => ({ cursor: plyCursor(ply), node: plyOf(ply) }));
    const more = rows.length > size;
    const pageInfo = {
      hasNextPage: fromEnd ? before != null : more,
      hasPreviousPage: fromEnd ? more : after != null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    };
    return { edges, pageInfo, totalCount: row.plyCount };
  }

  async mine(viewer: Viewer, list: GameList, { first, after }: PageRequest): Promise<model.GameConnection> {
    const size = pageSize(first, 'first', GAMES_ON_A_PAGE);
    const behind = after == null ? null : gameKeyOf(viewer, list, after);
    const rows = await this.games.ofUser(viewer.userId, list, behind, size + 1);
    const cursor = ({ lastActivityAt, id }: GameRow) =>
      makeCursor(mineKey(viewer, list), [lastActivityAt.getTime(), id]);
    return forwardPage(rows, size, behind !== null, cursor, (row) => this.game(row));
  }

  private shown(row: GameRow): PublicGame {
    return { ...publicOf(row), setupNumber: this.engine.setupNumber(row) };
  }
}

type PublicGame = Omit<model.Game, 'row'>;

const publicOf = (row: GameRow): Omit<PublicGame, 'setupNumber'> => ({
  id: row.id,
  ruleset: row.ruleset,
  options: row.options,
  setup: row.setup,
  timeControl: { seconds: null, ...row.timeControl },
  status: row.status,
  version: row.version,
  plyCount: row.plyCount,
  turn: row.turn,
  position: row.position,
  outcome: outcomeOf(row),
  turnStartedAt: row.turnStartedAt,
  deadlineAt: row.deadlineAt,
  termsHash: row.termsHash,
  headHash: row.headHash,
  commitment: row.commitment,
  dealRoot: row.dealRoot,
  clientSeeds: { first: row.firstClientSeed, second: row.secondClientSeed },
  clientSeedHash: row.clientSeedHash,
  awaitingSeed: row.status === 'pending',
  creator: row.creator,
  createdAt: row.createdAt,
  lastActivityAt: row.lastActivityAt,
  endedAt: row.endedAt,
});

const plyOf = ({ gameId: _game, ...ply }: PlyRow): model.Ply => ply;

const eventOf = ({ gameId: _game, ...event }: EventRow): model.GameEvent => event;

const plyCursor = ({ gameId, seq }: PlyRow): string => makeCursor(`plies ${gameId}`, [seq]);

function seqOf(row: GameRow, cursor: string | null | undefined, field: string): number | undefined {
  if (cursor == null) return undefined;
  const [seq] = readCursor(`plies ${row.id}`, cursor, field);
  if (isCount(seq)) return seq;
  throw new DomainError('INVALID_CURSOR', 'This is no cursor of this list.', { field });
}

const mineKey = (viewer: Viewer, list: GameList): string => `games ${viewer.userId} ${list}`;

function gameKeyOf(viewer: Viewer, list: GameList, cursor: string): GameKey {
  const [at, id] = readCursor(mineKey(viewer, list), cursor, 'after');
  if (isMoment(at) && isUuid(id)) return { lastActivityAt: new Date(at), id };
  throw new DomainError('INVALID_CURSOR', 'This is no cursor of this list.', { field: 'after' });
}
