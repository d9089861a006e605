import { readdirSync } from 'node:fs';
import type { INestApplication } from '@nestjs/common';
import { drawBoard, sizeOf, styleOf, USUAL } from '../boards/board.js';
import { CHARACTERS } from '../boards/characters.js';
import { FIGURES } from '../boards/figures.js';
import type { Picture } from '../boards/picture.js';
import { escaped } from '../boards/svg.js';
import { descriptionOf, spokenOf } from '../boards/words.js';
import { BoardsService } from '../features/boards/boards.service.js';
import type { PlyRow, Seated, ShownGame } from '../features/games/game.row.js';
import { gameUrl, oembedUrl, pngUrl } from '../features/games/game-url.js';
import { ALL_PLIES, GamesService } from '../features/games/games.service.js';
import { EngineService } from '../engine/engine.service.js';
import { RatingsService } from '../features/ratings/ratings.service.js';
import { OwnAddress } from '../platform/http/own-address.js';
import { movesOf, nameIn, seatName, standingOf, timeOf, titleOf } from './game-words.js';

/** The page of a game with the position that anybody may see in it: the first board, and what is shown of a shared link. */

const ASSETS = readdirSync(new URL('../../dist/web/assets/', import.meta.url));
/** How the chunks of packages/elements/src/board/outlines.ts begin. */
const CHUNKS = { chess: 'figures-', chinese: 'characters-' };

/** The outlines that the script will ask for when it has read the game. */
function chunkOf({ ruleset }: Picture): string {
  const [, set] = styleOf(ruleset);
  return ASSETS.find((name) => name.startsWith(CHUNKS[set]))!;
}

/** As the script draws it, with text for the signs beside the board. */
const OUTLINES = { figures: FIGURES, characters: CHARACTERS };

const drawingOf = (picture: Picture): string =>
  drawBoard(picture, { ...USUAL, theme: 'page' }, OUTLINES, {}, spokenOf(picture)).replace(
    '<svg',
    '<svg part="drawn"',
  );

const unspaced = (html: string): string => html.replaceAll(/\n */g, '');

const PLAYERS = ['first', 'second'] as const;

/** Where links are shared; a smaller picture would be shown as an icon by some. */
const PREVIEW_SIZE = 600;

/** What is said of a game at the place where its link is shared. */
function previewOf(address: OwnAddress, row: ShownGame, picture: Picture, said: Said): string {
  const { width, height } = sizeOf(picture.ruleset, PREVIEW_SIZE);
  const properties = {
    'og:title': said.title,
    'og:description': `${said.standing} Plies played: ${row.plyCount}.`,
    'og:type': 'website',
    'og:site_name': 'Halfmove',
    'og:url': gameUrl(address, row.id),
    'og:image': pngUrl(address, row, PREVIEW_SIZE),
    'og:image:type': 'image/png',
    'og:image:width': String(width),
    'og:image:height': String(height),
    'og:image:alt': `${picture.ruleset.name}: ${picture.caption}`,
  };
  const tags = Object.entries(properties).map(
    ([name, content]) => `<meta property="${name}" content="${escaped(content)}" />`,
  );
  const found = `type="application/json+oembed" href="${escaped(oembedUrl(address, row.id))}" title="${escaped(said.title)}"`;
  return [
    ...tags,
    '<meta name="twitter:card" content="summary" />',
    `<link rel="alternate" ${found} />`,
  ].join('');
}

interface Said {
  readonly title: string;
  readonly standing: string;
}

/** What only a page without script shows, which cannot ask for it. */
function readable(
  row: ShownGame,
  picture: Picture,
  standing: string,
  { holders, plies }: { readonly holders: Seated<string>; readonly plies: readonly PlyRow[] },
): string {
  const facts = [
    ...Object.entries(holders).map(([seat, holder]) => [seat, holder] as const),
    ['Rules', picture.ruleset.name],
    ['Time', timeOf(row.timeControl)],
    ['Kind', row.rated ? 'rated' : 'casual'],
    [row.reason === null ? 'Now' : 'Result', standing],
    ['Moves', plies.length === 0 ? 'none' : movesOf(plies)],
    ['Position', descriptionOf(picture)],
  ];
  const list = facts.map(([name, text]) => `<dt>${escaped(name)}</dt><dd>${escaped(text)}</dd>`).join('');
  return `<noscript><dl>${list}</dl><p>With JavaScript this page is live, and its players move in it.</p></noscript>`;
}

/** Makes the pages of games from the page for all addresses. Gives null for what is no game. */
export function gamePages(app: INestApplication, plain: string): (id: string) => Promise<string | null> {
  const [games, boards, address] = [app.get(GamesService), app.get(BoardsService), app.get(OwnAddress)];
  const [engine, ratings] = [app.get(EngineService), app.get(RatingsService)];

  /** The ratings that the game changed, or those of now. */
  async function ratingsOf(row: ShownGame): Promise<Seated<string>> {
    const none = { first: '', second: '' };
    const changes = row.endedAt === null ? null : await ratings.changesOf(row.id);
    for (const { player, ratingBefore, rating } of changes ?? [])
      none[player] = `, rating ${Math.round(ratingBefore)}, now ${Math.round(rating)}`;
    if (changes !== null || row.applicationId !== null) return none;
    const now = await ratings.of([row.firstId, row.secondId], row.ruleset);
    for (const player of PLAYERS) {
      const { games: rated, rating, provisional } = now.get(row[`${player}Id`])!;
      if (rated > 0) none[player] = `, rating ${Math.round(rating)}${provisional ? '?' : ''}`;
    }
    return none;
  }

  async function pageOf(id: string): Promise<string | null> {
    const row = await games.found(id);
    if (row === null) return null;
    const [players, rated, plies] = await Promise.all([
      games.players(row),
      ratingsOf(row),
      games.plies(row, false, ALL_PLIES),
    ]);
    const names = { first: nameIn(players.first), second: nameIn(players.second) };
    const picture = boards.ofGame(row, null);
    const said = { title: titleOf(picture.ruleset.name, names), standing: standingOf(row, names) };
    const [title, standing] = [escaped(said.title), escaped(said.standing)];
    const sides = engine.sides(row);
    const holders = Object.fromEntries(PLAYERS.map((seat) => [seatName(sides[seat], seat), names[seat] + rated[seat]])) as Seated<string>; // prettier-ignore
    const head = `<title>${title} - Halfmove</title>
    ${previewOf(address, row, picture, said)}
    <link rel="modulepreload" href="/assets/${chunkOf(picture)}" />`;
    // The script takes these elements for its first drawing, and leaves the shadow in place until it shows the game.
    // Without texts between them, so that it moves none, as that would take the focus from a link.
    const body = unspaced(`<div id="page">
      <header>
        <a href="/" class="name">Halfmove</a>
        <nav aria-label="Account"><a href="/sign-in">Sign in</a><a href="/sign-up">Create an account</a></nav>
      </header>
      <main>
        <h1>${title}</h1>
        <p class="trouble"></p>
        <p><template shadowrootmode="open">
          <p part="player"><strong>${escaped(names.second)}</strong></p>
          ${drawingOf(picture)}
          <p part="turn">${standing}</p>
          <p part="player"><strong>${escaped(names.first)}</strong></p>
        </template></p>
      </main>
    </div>`);
    // Functions, since a name may contain what is special in a replacement.
    return plain
      .replace('<title>Halfmove</title>', () => head)
      .replace('<div id="page"></div>', () => body)
      .replace(/<noscript>.*<\/noscript>/, () => readable(row, picture, said.standing, { holders, plies }));
  }

  return pageOf;
}
