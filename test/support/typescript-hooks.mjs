import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

const isSource = (url) => url.startsWith('file:') && !url.includes('/node_modules/');

/** Resolves an import of x.js to x.ts if that exists. */
export async function resolve(specifier, context, next) {
  const url = specifier.startsWith('.') ? new URL(specifier, context.parentURL).href : specifier;
  const source = url.replace(/\.js$/, '.ts');
  if (url !== source && isSource(source) && existsSync(fileURLToPath(source))) return next(source, context);
  return next(specifier, context);
}

export async function load(url, context, next) {
  const { pathname } = new URL(url);
  if (!isSource(url) || !pathname.endsWith('.ts')) return next(url, context);
  const { code } = await transformFile(fileURLToPath(url), { sourceMaps: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
}
