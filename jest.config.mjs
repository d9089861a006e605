/** Tests run in plain Node, as the server does: each worker loads the application once, for all the files that it runs. */
export default {
  runner: 'jest-light-runner',
  // The default, a worker fewer than cores, leaves one of two idle.
  maxWorkers: '100%',
  // The servers that workers share end with them; nobody closes them.
  forceExit: true,
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  setupFilesAfterEnv: ['<rootDir>/test/support/setup.mjs'],
};
