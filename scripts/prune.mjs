import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { UserError, inRoot, main, root } from './support.mjs';

/**
 * For the Dockerfile: removes every package that the server does not need to run, after the build. `npm prune
 * --omit=dev` leaves development packages that are also optional peers, and without them in package.json it
 * fetches versions that the lockfile does not have.
 */

const npm = (...args) => execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });

await main(async () => {
  if (existsSync(inRoot('.git')))
    throw new UserError('This is a checkout, which needs its development packages.');
  npm('pkg', 'delete', 'devDependencies');
  const surplus = JSON.parse(npm('query', ':extraneous'));
  for (const { location } of surplus) rmSync(inRoot(location), { recursive: true, force: true });
  // It lists what was removed.
  rmSync(inRoot('node_modules/.package-lock.json'), { force: true });
  console.log(`Removed ${surplus.length} packages.`);
});
