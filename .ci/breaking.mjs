import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

/**
 * List the changes of schema.graphql that break clients, by the rules of @graphql-inspector:
 *
 *   node .ci/breaking.mjs [REVISION]
 *
 * Compares with the file at that revision, by default the commit before the last. The exit code is 0 even
 * when there are breaking changes: until version 1.0 they are only reported.
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
  console.log(`${revision} has no schema.graphql, so there is nothing to compare with.`);
} else {
  const changes = await diff(buildSchema(before), buildSchema(readFileSync('schema.graphql', 'utf8')));
  const breaking = changes.filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking);
  console.log(
    `schema.graphql since ${revision}: ${changes.length} changes, of which ${breaking.length} are breaking.`,
  );
  for (const { message } of breaking) console.log(`- ${message}`);
}
