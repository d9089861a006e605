/** Tests run in plain Node like the server. Each worker loads the application once for all its files. */
export default {
  runner: 'jest-light-runner',
  // The default (cores minus one) would leave one of two cores idle.
  maxWorkers: '100%',
  // Nothing closes the servers that workers share; they end with their process.
  forceExit: true,
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  setupFilesAfterEnv: ['<rootDir>/test/support/setup.mjs'],
};
