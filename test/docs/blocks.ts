import { readdirSync, readFileSync } from 'node:fs';

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** Of its first fence, from 1. */
  readonly line: number;
  /** As `sh`; empty where the fence names none. */
  readonly language: string;
  /** What the fence says after the language, as `manual`. */
  readonly flags: readonly string[];
  readonly text: string;
}

const FENCED = /^( *)```(.*)\n([^]*?)^ *```$/gm;

export function blocksOf(page: string): readonly Block[] {
  const content = readFileSync(page, 'utf8');
  return [...content.matchAll(FENCED)].map(({ 1: indent, 2: info, 3: body, index }) => {
    const [language = '', ...flags] = info!.trim().split(/\s+/);
    const text = body!.replaceAll(new RegExp(`^${indent!}`, 'gm'), '');
    return { page, line: content.slice(0, index).split('\n').length, language, flags, text };
  });
}

/** All that people read: the pages beside package.json, those of docs/ and those of examples/. */
export const PAGES: readonly string[] = [
  '.',
  'docs',
  'docs/rules',
  'examples',
  'examples/witness',
  'packages/client',
].flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => (folder === '.' ? file : `${folder}/${file}`)),
);
