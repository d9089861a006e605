import tseslint from 'typescript-eslint';

/** What code may use in each folder. Rules about imports are in .dependency-cruiser.cjs. */

const PURE = [
  'src/rules/**/*.ts',
  'src/arbiter/**/*.ts',
  'src/fairness/**/*.ts',
  'src/formats/**/*.ts',
  'src/boards/**/*.ts',
];

const dealSecret = [
  {
    selector: 'MemberExpression[property.name="dealSecret"]',
    message: 'Only src/engine/deals.store.ts may read and write the seeds of deals.',
  },
  {
    selector: 'MemberExpression[property.value="dealSecret"]',
    message: 'Only src/engine/deals.store.ts may read and write the seeds of deals.',
  },
  {
    selector: 'ObjectPattern > Property[key.name="dealSecret"]',
    message: 'Only src/engine/deals.store.ts may read and write the seeds of deals.',
  },
];

const dealTable = [
  {
    selector: 'TemplateElement[value.raw=/deal_secrets/i], Literal[value=/deal_secrets/i]',
    message: 'Only src/engine/deals.store.ts may read and write the table deal_secrets.',
  },
];

const unsafeSql = [
  {
    selector: 'MemberExpression[property.name="$transaction"]',
    message: 'Use PrismaService.transaction instead of $transaction.',
  },
  {
    selector: 'MemberExpression[property.name=/^\\$(queryRaw|executeRaw)Unsafe$/]',
    message: 'Use $queryRaw or $executeRaw, which bind their values.',
  },
];

const lonelyParent = [
  {
    selector: 'FunctionExpression[params.length=1] Decorator > CallExpression[callee.name="Parent"]',
    message: 'The parent is the first argument anyway; without @Parent() Nest calls the method directly.',
  },
];

const waiting = [
  { selector: ':function[async=true]', message: 'The pure cores must not be asynchronous.' },
  { selector: 'AwaitExpression', message: 'The pure cores must not be asynchronous.' },
  { selector: 'ForOfStatement[await=true]', message: 'The pure cores must not be asynchronous.' },
];

const clock = [
  {
    selector: 'NewExpression[callee.name="Date"], CallExpression[callee.name="Date"]',
    message: 'The pure cores must take the time as an argument.',
  },
];

const noThrow = [
  {
    selector: 'ThrowStatement',
    message: 'The pure cores must return a Result instead of throwing.',
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
].map((name) => ({ name, message: 'The pure cores must take what they need as arguments.' }));

const MOVED_RANDOM = 'The pure cores must take random values as arguments.';

export default tseslint.config(
  {
    ignores: [
      'node_modules/',
      'dist/',
      'data/',
      'coverage/',
      '**/.cache/',
      'src/generated/',
      'packages/*/dist/',
      'packages/*/src/generated/',
      'test/house/fixtures/',
      // Their packages are not dependencies of the project, so their types cannot be checked.
      'bench/whole-path/peers/**/*.ts',
      'test/client/outside/',
      'test/tools/pages/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx}'],
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
      // Nest reads constructor types of decorated classes at run time, so those imports must stay value
      // imports. The rule detects this by the compiler options experimentalDecorators and
      // emitDecoratorMetadata.
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Methods that implement an asynchronous interface need not await anything.
      '@typescript-eslint/require-await': 'off',
      // Notations are built from numbers. Objects in a template are still reported.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
    },
  },
  {
    files: ['src/**/*.ts', 'packages/*/src/**/*.ts', 'web/src/**/*.{ts,tsx}'],
    ignores: ['src/cli/**', 'src/main.ts'],
    rules: { 'no-console': 'error' },
  },
  {
    files: ['src/**/*.ts', 'bench/**/*.{ts,mjs}'],
    rules: { 'no-restricted-syntax': ['error', ...dealSecret, ...dealTable, ...unsafeSql, ...lonelyParent] },
  },
  {
    files: ['src/engine/deals.store.ts'],
    rules: { 'no-restricted-syntax': ['error', ...unsafeSql] },
  },
  {
    // Database export and import, and bench/seed, name every table.
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
    // WebCrypto, the only signature library in browsers, is asynchronous.
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
      // Tests read HTTP answers and vectors untyped; a wrong access makes the test fail.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // Methods of rule sets and fakes are passed as functions; none of them uses `this`.
      '@typescript-eslint/unbound-method': 'off',
      'max-lines-per-function': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    rules: { eqeqeq: 'error', 'no-var': 'error', 'prefer-const': 'error', 'no-unused-vars': 'error' },
  },
);
