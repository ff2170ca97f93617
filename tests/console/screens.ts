// The screens of the browser tests: wide and light, narrow and dark. A page must be accessible and fit on both.

import type { Page } from 'playwright-core';
import { axeFindings, RULES_OF_STYLE } from '../support/browser.js';

export const WIDE = { width: 1280, colorScheme: 'light' } as const;
export const NARROW = { width: 375, colorScheme: 'dark' } as const;

export async function useScreen(page: Page, { width, colorScheme }: typeof WIDE | typeof NARROW): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme });
}

/** Checks that axe finds nothing, and that the page is not wider than the screen. @param rules all by default */
export async function expectSound(page: Page, rules?: readonly string[]): Promise<void> {
  expect([page.url(), await axeFindings(page, { rules }), await pixelsBeyond(page)]).toEqual([page.url(), [], 0]);
}

/** Checks the page in both colour schemes. */
export async function expectSoundInColors(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectSound(page);
  await page.emulateMedia({ colorScheme: 'light' });
  expect([page.url(), await axeFindings(page, { rules: RULES_OF_STYLE })]).toEqual([page.url(), []]);
}

/** Checks the page, then switches to a wide screen and checks it again. */
export async function expectSoundOnScreens(page: Page): Promise<void> {
  await expectSoundInColors(page);
  await useScreen(page, WIDE);
  await expectSound(page, RULES_OF_STYLE);
}

/** How much wider the page is than the screen, once its plots have the size of the screen. */
function pixelsBeyond(page: Page): Promise<number> {
  return page.locator('html').evaluate((html) => {
    const { defaultView: view } = html.ownerDocument;
    return new Promise<number>((resolve) => {
      view?.requestAnimationFrame(() => setTimeout(() => resolve(html.scrollWidth - html.clientWidth)));
    });
  });
}
