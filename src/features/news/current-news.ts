import { Injectable } from '@nestjs/common';
import { EngineService } from '../../engine/engine.service.js';
import { Time } from '../../platform/process/time.js';
import { opponent, type Player } from '../../rules/ruleset.js';
import { playerOf, userOf, type ShownGame } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { UsersService } from '../users/users.service.js';
import { choicesFor, DEFAULT_WISHES, kindOfNews, type NewsChannel, type NewsWishes } from './news-kinds.js';
import type { PostedItem } from './news.row.js';
import { NewsStore } from './news.store.js';
import { momentIn, ofChallenge, ofGame } from './news-words.js';

/** A game, and the seat of the user who is told of it. */
export interface ToldGame {
  readonly row: ShownGame;
  readonly seat: Player;
}

/** What is still news of one game or challenge, in sentences. */
export interface Told {
  readonly items: readonly PostedItem[];
  readonly text: string;
  /** Of the page that shows it. */
  readonly path: string;
  /** Null of a challenge. */
  readonly game: ToldGame | null;
}

/** What was posted as news, as far as it still is when it is told. */
@Injectable()
export class CurrentNews {
  constructor(
    private readonly store: NewsStore,
    private readonly games: GamesService,
    private readonly users: UsersService,
    private readonly engine: EngineService,
    private readonly time: Time,
  ) {}

  async of(userId: string, channel: NewsChannel, posted: readonly PostedItem[]): Promise<readonly Told[]> {
    const wishes = (await this.store.wishesOf(userId)) ?? DEFAULT_WISHES;
    const choices = choicesFor(channel, wishes);
    const wanted = posted.filter(({ type }) => choices[kindOfNews(type)] !== 'never');
    const unread = new Set(
      (await this.store.unread(userId, wanted)).map(({ gameId, type }) => `${gameId} ${type}`),
    );
    const isKnown = ({ type, gameId }: PostedItem) =>
      type === 'yourTurn' || type === 'reminder' || unread.has(`${gameId} ${type}`);
    const known = wanted.filter(isKnown);
    const told: Told[] = [];
    for (const id of new Set(known.map(({ gameId }) => gameId))) {
      const items = known.filter(({ gameId }) => gameId === id);
      const one = await this.toldOf(userId, id, items, wishes);
      if (one !== null && one.items.length > 0) told.push(one);
    }
    return told;
  }

  private async toldOf(
    userId: string,
    id: string,
    items: readonly PostedItem[],
    wishes: NewsWishes,
  ): Promise<Told | null> {
    const row = await this.games.found(id);
    return row === null ? this.toldOfChallenge(id, items) : this.toldOfGame(userId, row, items, wishes);
  }

  private async toldOfChallenge(id: string, items: readonly PostedItem[]): Promise<Told | null> {
    const [open] = await this.store.challenges([id], this.time.now());
    const still = items.filter(({ type }) => type === 'challengeAnswered' || open !== undefined);
    const from = open === undefined ? null : await this.nameOf(open.creatorId);
    const game = open === undefined ? '' : this.engine.ruleset(open.ruleset).name;
    const sentences = still.map(({ type }) => ofChallenge(type, from, game));
    return { items: still, text: sentences.join(' '), path: `/challenges/${id}`, game: null };
  }

  private async toldOfGame(
    userId: string,
    row: ShownGame,
    items: readonly PostedItem[],
    wishes: NewsWishes,
  ): Promise<Told | null> {
    const seat = playerOf(row, userId);
    if (seat === null) return null;
    const isReminded = items.some((item) => item.type === 'reminder' && this.isSo(item, row, userId));
    const still = items.filter(
      (item) => this.isSo(item, row, userId) && !(isReminded && item.type === 'yourTurn'),
    );
    const names = {
      game: this.engine.ruleset(row.ruleset).name,
      other: await this.nameOf(userOf(row, opponent(seat))),
    };
    const until = row.deadlineAt === null ? null : momentIn(row.deadlineAt, wishes.timeZone);
    const sentences = still.map(({ type }) => ofGame(type, { ...names, row, seat, until }));
    const text = [...new Set(sentences)].join(' ');
    return { items: still, text, path: `/games/${row.id}`, game: { row, seat } };
  }

  /** Whether something that was posted is still so. */
  private isSo({ type, ply, at }: PostedItem, row: ShownGame, userId: string): boolean {
    const isTurn = row.turn !== null && userOf(row, row.turn) === userId;
    if (type === 'yourTurn') return isTurn && row.plyCount === ply;
    if (type === 'reminder') return isTurn && row.deadlineAt?.getTime() === at;
    // Nobody has to be told who has moved in it.
    if (type === 'gameStarted') return row.endedAt === null && row.plyCount < 2;
    return (
      type === 'gameOver' || type === 'message' || type.startsWith('conditional') || row.endedAt === null
    );
  }

  /** The username, which holds nothing that a mail program takes for an address, and no markup or line break. */
  private async nameOf(id: string): Promise<string> {
    const user = await this.users.one(id);
    return user.closed || user.username === null ? 'your opponent' : user.username;
  }
}
