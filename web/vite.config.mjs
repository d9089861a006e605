import { defineConfig } from 'vite';
import { rulePages } from './rule-pages.mjs';

/** Imports what is needed later as it stands: Vite's own way reads the style sheets of a chunk first, and no chunk has any. */
const plainImports = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (read) => read();' : undefined,
};

/** The pages for people, as files that the server sends. Nothing is inlined, so that the strictest policy allows them. */
export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [rulePages(), plainImports],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    target: 'es2022',
    // What every page needs is one file.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
});
