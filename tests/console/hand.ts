// A user of the operators' pages in a real browser, by mouse or by keyboard alone. Each action is a step.

import type { Locator, Page } from 'playwright-core';
import { PASSWORD } from '../support/service.js';
import { NARROW, WIDE } from './screens.js';

export interface Hand {
  /** The number of actions. */
  steps(): number;
  /** Presses a button, or follows a link. */
  press(what: Locator): Promise<void>;
  /** Replaces the text of a field. */
  write(what: Locator, text: string): Promise<void>;
  /** Chooses among the matches of a picker. @param written the field with the search */
  pick(written: Locator, select: Locator, option: string): Promise<void>;
  /** Chooses a file from disk. */
  file(what: Locator, path: string): Promise<void>;
}

export const HANDS = [
  { title: 'by keyboard alone', screen: WIDE, handOf: byKeyboard },
  { title: 'at 375 pixels', screen: NARROW, handOf: byMouse },
  { title: 'by mouse', screen: WIDE, handOf: byMouse },
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

function byMouse(page: Page): Hand {
  return counted({
    async press(what) {
      await page.waitForLoadState();
      await what.click();
    },
    write: (what, text) => what.fill(text),
    pick: (_, select, option) => select.locator('option', { hasText: option }).click(),
    async file(what, path) {
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), what.click()]);
      await chooser.setFiles(path);
    },
  });
}

/** Presses Tab until the element has the focus; the link that skips the menu comes first. */
async function reach(page: Page, what: Locator): Promise<void> {
  const { keyboard } = page;
  await page.waitForLoadState();
  const isFresh = await page.locator('body').evaluate((body) => body === body.ownerDocument.activeElement);
  if (isFresh && (await what.evaluate((element) => element.closest('main') !== null))) {
    await keyboard.press('Tab');
    await keyboard.press('Enter');
  }
  let element = await what.elementHandle();
  for (let presses = 0; presses < MOST; presses += 1) {
    const { isThere, hasFocus } = (await element?.evaluate((node) => {
      return { isThere: node.isConnected, hasFocus: node === node.ownerDocument.activeElement };
    })) ?? { isThere: false, hasFocus: false };
    if (hasFocus) return;
    // A part of the page may have been exchanged meanwhile.
    if (isThere) await keyboard.press('Tab');
    else element = await what.elementHandle();
  }
  throw new Error(`${what} cannot be reached by keyboard`);
}

function byKeyboard(page: Page): Hand {
  const { keyboard } = page;
  return counted({
    async press(what) {
      await reach(page, what);
      await keyboard.press('Enter');
    },
    async write(what, text) {
      await reach(page, what);
      await keyboard.press('Control+A');
      await keyboard.type(text);
    },
    async pick(written, select, option) {
      await reach(page, written);
      await keyboard.press('ArrowDown');
      for (let presses = 0; presses < MOST; presses += 1) {
        if ((await select.locator('option:checked').textContent())?.includes(option)) return;
        await keyboard.press('ArrowDown');
      }
      throw new Error(`${option} is not offered`);
    },
    async file(what, path) {
      // A part of the page that is exchanged at this moment takes the focus with it.
      for (let attempts = 0; attempts < 5; attempts += 1) {
        await reach(page, what);
        const chooser = page.waitForEvent('filechooser', { timeout: 5000 }).catch(() => null);
        await keyboard.press('Enter');
        const chosen = await chooser;
        if (chosen !== null) return chosen.setFiles(path);
      }
      throw new Error(`${what} does not ask for a file`);
    },
  });
}

/** Presses of a key after which an element counts as out of reach. */
const MOST = 200;

function counted(hand: Omit<Hand, 'steps'>): Hand {
  let steps = 0;
  const step = <A extends readonly unknown[]>(action: (...given: A) => Promise<void>) => {
    return async (...given: A): Promise<void> => {
      steps += 1;
      await action(...given);
    };
  };
  return {
    steps: () => steps,
    ...{ press: step(hand.press), write: step(hand.write), pick: step(hand.pick), file: step(hand.file) },
  };
}
