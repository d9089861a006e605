/** Tests run as native ES modules; the suites that need PostgreSQL or a built server have their own projects. */
export default {
  testEnvironment: 'node',
  // No test is about time, and a machine may be busy: this only ends what hangs.
  testTimeout: 180_000,
  // The default, a worker fewer than cores, leaves one of two idle.
  maxWorkers: '100%',
  // A worker keeps some of what each file needed: after so much the next file gets a new one.
  workerIdleMemoryLimit: '1GB',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^content-disposition$': '<rootDir>/test/support/content-disposition.cjs',
  },
};
