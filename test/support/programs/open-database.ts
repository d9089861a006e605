// Opens the embedded database in the given folder, prints a line, and runs until killed. A refusal is printed
// to stderr.
import { openDatabase } from '../../../src/platform/database/database.js';

try {
  const [dataDir] = process.argv.slice(2);
  const config = {
    dataDir: dataDir!,
    databaseUrl: null,
    databasePool: 1,
    minFreeBytes: 0,
    checkpointSeconds: 3600,
    watchdogSeconds: 60,
  };
  const { prisma } = await openDatabase(config, () => undefined);
  await prisma.idempotencyKey.create({
    data: {
      actor: 'a',
      key: String(process.pid),
      operation: 'open',
      fingerprint: '',
      resourceId: '00000000-0000-0000-0000-000000000000',
      createdAt: new Date(),
    },
  });
  console.log('open');
  setInterval(() => undefined, 1000);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
