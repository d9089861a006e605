import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';

/** Chromium as a distribution installs it, and a site of another origin than the server's. */

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path));
/** A name that is not local for browsers, so that its pages are no secure context. */
export const INSECURE = 'insecure.test';

const QUIET = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']; // prettier-ignore

/** For tests that need Chromium; the title of a skipped one says why. */
export function inChromium(title: string, tests: () => void): void {
  if (CHROMIUM === undefined) describe.skip(`${title} (skipped: chromium is not installed)`, tests);
  else describe(title, tests);
}

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM!,
    args: ['--no-sandbox', ...QUIET, `--host-resolver-rules=MAP ${INSECURE} 127.0.0.1`],
  });

export interface Site {
  /** The address of its page under a name of this machine. */
  address(host?: string): string;
  close(): Promise<void>;
}

/** A site whose page has the typed client as `halfmove`. */
export async function startSite(): Promise<Site> {
  const { outputFiles } = await build({
    entryPoints: ['packages/client/src/client.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'halfmove',
  });
  const page = `<!doctype html><title>A site</title><script>${outputFiles[0]!.text}</script>`;
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: (host = 'localhost') => `http://${host}:${port}/`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
