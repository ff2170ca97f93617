// A real browser for tests: the system's headless Chromium, through playwright-core. Each has its own user data folder; errors of
// pages and requests to other machines are collected.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { temporaryFolder } from './paths.js';

export interface TestBrowser {
  /** An empty page of that size. */
  page(width?: number, height?: number): Promise<Page>;
  /** Errors that pages reported since the last call: from scripts, the console, and the content security policy. */
  errors(): readonly string[];
  /** Addresses on other machines that pages requested since the last call. */
  elsewhere(): readonly string[];
  close(): Promise<void>;
}

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Scripts of pages run too briefly to be worth optimizing; optimizing them takes a tenth of a suite's CPU.
  '--js-flags=--no-opt --no-maglev',
];

const program = PLACES.find((path) => existsSync(path));
if (program === undefined && process.env.CI) throw new Error('CI needs a browser: install the Debian package chromium');

/** Without a browser, the suite counts as skipped, and its title says why. */
export function describeInBrowser(title: string, body: () => void): void {
  if (program === undefined) describe.skip(`${title} (skipped: there is no Chromium on this machine)`, body);
  else describe(title, body);
}

export async function openBrowser(): Promise<TestBrowser> {
  const folder = temporaryFolder('browser');
  const context = await chromium.launchPersistentContext(folder, { executablePath: program ?? '', args: FLAGS });
  // A busy machine may need more than half a minute for a page.
  context.setDefaultTimeout(120_000);
  const errors: string[] = [];
  const elsewhere: string[] = [];
  watch(context, errors, elsewhere);
  // The window opens with an empty page, and each further page takes another process.
  const unused = context.pages();
  return {
    async page(width = 1280, height = 800) {
      const page = unused.pop() ?? (await context.newPage());
      await page.setViewportSize({ width, height });
      return page;
    },
    errors: () => errors.splice(0),
    elsewhere: () => elsewhere.splice(0),
    async close() {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function watch(context: BrowserContext, errors: string[], elsewhere: string[]): void {
  context.on('weberror', (error) => errors.push(String(error.error())));
  context.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
  });
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && !['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) {
      elsewhere.push(request.url());
    }
  });
}

/** The rules of axe whose findings change with the colours and the width of a page; all others depend on its elements alone. */
export const RULES_OF_STYLE = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'];

interface AxeOptions {
  /** By default all rules. */
  readonly rules?: readonly string[] | undefined;
  /** A selector of elements that are left out. */
  readonly except?: string;
}

/** Findings of axe on the current page, each with the elements; none if it is accessible. */
export async function axeFindings(page: Page, { rules, except }: AxeOptions = {}): Promise<readonly string[]> {
  const isLoaded = await page.evaluate(() => 'axe' in globalThis);
  if (!isLoaded) await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const { violations } = await page.evaluate(
    ([elements, options]) => (globalThis as unknown as Axe).axe.run(elements, options),
    [
      { include: 'html', exclude: except ?? [] },
      { resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) },
    ] as const,
  );
  return violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join(' ')}`);
}

/** The global variable that axe-core adds to a page. */
interface Axe {
  readonly axe: { run(elements: object, options: object): Promise<{ readonly violations: readonly Violation[] }> };
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}
