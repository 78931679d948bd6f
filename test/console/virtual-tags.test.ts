import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { axeIssues } from './axe.ts';
import { describeInBrowser, errorsOf, follow, settled, useBrowser } from './browser.ts';
import { demoWorld } from './world.ts';

describeInBrowser('the rules of a virtual tag', () => {
  const world = demoWorld();
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    page = await browser.signedIn(world());
  });

  it('are dragged to another position, which changes the preview', async () => {
    const { data } = await world().rest<{ data: { id: string; rules: object[] }[] }>('GET', '/virtual-tags');
    const [tag] = data;
    await follow(page, `/tags/virtual/${tag?.id}`);
    await settled(page);
    const items = page.getByRole('list', { name: 'Rules' }).locator(':scope > li');
    const summaries = () =>
      items.evaluateAll((found) => found.map((item) => item.querySelector('b')?.closest('span')?.textContent ?? ''));
    const before = await summaries();
    expect(before).toHaveLength(tag?.rules.length ?? 0);
    const platform = page
      .getByRole('region', { name: 'Preview' })
      .getByRole('listitem')
      .filter({ hasText: 'platform' });
    const costs = async () => (await platform.allInnerTexts()).join();
    const shownBefore = await costs();

    const grip = items.last().getByTitle('Drag to reorder');
    await grip.hover();
    await page.mouse.down();
    const top = await items.first().boundingBox();
    await page.mouse.move(top?.x ?? 0, (top?.y ?? 0) + 2, { steps: 5 });
    await expect.poll(() => items.first().getAttribute('data-drag')).toBe('before');
    expect(await summaries()).toEqual(before);
    await page.mouse.up();

    expect(await summaries()).toEqual([before.at(-1), ...before.slice(0, -1)]);
    await page
      .getByRole('status')
      .filter({ hasText: `Rule ${before.length} is now rule 1` })
      .waitFor();
    await expect.poll(costs, { timeout: 30_000 }).not.toBe(shownBefore);
    expect(await axeIssues(page)).toEqual([]);
    expect(errorsOf(page)).toEqual([]);
  });

  it('have no grip if there is only one', async () => {
    await follow(page, '/tags/virtual/new');
    await page.getByRole('group', { name: 'Rule 1', exact: true }).waitFor();
    expect(await page.getByTitle('Drag to reorder').count()).toBe(0);
  });
});
