import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { embeddedPlace, openPlace, within } from '../support/databases.js';

/** A page of the embedded database is damaged on the disk. */

test('the fault is told as long as it is met', async () => {
  const place = await embeddedPlace();
  const [{ path }] = await within(place, async ({ prisma }) => {
    await prisma.mark.create({ data: { name: 'a', value: 'b' } });
    return prisma.$queryRaw<[{ path: string }]>`SELECT pg_relation_filepath('marks') AS path`;
  });
  const file = await open(join(place.dataDir, 'db', path), 'r+');
  await file.write(Buffer.alloc(64, 'damage'), 0, 64, 0);
  await file.close();
  const database = await openPlace(place);
  try {
    expect(await database.trouble()).toBeNull();
    await expect(database.prisma.mark.findMany()).rejects.toThrow(/invalid page/);
    expect(await database.ready()).toBe(true);
    expect(await database.trouble()).toMatch(/damaged/);
  } finally {
    await database.close();
    await place.remove();
  }
});
