import type { Page } from 'playwright-core';
import { expect, it, vi } from 'vitest';
import { axeIssues, contrastIssues } from './axe.ts';
import { describeInBrowser, errorsOf, follow, settled, useBrowser } from './browser.ts';
import { pathsFor } from './paths.ts';
import { smallTargets } from './targets.ts';
import { demoWorld } from './world.ts';

/** Dialogs and menus: their page, the button that opens them, and for menus the item that opens a dialog. */
const overlays: readonly (readonly [pattern: string, button: RegExp, item?: RegExp])[] = [
  ['/costs', /^Days: /],
  ['/costs', /^Filter/],
  ['/costs', /^Views?$/],
  ['/costs', /^Export$/],
  ['/recommendations', /^Columns$/],
  ['/costs', /^Save view$/],
  ['/dashboards/:id', /^Add widget$/],
  ['/dashboards/:id', /^Actions for this dashboard$/],
  ['/invoices', /^Enter the invoice total/],
  ['/unit-costs', /^New unit metric$/],
  ['/anomalies/:id', /^(Acknowledge|Resolve|Reopen)$/],
  ['/recommendations/:id', /^Snooze$/],
  ['/recommendations/:id', /^Snooze$/, /^Until a date/],
  ['/recommendations/:id', /^Change status$/],
  ['/recommendations/:id', /^Change status$/, /^(Applied|Archived)/],
  ['/budgets/:id', /^Delete$/],
  ['/alert-rules/:id', /^Delete$/],
  ['/tags/policies/:id', /^Delete$/],
  ['/tags/virtual/:id', /^Delete$/],
  ['/reports', /^New report$/],
  ['/reports/schedules', /^New schedule$/],
  ['/reports/schedules', /^Send .* now$/],
  ['/reports/schedules', /^Edit /],
  ['/reports/schedules', /^Delete /],
  ['/accounts/:id', /^Manage$/],
  ['/accounts/:id', /^Manage$/, /^Rename/],
  ['/accounts/:id', /^Manage$/, /^Disconnect/],
  ['/settings/tokens', /^New token$/],
  ['/settings/sessions', /^End all others$/],
  ['/settings/organization', /^Transfer ownership$/],
  ['/settings/organization', /^Delete organization$/],
  ['/settings/invitations', /^Invite$/],
  ['/settings/exchange-rates', /^Add rates$/],
  ['/settings/exchange-rates', /^Remove /],
  ['/settings/audit', /^Days: /],
  ['/settings/audit', /^Show /],
];

/** Time for the browser to move the focus or to close something on a busy machine. */
const patience = { timeout: 10_000 };

/** Returns whether a condition becomes true in time. */
function becomesTrue(check: () => Promise<boolean>): Promise<boolean> {
  return vi
    .waitFor(async () => expect(await check()).toBe(true), patience)
    .then(
      () => true,
      () => false,
    );
}

/** Opens it by keyboard, checks it in light and dark, and closes it with Escape. */
async function faultsOf(page: Page, button: RegExp, item: RegExp | undefined): Promise<string[]> {
  const opener = page.getByRole('main').getByRole('button', { name: button }).first();
  await opener.focus();
  await page.keyboard.press('Enter');
  const open = page.locator('[role="dialog"]:visible, [role="menu"]:visible');
  await open.first().waitFor();
  if (item) {
    await page.getByRole('menuitem', { name: item }).first().focus();
    await page.keyboard.press('Enter');
    await page.locator('[role="dialog"]:visible').waitFor();
  }
  await settled(page);
  const isInside = await becomesTrue(() =>
    page.evaluate(() => document.activeElement?.closest('[role="dialog"], [role="menu"]') !== null),
  );
  const light = [...(await axeIssues(page)), ...(await smallTargets(page))];
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  const dark = await contrastIssues(page);
  await page.emulateMedia({ colorScheme: 'light' });
  // An option list inside handles the first Escape.
  await vi.waitFor(async () => {
    await page.keyboard.press('Escape');
    expect(await open.count()).toBe(0);
  }, patience);
  const isBack = await becomesTrue(() => opener.evaluate((one) => one === document.activeElement));
  const focus = [...(isInside ? [] : ['the focus stays outside']), ...(isBack ? [] : ['the focus is lost at its end'])];
  return [...focus, ...light, ...dark.map((issue) => `dark: ${issue}`)];
}

describeInBrowser('the console', () => {
  const world = demoWorld();
  const browser = useBrowser();

  it('opens every dialog and menu, moves the focus into it and closes it by keyboard, without an accessibility issue', async () => {
    // A member to whom the ownership could be transferred.
    await world().someone('admin');
    const page = await browser.signedIn(world());
    const paths = await pathsFor(world());
    const faults: Record<string, string[]> = {};
    for (const [pattern, button, item] of overlays) {
      await follow(page, paths[pattern] ?? pattern);
      const found = await faultsOf(page, button, item).catch((error: Error) => [error.message]);
      if (found.length > 0) faults[`${pattern} ${button} ${item ?? ''}`] = found;
    }
    expect(faults).toEqual({});
    expect(errorsOf(page)).toEqual([]);
  }, 180_000);

  it('opens and closes the user menu by keyboard, without an accessibility issue', async () => {
    const page = await browser.signedIn(world());
    await page.getByRole('button', { name: /: menu$/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    expect(await axeIssues(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('menuitem').count()).toBe(0);
  });

  it('darkens the whole window behind a dialog, with the gutter of the scrollbar', async () => {
    const page = await browser.signedIn(world());
    await follow(page, '/reports');
    expect(await brightnessAtEdges(page)).toEqual([expect.closeTo(248, -1), expect.closeTo(248, -1)]);
    await page.getByRole('main').getByRole('button', { name: 'New report' }).first().click();
    await page.locator('[role="dialog"]:visible').waitFor();
    await settled(page);
    // The overlay makes black 60% of each colour.
    await expect.poll(() => brightnessAtEdges(page)).toEqual([expect.closeTo(99, -1), expect.closeTo(99, -1)]);
    await page.keyboard.press('Escape');
    await expect.poll(() => brightnessAtEdges(page)).toEqual([expect.closeTo(248, -1), expect.closeTo(248, -1)]);
  });
});

/** Returns the brightness (0 to 255) of the window at its lower right corner, and 30 px left of it, beside a scrollbar. */
async function brightnessAtEdges(page: Page): Promise<number[]> {
  const bytes = [...(await page.screenshot())];
  return page.evaluate(async (png) => {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(png)], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const at = (x: number) => [...(context?.getImageData(x, bitmap.height - 4, 1, 1).data ?? [])].slice(0, 3);
    return [bitmap.width - 4, bitmap.width - 30].map((x) => at(x).reduce((sum, one) => sum + one / 3, 0));
  }, bytes);
}
