import { keep, playersNumber } from './kept.js';
import { fetcher } from './requests.js';

/** The script beside GraphiQL: lists the examples and opens the first group as tabs. */

/** As src/pages/examples.ts writes them into the page. */
interface Example {
  readonly name: string;
  readonly title: string;
  readonly query: string;
  readonly variables: string | null;
  readonly headers: string | null;
}
interface ExampleGroup {
  readonly name: string;
  readonly examples: readonly Example[];
}

const h = React.createElement;
const { UnStyledButton, useEditorContext, useExecutionContext } = GraphiQL.React;

const groups = JSON.parse(
  document
    .getElementById('examples')!
    .textContent.replaceAll(/\b(?:ann|ben)\b/g, (name) => name + playersNumber),
) as readonly ExampleGroup[];

const tabOf = ({ name, query, variables, headers }: Example): GraphiqlTab => ({
  id: name,
  hash: name,
  title: name,
  query,
  variables,
  headers,
  operationName: null,
  response: null,
});

function Examples(): ReactNode {
  const { tabs, moveTab, changeTab } = useEditorContext();
  const { stop } = useExecutionContext();
  const open = (example: Example): void => {
    stop();
    const index = tabs.findIndex(({ title }) => title === example.name);
    if (index < 0) moveTab([...tabs, tabOf(example)]);
    changeTab(index < 0 ? tabs.length : index);
  };
  const item = (example: Example): ReactNode =>
    h(
      'li',
      { key: example.name },
      h(
        UnStyledButton,
        { title: example.name, onClick: () => open(example) },
        h('code', null, example.name),
        example.title,
      ),
    );
  const group = ({ name, examples }: ExampleGroup, index: number): ReactNode =>
    h(
      'details',
      // The first group is open as tabs.
      { key: name, open: index === 1 },
      h('summary', null, name),
      h('ul', null, examples.map(item)),
    );
  return h('section', { 'aria-label': 'Examples', className: 'examples' }, [
    h('h2', { key: '' }, 'Examples'),
    ...groups.map(group),
  ]);
}

const ListIcon = (): ReactNode =>
  h('svg', { viewBox: '0 0 20 20', stroke: 'currentColor', strokeWidth: 1.5 }, [
    h('path', { key: '', d: 'M3 5h14M3 10h14M3 15h14' }),
  ]);

const plugin = { title: 'Examples', icon: ListIcon, content: Examples };

/** Initial widths, under GraphiQL's names, with which the comments of the examples fit a window 1280 px wide. */
const WIDTHS = { docExplorerFlex: '0.24', editorFlex: '1.4' };

// Keeps the number of the players.
keep({});
for (const [name, flex] of Object.entries(WIDTHS)) {
  const key = `graphiql:${name}`;
  if (localStorage.getItem(key) === null) localStorage.setItem(key, flex);
}

const page = h(
  GraphiQL,
  {
    fetcher,
    defaultTabs: groups[0]!.examples,
    plugins: [plugin],
    visiblePlugin: plugin,
    defaultEditorToolsVisibility: true,
    // Otherwise tabs would lose their Authorization header on the next visit.
    shouldPersistHeaders: true,
  },
  h(GraphiQL.Logo, null, 'Halfmove'),
);
ReactDOM.createRoot(document.getElementById('graphiql')!).render(page);
