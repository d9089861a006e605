import { existsSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

/** Prints the ten slowest test files with their seconds, from jest reports: node .ci/slowest.mjs REPORT... */

const MANY = 10;

const files = process.argv
  .slice(2)
  .filter((path) => existsSync(path))
  .flatMap((path) =>
    JSON.parse(readFileSync(path, 'utf8')).testResults.map(({ name, startTime, endTime }) => ({
      name: `${relative(process.cwd(), name)} (${basename(path, '.json')})`,
      seconds: (endTime - startTime) / 1000,
    })),
  );
files.sort((a, b) => b.seconds - a.seconds);
for (const { name, seconds } of files.slice(0, MANY))
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}`);
