import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import { drawBoard, styleOf, USUAL } from '../boards/board.js';
import { CHARACTERS } from '../boards/characters.js';
import { FIGURES } from '../boards/figures.js';
import type { Picture } from '../boards/picture.js';
import { escaped } from '../boards/svg.js';
import { spokenOf } from '../boards/words.js';
import { BoardsService } from '../features/boards/boards.service.js';
import type { Seated, ShownGame } from '../features/games/game.row.js';
import { boardUrl } from '../features/games/game-url.js';
import { GamesService } from '../features/games/games.service.js';
import { fullNameOf } from '../features/users/users.model.js';
import { OwnAddress } from '../platform/http/own-address.js';

/** The page of a game with the position that anybody may see in it: the first board, and what is shown of a shared link. */

/** A page without a board is better than one that comes late. */
const PATIENCE_MS = 500;

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

function standingOf({ reason, winner, turn }: ShownGame, names: Seated<string>): string {
  if (reason === 'aborted') return 'The game was aborted.';
  if (reason !== null) return winner === null ? 'The game is a draw.' : `${names[winner]} won.`;
  return turn === null ? 'The game waits for its draw.' : `${names[turn]} is to move.`;
}

/** Makes the pages of games from the page for all addresses. Gives null for what is no game, and for what comes late. */
export function gamePages(app: INestApplication, plain: string): (id: string) => Promise<string | null> {
  const [games, boards, address] = [app.get(GamesService), app.get(BoardsService), app.get(OwnAddress)];

  async function pageOf(id: string): Promise<string | null> {
    const row = await games.found(id);
    if (row === null) return null;
    const { first, second } = await games.players(row);
    const names = { first: escaped(fullNameOf(first)), second: escaped(fullNameOf(second)) };
    const picture = boards.ofGame(row, null);
    const title = `${picture.ruleset.name}: ${names.first} against ${names.second}`;
    const standing = standingOf(row, names);
    const image = escaped(boardUrl(address, row).replace('.svg', '.png'));
    const head = `<title>${title} - Halfmove</title>
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${standing} Plies played: ${row.plyCount}." />
    <meta property="og:image" content="${image}" />
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
          <p part="player"><strong>${names.second}</strong></p>
          ${drawingOf(picture)}
          <p part="turn">${standing}</p>
          <p part="player"><strong>${names.first}</strong></p>
        </template></p>
      </main>
    </div>`);
    // Functions, since a name may contain what is special in a replacement.
    return plain.replace('<title>Halfmove</title>', () => head).replace('<div id="page"></div>', () => body);
  }

  return (id) => Promise.race([pageOf(id), pause(PATIENCE_MS, null, { ref: false })]);
}
