import { defineConfig } from 'vite';
import { rulePages } from './rule-pages.mjs';

/** The pages for people, as files that the server sends. Nothing is inlined, so that the strictest policy allows them. */
export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [rulePages()],
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
