// A user of the operators' pages in a real browser, by mouse or by keyboard alone. Each action is a step.

import type { Locator, Page } from 'playwright-core';
import { PASSWORD } from '../support/service.js';
import { NARROW, WIDE } from './screens.js';

export interface PageUser {
  /** The number of actions. */
  steps(): number;
  /** Presses a button, or follows a link. */
  press(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  write(target: Locator, text: string): Promise<void>;
  /** Chooses among the matches of a picker. @param search the field with the search */
  pick(search: Locator, select: Locator, option: string): Promise<void>;
  /** Chooses a file from disk. */
  file(target: Locator, path: string): Promise<void>;
}

export const INPUT_METHODS = [
  { title: 'by keyboard alone', screen: WIDE, userOf: keyboardUser },
  { title: 'at 375 pixels', screen: NARROW, userOf: mouseUser },
  { title: 'by mouse', screen: WIDE, userOf: mouseUser },
] as const;

/** Logs a user in by keyboard alone. @param address of the operators' pages, or of those of owners */
export async function logIn(page: Page, address: string, username: string): Promise<void> {
  await page.goto(address);
  await page.keyboard.type(username);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Log out' }).waitFor();
}

function mouseUser(page: Page): PageUser {
  return countingSteps({
    async press(target) {
      await page.waitForLoadState();
      await target.click();
    },
    write: (target, text) => target.fill(text),
    pick: (_, select, option) => select.locator('option', { hasText: option }).click(),
    async file(target, path) {
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), target.click()]);
      await chooser.setFiles(path);
    },
  });
}

/** Presses Tab until the element has the focus; the link that skips the menu comes first. */
async function reach(page: Page, target: Locator): Promise<void> {
  const { keyboard } = page;
  await page.waitForLoadState();
  const isFresh = await page.locator('body').evaluate((body) => body === body.ownerDocument.activeElement);
  if (isFresh && (await target.evaluate((element) => element.closest('main') !== null))) {
    await keyboard.press('Tab');
    await keyboard.press('Enter');
  }
  let element = await target.elementHandle();
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    const { isConnected, hasFocus } = (await element?.evaluate((node) => {
      return { isConnected: node.isConnected, hasFocus: node === node.ownerDocument.activeElement };
    })) ?? { isConnected: false, hasFocus: false };
    if (hasFocus) return;
    // The part of the page may have been replaced meanwhile.
    if (isConnected) await keyboard.press('Tab');
    else element = await target.elementHandle();
  }
  throw new Error(`${target} cannot be reached by keyboard`);
}

function keyboardUser(page: Page): PageUser {
  const { keyboard } = page;
  return countingSteps({
    async press(target) {
      await reach(page, target);
      await keyboard.press('Enter');
    },
    async write(target, text) {
      await reach(page, target);
      await keyboard.press('Control+A');
      await keyboard.type(text);
    },
    async pick(search, select, option) {
      await reach(page, search);
      await keyboard.press('ArrowDown');
      for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
        if ((await select.locator('option:checked').textContent())?.includes(option)) return;
        await keyboard.press('ArrowDown');
      }
      throw new Error(`${option} is not offered`);
    },
    async file(target, path) {
      // If the part of the page is replaced at this moment, the focus is lost.
      for (let attempts = 0; attempts < 5; attempts += 1) {
        await reach(page, target);
        const chooser = page.waitForEvent('filechooser', { timeout: 5000 }).catch(() => null);
        await keyboard.press('Enter');
        const chosen = await chooser;
        if (chosen !== null) return chosen.setFiles(path);
      }
      throw new Error(`${target} does not ask for a file`);
    },
  });
}

/** Key presses after which an element counts as unreachable. */
const MAX_PRESSES = 200;

function countingSteps(user: Omit<PageUser, 'steps'>): PageUser {
  let steps = 0;
  const step = <A extends readonly unknown[]>(action: (...parameters: A) => Promise<void>) => {
    return async (...parameters: A): Promise<void> => {
      steps += 1;
      await action(...parameters);
    };
  };
  return {
    steps: () => steps,
    ...{ press: step(user.press), write: step(user.write), pick: step(user.pick), file: step(user.file) },
  };
}
