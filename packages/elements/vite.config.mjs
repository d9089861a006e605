import { defineConfig } from 'vite';

/**
 * The file is pinned by its digest where a site says so, and so loads no code from the server. The verifier would triple it:
 * a game is checked on the page that the element links to.
 */
const withoutVerifier = {
  name: 'without-verifier',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('/generated/verify.js')
      ? "throw new Error('The element does not hold the verifier.');"
      : undefined,
};

/** The elements as one file, for a script tag or an import. */
export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [withoutVerifier],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // What is put in the place of light-dark() knows only a color-scheme of the same style sheet, not that of the page.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: false,
    rolldownOptions: {
      input: 'src/elements.ts',
      preserveEntrySignatures: 'strict',
      output: { entryFileNames: 'halfmove.js', codeSplitting: false },
    },
  },
});
