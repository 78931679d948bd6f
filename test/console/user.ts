import type { Locator, Page } from 'playwright-core';
import { settled } from './browser.ts';

/** A user of the console whose clicks, inputs and shortcuts are counted. */
export interface CountedUser {
  /** Clicks a link, button, row or option. */
  click(target: Locator): Promise<void>;
  /** Types into a field. */
  type(target: Locator, text: string): Promise<void>;
  /** Presses a shortcut, or Enter. */
  press(keys: string): Promise<void>;
  /** Opens a picker and chooses an option: two interactions. */
  choose(picker: Locator, option: string | RegExp): Promise<void>;
  /** Returns the number of interactions so far. */
  count(): number;
}

/** Counts what a user does on a page, and waits after each interaction until the page is complete. */
export function countedUser(page: Page): CountedUser {
  let count = 0;
  const act = async (done: Promise<unknown>) => {
    count += 1;
    await done;
    await settled(page);
  };
  const click: CountedUser['click'] = (target) => act(target.click());
  return {
    click,
    type: (target, text) => act(target.fill(text)),
    press: (keys) => act(page.keyboard.press(keys)),
    async choose(picker, option) {
      await click(picker);
      await click(page.getByRole('option', { name: option }).first());
    },
    count: () => count,
  };
}
