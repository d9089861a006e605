import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** What a browser loads before a game can be played, as it is sent: the goal was 30,000 bytes for chess; what keeps proof added 600, and no change adds to it unseen. */

const ASSETS = 'dist/web/assets';
const MOST = { chess: 30_650, chinese: 33_100, element: 49_000 };

const bytesOf = (path: string): number => gzipSync(readFileSync(path), { level: 9 }).length;

/** The script of the document and all that it imports at once, not what it reads later. */
function firstFiles(): ReadonlySet<string> {
  const [, entry] = /src="[^"]*\/(index-[^"]+\.js)"/.exec(readFileSync('dist/web/index.html', 'utf8'))!;
  const found = new Set([entry!]);
  for (const name of found)
    for (const [, next] of readFileSync(`${ASSETS}/${name}`, 'utf8').matchAll(
      /(?:from|import)"\.\/([^"]+)"/g,
    ))
      found.add(next!);
  return found;
}

const chunk = (name: string): string => readdirSync(ASSETS).find((file) => file.startsWith(`${name}-`))!;

test('the bytes of JavaScript until a game can be played are bounded', () => {
  const first = [...firstFiles()];
  const until = (outlines: string) =>
    [...first, chunk(outlines)].reduce((sum, name) => sum + bytesOf(`${ASSETS}/${name}`), 0);
  const bytes = {
    chess: until('figures'),
    chinese: until('characters'),
    element: bytesOf('packages/elements/dist/halfmove.js'),
  };
  process.stderr.write(`Bytes of JavaScript as gzip: ${JSON.stringify(bytes)}\n`);
  for (const [name, most] of Object.entries(MOST))
    expect(bytes[name as keyof typeof MOST]).toBeLessThan(most);
});
