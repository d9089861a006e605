import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { drawDiagram, type Diagram } from '../boards/diagram.js';

/**
 * Draws the boards of the documents; with `--check` it only says whether they are up to date:
 *
 *   docs/rules/img   from docs/rules/diagrams.json
 *   docs/img         from docs/img/boards.json, each in a light and a dark version
 */

type Files = ReadonlyMap<string, string>;

function drawn(name: string, diagram: Diagram): string {
  const svg = drawDiagram(diagram);
  if (!svg.ok) throw new Error(`${name}: ${svg.refusal.message}`);
  return svg.value;
}

const listIn = (path: string): [string, Diagram][] =>
  Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, Diagram>);

const FOLDERS: ReadonlyMap<string, Files> = new Map([
  [
    'docs/rules/img',
    new Map(listIn('docs/rules/diagrams.json').map(([name, one]) => [`${name}.svg`, drawn(name, one)])),
  ],
  [
    'docs/img',
    new Map(
      listIn('docs/img/boards.json').flatMap(([name, one]) =>
        (['light', 'dark'] as const).map((theme) => [`${name}-${theme}.svg`, drawn(name, { ...one, theme })]),
      ),
    ),
  ],
]);

const imagesIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.endsWith('.svg'));

const staleIn = (folder: string, files: Files): readonly string[] => {
  const present = imagesIn(folder);
  const isStale = ([name, svg]: [string, string]) =>
    !present.includes(name) || readFileSync(`${folder}/${name}`, 'utf8') !== svg;
  const extra = present.filter((name) => !files.has(name));
  return [...[...files].filter(isStale).map(([name]) => name), ...extra].map((name) => `${folder}/${name}`);
};

function write(folder: string, files: Files): void {
  mkdirSync(folder, { recursive: true });
  for (const name of imagesIn(folder)) if (!files.has(name)) rmSync(`${folder}/${name}`);
  for (const [name, svg] of files) writeFileSync(`${folder}/${name}`, svg);
  console.log(`${files.size} boards in ${folder}`);
}

if (process.argv.includes('--check')) {
  const stale = [...FOLDERS].flatMap(([folder, files]) => staleIn(folder, files));
  for (const path of stale) console.error(`${path} is out of date: run npm run boards and commit it.`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else for (const [folder, files] of FOLDERS) write(folder, files);
