/** Tests run as native ES modules; the suites that need PostgreSQL or a built server have their own projects. */
export default {
  testEnvironment: 'node',
  // Starting the whole server takes seconds on a busy machine.
  testTimeout: 30_000,
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^content-disposition$': '<rootDir>/test/support/content-disposition.cjs',
  },
};
