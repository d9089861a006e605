import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { marked } from 'marked';

/** Makes modules of docs/rules/*.md for Vite: the text as data, since no text may become HTML in the browser. */

/** What is for those who write programs. */
const FOR_PROGRAMS = /^(?:The number of a set-up|How moves are written|Our decisions)$/;
const LISTS_OF_MOVES = /^(?:For players: |"?Legal\b|Losing\b|Written\b)/;

/** Of the index, what the pages refer to: the marks of the diagrams. */
const INDEX = 'README.md';
const OF_INDEX = 'In the diagrams';
/** Chinese is marked as such, so that it is read aloud in Chinese. */
const CHINESE = /\p{Script=Han}/u;
const CHINESE_PART = /(\p{Script=Han}[\p{Script=Han} （）]*(?<! ))/u;
const IN_CHINESE = { lang: 'zh-Hant' };
const TITLE = /^(.*?)(?: \((\p{Script=Han}.*)\))?$/u;

const RULE_PAGE = /^([\w-]+)\.md$/;

function addressOf(href) {
  if (href === `${INDEX}#in-the-diagrams`) return '/rules';
  const [, id] = RULE_PAGE.exec(href.replace(/#.*/, '')) ?? [];
  return id === undefined || href.startsWith(INDEX) ? null : `/rules/${id}`;
}

/** Leaves out the sections for programs, and of the index all but one. */
function forPlayers(tokens, isIndex) {
  const isShown = ({ text }) => (isIndex ? text === OF_INDEX : !FOR_PROGRAMS.test(text));
  let isIn = !isIndex;
  return tokens.filter((token) => {
    if (token.type === 'heading' && token.depth === 2) isIn = isShown(token);
    return isIn && !LISTS_OF_MOVES.test(token.text ?? '');
  });
}

export function rulePages() {
  return {
    name: 'rule-pages',
    transform(text, path) {
      if (!/\/docs\/rules\/[\w-]+\.md$/.test(path)) return undefined;
      const pictures = [];
      const node = (tag, children, more) => ({ tag, children, ...more });
      const all = (tokens) => tokens.map(nodeOf).filter((one) => one !== null);
      const inLanguages = (plain) => {
        const parts = plain.split(CHINESE_PART).filter((part) => part !== '');
        const nodes = parts.map((part) => (CHINESE.test(part) ? node('span', [part], IN_CHINESE) : part));
        return nodes.length === 1 ? nodes[0] : node('span', nodes);
      };
      const cells = (tag, row) => node('tr', row.map(({ tokens }) => node(tag, all(tokens)))); // prettier-ignore
      const makers = {
        space: () => null,
        heading: ({ depth, tokens }) => node(`h${depth}`, all(tokens)),
        paragraph: ({ tokens }) => node('p', all(tokens)),
        blockquote: ({ tokens }) => node('blockquote', all(tokens)),
        list: ({ ordered, items }) => node(ordered ? 'ol' : 'ul', items.map(({ tokens }) => node('li', all(tokens)))), // prettier-ignore
        table: ({ header, rows }) =>
          node('table', [
            node('thead', [cells('th', header)]),
            node('tbody', rows.map((row) => cells('td', row))), // prettier-ignore
          ]),
        text: ({ tokens, text: plain }) =>
          tokens === undefined ? inLanguages(plain) : node('span', all(tokens)),
        strong: ({ tokens }) => node('strong', all(tokens)),
        em: ({ tokens }) => node('em', all(tokens)),
        codespan: ({ text: plain }) => node('code', [plain], CHINESE.test(plain) ? IN_CHINESE : {}),
        link: ({ href, tokens }) => {
          const address = addressOf(href);
          return address === null ? node('span', all(tokens)) : node('a', all(tokens), { href: address });
        },
        image: ({ href, text: alt }) => {
          const svg = readFileSync(new URL(href, `file://${path}`), 'utf8');
          const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg);
          // The name of an import below, from which the quotes are taken.
          return node('img', [], { alt, width, height, src: `picture${pictures.push(href) - 1}` });
        },
      };
      function nodeOf(token) {
        const make = makers[token.type];
        if (make === undefined) throw new Error(`${basename(path)} has a ${token.type}, which the page of rules cannot show.`); // prettier-ignore
        return make(token);
      }
      const [{ text: title }, ...tokens] = marked.lexer(text);
      const [, name, chineseName] = TITLE.exec(title);
      const named = chineseName === undefined ? [] : [node('p', [chineseName], IN_CHINESE)];
      const nodes = [...named, ...all(forPlayers(tokens, path.endsWith(`/${INDEX}`)))];
      return {
        code: [
          ...pictures.map((href, i) => `import picture${i} from ${JSON.stringify(`./${href}?url`)};`),
          `export const title = ${JSON.stringify(name)};`,
          `export const nodes = ${JSON.stringify(nodes).replaceAll(/"src":"(picture\d+)"/g, '"src":$1')};`,
        ].join('\n'),
        moduleType: 'js',
        map: null,
      };
    },
  };
}
