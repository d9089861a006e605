import 'reflect-metadata';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '../config.js';
import { accessText } from '../pages/access.js';
import { schemaText } from '../pages/contracts.js';
import { openApi } from '../pages/openapi.js';
import { envExample, settingsPage, withUsualSettings } from '../pages/settings.js';
import { withMessageTypes } from '../pages/webhooks.js';
import { withApp } from './with-app.js';

/** Sorts by name, as in schema.graphql, so that moving code does not change the file. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.every(isWord) ? [...(value as unknown[])].sort(byText) : value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => byText(a, b));
  return Object.fromEntries(entries.map(([name, part]) => [name, sorted(part)]));
}

const isWord = (value: unknown): boolean => typeof value === 'string' || value === null;
const byText = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : 1);

/**
 * Writes what is made from the code: schema.graphql, openapi.json, docs/access.md, the types of messages, and the texts about settings. `--check`
 * only reports whether they are up to date.
 */

async function contracts(): Promise<ReadonlyMap<string, string>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'halfmove-schema-'));
  const config = parseConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, LOG_LEVEL: 'silent', MIN_FREE_MB: '0' });
  try {
    return await withApp(config, async (app) => {
      await app.init();
      return new Map([
        ['schema.graphql', schemaText(app)],
        ['openapi.json', `${JSON.stringify(sorted(openApi(app)), null, 2)}\n`],
        ['docs/access.md', accessText(app)],
        ['docs/settings.md', settingsPage()],
        ['docs/operating.md', withUsualSettings(readFileSync('docs/operating.md', 'utf8'))],
        ['docs/webhooks.md', withMessageTypes(readFileSync('docs/webhooks.md', 'utf8'))],
        ['.env.example', envExample()],
      ]);
    });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const files = await contracts();
if (process.argv.includes('--check')) {
  const stale = [...files].filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text);
  for (const [path] of stale)
    console.error(`${path} is out of date. Run npm run schema and commit the result.`);
  if (stale.length === 0) console.log(`${[...files.keys()].join(', ')} are up to date.`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const [path, text] of files) writeFileSync(path, text);
  console.log(`Wrote ${[...files.keys()].join(', ')}.`);
}
