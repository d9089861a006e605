import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PAGES } from './blocks.js';

/** The links between the pages and the citations in the code lead somewhere, and nothing is hidden from the index. */

const contentOf = (page: string): string => readFileSync(page, 'utf8').replaceAll(/^ *```[^]*?^ *```$/gm, '');

const slug = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

const anchorsOf = (page: string): readonly string[] =>
  [...contentOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slug(heading!));

interface Link {
  readonly page: string;
  readonly target: string;
}

const LINKS: readonly Link[] = PAGES.flatMap((page) =>
  [...contentOf(page).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)].map(([, md, html]) => ({
    page,
    target: (md ?? html)!,
  })),
).filter(({ target }) => !/^[a-z]+:/.test(target));

test.each(PAGES)('the links of %s lead somewhere', (page) => {
  const dead = LINKS.filter((link) => link.page === page).filter(({ target }) => {
    const [path, anchor] = target.split('#') as [string, string?];
    const file = path === '' ? page : join(dirname(page), path);
    if (!existsSync(file)) return true;
    return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor);
  });
  expect(dead.map(({ target }) => target)).toEqual([]);
});

const CODE = ['src', 'test', 'bench', 'scripts', 'packages', 'examples']
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))))
  .filter((file) => /\.(ts|mjs)$/.test(file) && !/(^|\/)(generated|node_modules|dist)\//.test(file));

/** A page with the headings named after it: docs/fairness.md, "The chain", "The record". */
const CITATION = /\b(docs\/[\w/-]+\.md)((?:, (?:and )?"[^"]+")*)/g;

test('comments cite pages and headings that exist', () => {
  const dead = CODE.flatMap((file) => {
    const text = readFileSync(file, 'utf8').replaceAll(/\s*\n\s*(?:\*|\/\/) ?/g, ' ');
    return [...text.matchAll(CITATION)].flatMap(([, page, names]) => {
      if (!existsSync(page!)) return [`${file}: ${page}`];
      const anchors = anchorsOf(page!);
      const headings = [...names!.matchAll(/"([^"]+)"/g)].map(([, heading]) => heading!);
      const missing = headings.filter((heading) => !anchors.includes(slug(heading)));
      return missing.map((heading) => `${file}: ${page}, "${heading}"`);
    });
  });
  expect(dead).toEqual([]);
});

test('every page of docs/ is in the index', () => {
  const listed = LINKS.filter(({ page }) => page === 'docs/README.md').map(({ target }) => `docs/${target}`);
  const pages = PAGES.filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== 'docs/README.md');
  expect(pages.filter((page) => !listed.includes(page))).toEqual([]);
});

test('README.md has at most 1,200 words', () => {
  const words = readFileSync('README.md', 'utf8')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  expect(words.length).toBeLessThanOrEqual(1200);
});

test('every page begins with who it is for', () => {
  const beginning = (page: string) => readFileSync(page, 'utf8').split('\n').slice(1, 8).join('\n');
  const pages = PAGES.filter((page) => page.startsWith('docs/'));
  expect(pages.filter((page) => !/\bfor\b/i.test(beginning(page)))).toEqual([]);
});
