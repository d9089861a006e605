import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

/**
 * Names what a change of schema.graphql breaks for clients, by the rules of @graphql-inspector:
 *
 *   node .ci/breaking.mjs [REVISION]
 *
 * It compares with the file of that revision, by default of the commit before the last. Until 1.0 this is told, and no
 * failure.
 */

const revision = process.argv[2] ?? 'HEAD~1';

function committed() {
  try {
    return execFileSync('git', ['show', `${revision}:schema.graphql`], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return null;
  }
}

const before = committed();
if (before === null) {
  console.log(`${revision} has no schema.graphql to compare with.`);
} else {
  const changes = await diff(buildSchema(before), buildSchema(readFileSync('schema.graphql', 'utf8')));
  const breaking = changes.filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking);
  console.log(
    `Since ${revision}, schema.graphql has ${breaking.length} breaking changes of ${changes.length}.`,
  );
  for (const { message } of breaking) console.log(`- ${message}`);
}
