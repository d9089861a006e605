import { type ComponentChildren, h } from 'preact';
import { useEffect } from 'preact/hooks';
import { useRead } from '../reading.js';
import { heading, useWays } from '../router.js';
import { readRulesets } from '../rulesets.js';

/** The rules of the games: the text of docs/rules, which web/rule-pages.mjs has made data. */

interface Element {
  readonly tag: string;
  readonly children: readonly Node[];
  readonly href?: string;
  readonly lang?: string;
  readonly alt?: string;
  readonly width?: string;
  readonly src?: string;
  readonly height?: string;
}

type Node = string | Element;

interface RulePage {
  readonly title: string;
  readonly nodes: readonly Node[];
}

const FOLDER = '../../../docs/rules';
const PAGES = import.meta.glob<RulePage>(['../../../docs/rules/*.md', '!../../../docs/rules/README.md']);
/** What the marks of the diagrams mean. */
const MARKS = import.meta.glob<RulePage>('../../../docs/rules/README.md');

export function AllRules() {
  const [rulesets] = useRead(readRulesets);
  const [marks] = useRead(MARKS[`${FOLDER}/README.md`]!);
  return (
    <>
      <ul class="rows">
        {rulesets?.map(({ id, name, chineseName, summary }) => (
          <li key={id} class="pictured">
            <img src={`/v1/boards/${id}.svg?size=160&theme=auto`} alt="" width="96" />
            <span>
              <a href={`/rules/${id}`}>
                <strong>{name}</strong>
              </a>{' '}
              {chineseName !== null && <span lang="zh-Hant">{chineseName}</span>}
              <br />
              {summary}
            </span>
          </li>
        ))}
      </ul>
      {marks?.nodes.map(drawn)}
    </>
  );
}

export function Rules() {
  const [, id = ''] = useWays();
  return <OneGame key={id} id={id} />;
}

function OneGame({ id }: { readonly id: string }) {
  const read = PAGES[`${FOLDER}/${id}.md`];
  const [page] = useRead(async () => (await read?.()) ?? null);
  const title = page?.title ?? null;
  useEffect(() => {
    if (title !== null) heading.value = title;
  }, [title]);
  if (read === undefined) {
    return (
      <p role="alert">
        There is no game at this address. <a href="/rules">See all games.</a>
      </p>
    );
  }
  if (page === null) return <p>Reading the rules ...</p>;
  return (
    <article class="rules">
      {page.nodes.map(drawn)}
      <p class="ways">
        <a class="button" href={`/?ruleset=${id}`}>
          Play it now
        </a>
        <a class="button second" href="/rules">
          All games
        </a>
      </p>
    </article>
  );
}

const isPicture = (node: Node) => typeof node !== 'string' && node.tag === 'img';

function drawn(node: Node): ComponentChildren {
  if (typeof node === 'string') return node;
  const { tag, children, ...attributes } = node;
  const inner = children.map(drawn);
  if (tag === 'table') {
    return (
      // It scrolls by itself where the page is narrow, also by keyboard.
      <div class="wide" tabIndex={0} role="group" aria-label="Table">
        <table>{inner}</table>
      </div>
    );
  }
  // The words "left" and "right" below refer to pictures in one row.
  if (tag === 'p' && children.some(isPicture)) return <p class="pictures">{inner}</p>;
  return h(tag, attributes, inner);
}
