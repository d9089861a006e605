// Opens the embedded database in the given folder under a watchdog of ten seconds, which opening must not take even
// on a busy machine. Then hangs in the database, works in it without pause for longer, or ends at once.
import { EmbeddedPostgres } from '../../../src/platform/database/embedded-postgres.js';
import { endProcess } from '../../../src/platform/database/watchdog.js';

const [folder, what] = process.argv.slice(2);
const database = await EmbeddedPostgres.open(folder!, 10, endProcess);
console.log('watched');
if (what === 'hang') await database.query('SELECT count(*) FROM generate_series(1, 1000000000000)');
if (what === 'work') {
  for (const end = Date.now() + 12_000; Date.now() < end;) await database.query('SELECT 1');
}
console.log('done');
