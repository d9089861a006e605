import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { sizeOf } from '../boards/board.js';
import { escaped } from '../boards/svg.js';
import { frameUrl, gameUrl, pngUrl } from '../features/games/game-url.js';
import { GamesService } from '../features/games/games.service.js';
import { badInput, DomainError } from '../platform/errors/errors.js';
import { OwnAddress } from '../platform/http/own-address.js';
import { answerProblem, problemOf } from '../platform/http/problem.filter.js';
import { EngineService } from '../engine/engine.service.js';
import { shown } from '../rules/shown.js';
import { nameIn, titleOf } from './game-words.js';

/** What a blog or a chat shows for the address of a game, by oEmbed (https://oembed.com): its frame. */

/** As in docs/embedding.md. */
const FRAME = { width: 480, height: 720 };
const PICTURE = { usual: 400, least: 64 };
const NOT_IMPLEMENTED = 501;

type Asked = Readonly<Record<'url' | 'format' | 'maxwidth' | 'maxheight', unknown>>;

/** The pixels that a page has room for; `usual` where it does not say. */
function within(asked: Asked, name: 'maxwidth' | 'maxheight', usual: number): number {
  const given = asked[name];
  if (given === undefined) return usual;
  if (typeof given === 'string' && /^[1-9]\d{0,5}$/.test(given)) return Math.min(Number(given), usual);
  throw badInput(name, `${name} must be a whole number of pixels from 1 to 999999; got ${shown(given)}.`);
}

/** The address of a game on this server, as a consumer should send it. */
const formOf = (games: string): string => `the address of the page of a game on this server: ${games}ID`;

const unknown = (url: string, games: string): DomainError =>
  new DomainError('NOT_FOUND', `There is no game at ${shown(url)}. Ask with ${formOf(games)}.`, {
    field: 'url',
  });

/** The id in such an address; it may be no game's. */
function idIn(url: string, games: string): string {
  if (!URL.canParse(url)) throw badInput('url', `url must be ${formOf(games)}; got ${shown(url)}.`);
  const { origin, pathname } = new URL(url);
  const { href } = new URL(games);
  const path = `${origin}${pathname}`;
  return path.startsWith(href) ? path.slice(href.length).replace(/\/$/, '') : '';
}

const frameOf = (src: string, title: string, { width, height }: typeof FRAME): string =>
  `<iframe src="${escaped(src)}" title="${escaped(title)}" width="${width}" height="${height}" frameborder="0" loading="lazy" ` +
  'referrerpolicy="no-referrer" sandbox="allow-scripts allow-same-origin allow-popups"></iframe>';

export function mountOembed(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const [games, engine, address] = [app.get(GamesService), app.get(EngineService), app.get(OwnAddress)];

  async function answer(asked: Asked): Promise<object> {
    const pages = address.url('/games/');
    const url = typeof asked.url === 'string' ? asked.url : '';
    const id = idIn(url, pages);
    const width = within(asked, 'maxwidth', FRAME.width);
    const height = within(asked, 'maxheight', FRAME.height);
    const row = await games.found(id);
    if (row === null) throw unknown(url, pages);
    const { first, second } = await games.players(row);
    const ruleset = engine.ruleset(row.ruleset);
    const title = titleOf(ruleset.name, { first: nameIn(first), second: nameIn(second) });
    const size = Math.min(PICTURE.usual, width, height);
    const picture = sizeOf(ruleset, size);
    return {
      version: '1.0',
      type: 'rich',
      title,
      provider_name: 'Halfmove',
      provider_url: address.url('/'),
      url: gameUrl(address, row.id),
      html: frameOf(frameUrl(address, row.id), title, { width, height }),
      width,
      height,
      // No smaller one is drawn.
      ...(size >= PICTURE.least && {
        thumbnail_url: pngUrl(address, row, size),
        thumbnail_width: picture.width,
        thumbnail_height: picture.height,
      }),
    };
  }

  const refuse = (reply: FastifyReply, error: DomainError, status: number) =>
    reply
      .code(status)
      .type('application/problem+json')
      .send(problemOf(error, reply.request.id, status));

  fastify.get<{ Querystring: Asked }>('/oembed', async ({ query }, reply) => {
    // Any page may ask, whatever CORS_ORIGINS says: the answer is about the frame, not what a program may read.
    void reply.header('access-control-allow-origin', '*');
    const { format = 'json' } = query;
    if (format !== 'json') {
      const wrong = `format must be json; got ${shown(format)}. This server writes no other format.`;
      return refuse(reply, badInput('format', wrong), NOT_IMPLEMENTED);
    }
    try {
      return await reply.send(await answer(query));
    } catch (error) {
      return answerProblem(reply, error);
    }
  });
}
