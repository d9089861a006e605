import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Reads the operations in examples/; its README explains the format of the files. */

const FOLDER = fileURLToPath(new URL('../../examples', import.meta.url));

/** A tab of GraphiQL: the texts of its three editors. */
export interface Example {
  /** The name of the operation, which is the title of the tab. */
  readonly name: string;
  readonly title: string;
  readonly query: string;
  readonly variables: string | null;
  readonly headers: string | null;
}

export interface ExampleGroup {
  readonly name: string;
  readonly examples: readonly Example[];
}

/** The groups and examples in the order of their file names, which is the order to run them in. */
export const readExamples = (): readonly ExampleGroup[] =>
  readdirSync(FOLDER)
    .filter((folder) => /^\d/.test(folder))
    .sort()
    .map((folder) => ({ name: groupName(folder), examples: examplesIn(join(FOLDER, folder)) }));

const examplesIn = (folder: string): Example[] =>
  readdirSync(folder)
    .sort()
    .map((file) => parseExample(readFileSync(join(folder, file), 'utf8')));

/** `2-first-steps` is "First steps". */
function groupName(folder: string): string {
  const words = folder.replace(/^\d+-/, '').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function parseExample(text: string): Example {
  const find = (pattern: RegExp): string | undefined => pattern.exec(text)?.[1];
  const token = find(/^# Authorization: (.+)$/m);
  return {
    name: find(/^(?:query|mutation|subscription) (\w+)/m) ?? '',
    title: find(/^# (.+)/) ?? '',
    query: text.replace(/^#\n# (?:Authorization|Variables):.*\n(?:#.*\n)*/m, ''),
    variables:
      find(/^# Variables:\n((?:#.*\n)+)/m)
        ?.replaceAll(/^# ?/gm, '')
        .trimEnd() ?? null,
    headers: token === undefined ? null : JSON.stringify({ Authorization: token }, null, 2),
  };
}
