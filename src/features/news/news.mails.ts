import { Injectable } from '@nestjs/common';
import { sizeOf } from '../../boards/board.js';
import { descriptionOf } from '../../boards/words.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { Time } from '../../platform/process/time.js';
import { BoardsService } from '../boards/boards.service.js';
import type { Letter, MailedBoard } from '../delivery/letter.js';
import { Outbox, type Sending } from '../delivery/outbox.js';
import { CurrentNews, type ToldGame, type Told } from './current-news.js';
import { kindOfNews, NEWS_KINDS } from './news-kinds.js';
import type { PostedItem } from './news.row.js';
import { NewsStore } from './news.store.js';
import { STOP_WORDS, subjectOf } from './news-words.js';
import { Unsubscribing } from './unsubscribing.js';

/** As wide as a telephone. */
const BOARD_SIZE = 360;
/** A digest of more stays small enough for every mailbox. */
const MOST_BOARDS = 10;

/** Writes the mails of news, of what is still so when they are sent. */
@Injectable()
export class NewsMails {
  constructor(
    private readonly store: NewsStore,
    private readonly current: CurrentNews,
    private readonly boards: BoardsService,
    private readonly unsubscribing: Unsubscribing,
    private readonly own: OwnAddress,
    time: Time,
    outbox: Outbox,
  ) {
    outbox.write('news', (sending) => this.mail(sending), {
      isBulk: true,
      bounced: (userId, email) => store.switchOff(userId, email, time.now()),
    });
  }

  private async mail({ userId, about }: Sending<'news'>): Promise<{ to: string; letter: Letter } | null> {
    const reach = await this.store.reachOf(userId!);
    if (reach.email === null || reach.emailOffAt !== null) return null;
    const told = await this.current.of(userId!, 'mail', about.items as readonly PostedItem[]);
    return told.length === 0 ? null : { to: reach.email, letter: await this.letter(userId!, told) };
  }

  private async letter(userId: string, told: readonly Told[]): Promise<Letter> {
    const items = told.flatMap((each) => each.items);
    const kinds = NEWS_KINDS.filter((kind) => items.some(({ type }) => kindOfNews(type) === kind));
    const boards = await this.drawn(told, userId);
    const stops = kinds.map((kind) => ({
      small: STOP_WORDS[kind],
      link: this.unsubscribing.url({ userId, kinds: [kind] }),
    }));
    return {
      subject: subjectOf(items),
      parts: [
        ...told.flatMap(({ text, path, game }, i) => {
          const board = boards[i];
          const link = {
            words: `Open the ${game === null ? 'challenge' : 'game'}`,
            link: this.own.url(path),
          };
          return board === undefined ? [text, link] : [text, { board }, link];
        }),
        ...stops,
      ],
      unsubscribeUrl: this.unsubscribing.url({ userId, kinds }),
    };
  }

  /** One after the other: a mail is in no hurry. */
  private async drawn(told: readonly Told[], userId: string): Promise<readonly (MailedBoard | undefined)[]> {
    const boards: (MailedBoard | undefined)[] = [];
    for (const { game } of told) {
      const isDrawn = game !== null && boards.filter(Boolean).length < MOST_BOARDS;
      boards.push(isDrawn ? await this.board(game, userId) : undefined);
    }
    return boards;
  }

  /** What everybody sees of the game, from the seat of its player. */
  private async board({ row, seat }: ToldGame, userId: string): Promise<MailedBoard> {
    const picture = this.boards.ofGame(row, null);
    const look = this.boards.look({ orientation: seat, size: BOARD_SIZE });
    const waiting = { client: { address: 'mail', user: userId }, stopIfGone: () => undefined };
    const png = await this.boards.draw('png', picture, look, waiting);
    return { png, width: sizeOf(picture.ruleset, BOARD_SIZE).width, words: descriptionOf(picture) };
  }
}
