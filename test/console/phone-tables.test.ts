import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeInBrowser, follow, settled, useBrowser } from './browser.ts';
import { pathsFor } from './paths.ts';
import { demoWorld } from './world.ts';

const phone = { width: 390, height: 844 };
const desk = { width: 1440, height: 900 };

describeInBrowser('tables on a phone', () => {
  const world = demoWorld();
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    page = await browser.signedIn(world());
    await page.setViewportSize(phone);
  });

  const opened = async (path: string, name: string) => {
    await follow(page, path);
    await settled(page);
    return page.getByRole('table', { name });
  };

  it('keep names of resources in one line beside their tag violations', async () => {
    const table = await opened('/tags/violations', 'Tag violations');
    const heights = await table
      .locator('tbody td:first-child a')
      .evaluateAll((links) => links.map((link) => [link.textContent, link.getBoundingClientRect().height] as const));
    const short = heights.filter(([name]) => name.length <= 12);
    expect(short.length).toBeGreaterThan(3);
    expect(short.filter(([, height]) => height > 28)).toEqual([]);
  });

  it('show the dimension of a cost driver, whose column is hidden, above its value', async () => {
    const paths = await pathsFor(world());
    const table = await opened(paths['/anomalies/:id'] ?? '', 'Cost drivers');
    const notes = table.getByText('Region', { exact: true });
    expect(await notes.filter({ visible: true }).count()).toBe(1);
    await page.setViewportSize(desk);
    expect(await notes.filter({ visible: true }).evaluateAll(([cell]) => cell?.tagName)).toBe('TD');
    await page.setViewportSize(phone);
  });

  it('show days and format of a report below its name', async () => {
    const table = await opened('/reports', 'Reports');
    const [row] = await table.locator('tbody tr').allInnerTexts();
    expect(row).toMatch(/20\d\d · (PDF|XLSX|CSV|JSON)/);
  });

  it('give titles of recommendations half of the width or more', async () => {
    const table = await opened('/recommendations', 'Recommendations');
    const share = await table.evaluate((all) => {
      const title = all.querySelector('tbody td:nth-child(2)');
      return (title?.getBoundingClientRect().width ?? 0) / all.getBoundingClientRect().width;
    });
    expect(share).toBeGreaterThan(0.5);
  });
});
