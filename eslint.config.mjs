import tseslint from 'typescript-eslint';

/** Who may do what; who may import whom is in .dependency-cruiser.cjs. */

const PURE = ['src/rules/**/*.ts', 'src/arbiter/**/*.ts', 'src/fairness/**/*.ts', 'src/formats/**/*.ts'];

const dealSecret = [
  {
    selector: 'MemberExpression[property.name="dealSecret"]',
    message: 'The seeds of the deals are read and written by src/engine/deals.store.ts alone.',
  },
  {
    selector: 'MemberExpression[property.value="dealSecret"]',
    message: 'The seeds of the deals are read and written by src/engine/deals.store.ts alone.',
  },
  {
    selector: 'ObjectPattern > Property[key.name="dealSecret"]',
    message: 'The seeds of the deals are read and written by src/engine/deals.store.ts alone.',
  },
];

const dealTable = [
  {
    selector: 'TemplateElement[value.raw=/deal_secrets/i], Literal[value=/deal_secrets/i]',
    message: 'The table deal_secrets is read and written by src/engine/deals.store.ts alone.',
  },
];

const unsafeSql = [
  {
    selector: 'MemberExpression[property.name="$transaction"]',
    message: 'Transactions have one door: PrismaService.transaction.',
  },
  {
    selector: 'MemberExpression[property.name=/^\\$(queryRaw|executeRaw)Unsafe$/]',
    message: 'SQL goes through $queryRaw and $executeRaw, which bind their values.',
  },
];

const waiting = [
  { selector: ':function[async=true]', message: 'The cores are pure: nothing in them waits.' },
  { selector: 'AwaitExpression', message: 'The cores are pure: nothing in them waits.' },
  { selector: 'ForOfStatement[await=true]', message: 'The cores are pure: nothing in them waits.' },
];

const clock = [
  {
    selector: 'NewExpression[callee.name="Date"], CallExpression[callee.name="Date"]',
    message: 'The cores are pure: the time comes in as a value.',
  },
];

const noThrow = [
  {
    selector: 'ThrowStatement',
    message: 'The rules answer with a Result; nothing in them throws on input.',
  },
];

const impureGlobals = [
  'Date',
  'process',
  'Promise',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'fetch',
  'performance',
  'crypto',
  'console',
  'globalThis',
].map((name) => ({ name, message: 'The cores are pure: what they need comes in as a value.' }));

const MOVED_RANDOM = 'The cores are pure: what is drawn comes in as a value.';

export default tseslint.config(
  {
    ignores: [
      'node_modules/',
      'dist/',
      'data/',
      'coverage/',
      '.cache/',
      'src/generated/',
      'test/house/fixtures/',
      // Their packages are not the project's, so their types cannot be checked.
      'bench/whole-path/peers/**/*.ts',
      'test/client/outside/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-var': 'error',
      'prefer-const': 'error',
      'max-lines': ['warn', 350],
      'max-lines-per-function': ['warn', 60],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // In a class with decorators Nest reads constructor types at run time, so those imports stay values; the
      // rule knows it from the compiler options (experimentalDecorators, emitDecoratorMetadata).
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Nest's modules are classes that hold nothing, and a method may be async because its interface is.
      '@typescript-eslint/require-await': 'off',
      // Numbers are printed all over the notations; objects in a text would still be found.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/cli/**', 'src/main.ts'],
    rules: { 'no-console': 'error' },
  },
  {
    files: ['src/**/*.ts', 'bench/**/*.{ts,mjs}'],
    rules: { 'no-restricted-syntax': ['error', ...dealSecret, ...dealTable, ...unsafeSql] },
  },
  {
    files: ['src/engine/deals.store.ts'],
    rules: { 'no-restricted-syntax': ['error', ...unsafeSql] },
  },
  {
    // Exports, imports and the seeding of a history name every table.
    files: ['src/cli/db-*.ts', 'bench/seed/*.mjs'],
    rules: { 'no-restricted-syntax': ['error', ...dealSecret, ...unsafeSql] },
  },
  {
    files: ['src/platform/database/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...dealSecret] },
  },
  {
    files: PURE,
    rules: {
      'no-restricted-syntax': ['error', ...dealSecret, ...dealTable, ...unsafeSql, ...clock, ...waiting],
      'no-restricted-globals': ['error', ...impureGlobals],
      'no-restricted-properties': ['error', { object: 'Math', property: 'random', message: MOVED_RANDOM }],
      'no-restricted-imports': [
        'error',
        {
          paths: ['node:crypto', 'crypto'].map((name) => ({
            name,
            importNames: [
              'randomBytes',
              'randomInt',
              'randomUUID',
              'randomFill',
              'randomFillSync',
              'webcrypto',
            ],
            message: MOVED_RANDOM,
          })),
        },
      ],
    },
  },
  {
    files: ['src/rules/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...dealSecret,
        ...dealTable,
        ...unsafeSql,
        ...clock,
        ...waiting,
        ...noThrow,
      ],
    },
  },
  {
    // WebCrypto, the one library for signatures that browsers have, answers with promises alone.
    files: ['src/fairness/note.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...dealSecret, ...dealTable, ...unsafeSql, ...clock],
      'no-restricted-globals': [
        'error',
        ...impureGlobals.filter(({ name }) => !['Promise', 'globalThis'].includes(name)),
      ],
    },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      // Answers over HTTP and vectors are read as they come; a test that reads them wrongly fails.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // Methods of rule sets and of fakes are passed on as they are; none of them looks at `this`.
      '@typescript-eslint/unbound-method': 'off',
      'max-lines-per-function': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    rules: { eqeqeq: 'error', 'no-var': 'error', 'prefer-const': 'error', 'no-unused-vars': 'error' },
  },
);
