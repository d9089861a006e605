import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** Pages of people who visit, watched for errors, for refusals of the policy, and for requests to anybody else. */

export interface Visitors {
  /** A page of a browser of its own. */
  visitor(options?: BrowserContextOptions): Promise<Page>;
  /** Another tab beside a page. */
  tab(beside: Page): Promise<Page>;
  /** What went wrong in any of them since this was asked last. */
  faults(): readonly string[];
}

export function visitorsOf(browser: () => Browser, origins: () => readonly string[]): Visitors {
  let faults: string[] = [];
  const watched = (page: Page): Page => {
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      // Chromium writes a line for each refusal of the API as well.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(message.text());
    });
    page.on('request', (request) => {
      if (!origins().includes(new URL(request.url()).origin))
        faults.push(`asked another origin: ${request.url()}`);
    });
    return page;
  };
  return {
    visitor: async (options) => watched(await (await browser().newContext(options)).newPage()),
    tab: async (beside) => watched(await beside.context().newPage()),
    faults() {
      const found = faults;
      faults = [];
      return found;
    },
  };
}
