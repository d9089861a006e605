import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import type { Range } from '../../platform/contract/page.js';
import type { Player } from '../../rules/ruleset.js';

export interface MessageRow {
  readonly id: string;
  readonly gameId: string;
  readonly player: Player;
  readonly text: string;
  readonly createdAt: Date;
}

/** A range of the messages of a game, by id. */
export type MessageRange = Range<string>;

/** A range of the messages of one of several games; size and end are the same for all. */
export interface MessagesOf extends Pick<MessageRange, 'after' | 'before'> {
  readonly gameId: string;
}

const SHOWN = { id: true, gameId: true, player: true, text: true, createdAt: true } as const;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

@Injectable()
export class MessagesStore {
  constructor(private readonly prisma: PrismaService) {}

  async find(id: string): Promise<MessageRow | null> {
    // The columns match the types: only this program writes them, and the database checks them.
    return (await this.prisma.db.message.findUnique({ where: { id }, select: SHOWN })) as MessageRow | null;
  }

  /** The messages of the games of an application, or of one of them, after the id `after`, in the order of their ids. */
  async ofApplication(
    applicationId: string,
    gameId: string | null,
    { after, limit }: Pick<MessageRange, 'after' | 'limit'>,
  ): Promise<readonly MessageRow[]> {
    const rows = await this.prisma.db.message.findMany({
      where: {
        applicationId,
        ...(gameId === null ? {} : { gameId }),
        ...(after == null ? {} : { id: { gt: after } }),
      },
      orderBy: { id: 'asc' },
      select: SHOWN,
      take: limit,
    });
    return rows as MessageRow[];
  }

  /** Stores a message in a game of an application, or of none, in one transaction with `beside`; null if that returns false. */
  insert(
    row: MessageRow,
    applicationId: string | null,
    beside: (tx: Transaction) => Promise<boolean>,
  ): Promise<MessageRow | null> {
    return this.prisma.transaction(async (tx) => {
      if (!(await beside(tx))) return null;
      await tx.message.create({ data: { ...row, applicationId }, select: { id: true } });
      return row;
    });
  }

  /** Whether messages can be written in the games of an application; it is not switched off before the transaction ends. */
  async hasChat(tx: Transaction, applicationId: string): Promise<boolean> {
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT FROM applications WHERE id = ${applicationId}::uuid AND chat FOR SHARE`;
    return rows.length > 0;
  }

  /** Whether messages can be written in the games of each of these applications. */
  async chats(ids: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
    const rows = await this.prisma.query<{ readonly id: string; readonly chat: boolean }[]>`
      SELECT id::text AS id, chat FROM applications WHERE id = ANY(${ids}::uuid[])`;
    return new Map(rows.map(({ id, chat }) => [id, chat]));
  }

  /** In the order of the requests; the messages of a game in the order of their ids and so of time. */
  async ofGames(
    asked: readonly MessagesOf[],
    { limit, fromEnd }: Pick<MessageRange, 'limit' | 'fromEnd'>,
  ): Promise<readonly (readonly MessageRow[])[]> {
    const rows = await this.prisma.query<(MessageRow & { readonly place: bigint })[]>`
      SELECT a.place, m.id::text AS id, m.game_id::text AS "gameId", m.player, m.text, m.created_at AS "createdAt"
      FROM unnest(${asked.map(({ gameId }) => gameId)}::uuid[], ${asked.map(({ after }) => after ?? FIRST_ID)}::uuid[],
                  ${asked.map(({ before }) => before ?? LAST_ID)}::uuid[])
        WITH ORDINALITY AS a(game_id, after, before, place)
      CROSS JOIN LATERAL (
        SELECT * FROM messages WHERE game_id = a.game_id AND id > a.after AND id < a.before
        ORDER BY id ${Prisma.raw(fromEnd ? 'DESC' : 'ASC')} LIMIT ${limit}
      ) m ORDER BY a.place, m.id`;
    const found = asked.map((): MessageRow[] => []);
    for (const { place, ...message } of rows) found[Number(place) - 1]!.push(message);
    return found;
  }
}
