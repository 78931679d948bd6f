import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { axeIssues } from './axe.ts';
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

  const opened = async (path: string, name: string | RegExp) => {
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

  it('break an email address before its punctuation only', async () => {
    const email = 'alexandra.mustermann@long-company.example';
    await world().rest('POST', '/org/invite', { body: { emails: [email], role: 'viewer' } });
    const table = await opened('/settings/invitations', 'Invitations');
    const cell = table.locator('tbody td').first().locator('div').first();
    expect((await cell.innerText()).replaceAll(/\s/g, '')).toBe(email);
    // A line for each part: the words themselves do not break.
    const lines = await cell.evaluate((text) => {
      const { lineHeight } = getComputedStyle(text);
      return Math.round(text.getBoundingClientRect().height / Number.parseFloat(lineHeight));
    });
    expect(lines).toBeLessThanOrEqual(3);
  });

  it('name the provider of an account', async () => {
    const table = await opened('/accounts', 'Accounts');
    const rows = await table.locator('tbody tr').allInnerTexts();
    expect(rows).toEqual(rows.map(() => expect.stringMatching(/\nFOCUS · (aws|azure|gcp)\n/)));
  });

  it('give titles of recommendations half of the width or more', async () => {
    const table = await opened('/recommendations', 'Recommendations');
    const share = await table.evaluate((all) => {
      const title = all.querySelector('tbody td:nth-child(2)');
      return (title?.getBoundingClientRect().width ?? 0) / all.getBoundingClientRect().width;
    });
    expect(share).toBeGreaterThan(0.5);
  });

  it.each([
    ['/costs?group=service&then=region', /^Costs by/, phone],
    ['/costs?group=service&then=region', /^Costs by/, desk],
    ['/recommendations', 'Recommendations', desk],
    ['/inventory', 'Resources', phone],
  ])('keep the table header of %s, %s in the window while it scrolls', async (path, name, window) => {
    await page.setViewportSize(window);
    await follow(page, path);
    await settled(page);
    const table = page.getByRole('table', { name });
    await table.locator('tbody tr').last().scrollIntoViewIfNeeded();
    expect(await table.locator('thead').evaluate(seenAtHead)).toBe('head');
    await page.setViewportSize(phone);
  });

  it('show columns of costs that the user chooses', async () => {
    const table = await opened('/costs?group=service', /^Costs by/);
    const share = table.getByRole('columnheader', { name: 'Share' });
    expect(await share.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Columns' }).click();
    for (const name of ['Share', 'Previous', 'Change']) await page.getByRole('checkbox', { name, exact: true }).check();
    await page.keyboard.press('Escape');
    await share.waitFor();
    expect(await axeIssues(page)).toEqual([]);
    const [name] = await table.locator('tbody td:first-child').all();
    expect((await name?.boundingBox())?.width).toBeGreaterThan(100);
  });

  it('show all three dots of the menu of a dashboard', async () => {
    const paths = await pathsFor(world());
    await follow(page, paths['/dashboards/:id'] ?? '');
    const dots = page.getByRole('button', { name: 'Actions for this dashboard' }).locator('svg');
    expect((await dots.boundingBox())?.width).toBe(18);
  });

  it('print in full', async () => {
    await page.setViewportSize(desk);
    const table = await opened('/recommendations', 'Recommendations');
    const hidden = () => table.evaluate(hiddenHeight);
    expect(await hidden()).toBeGreaterThan(100);
    await page.emulateMedia({ media: 'print' });
    expect(await hidden()).toBe(0);
    // Titles that sort are buttons, which are not printed elsewhere.
    expect(await table.getByRole('columnheader').getByRole('button').count()).toBeGreaterThan(0);
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize(phone);
  });

  it('do not scroll in their cards if they fit in the window', async () => {
    await page.setViewportSize(desk);
    const table = await opened('/budgets', 'Budgets');
    expect(await table.evaluate(hiddenHeight)).toBe(0);
    await page.setViewportSize(phone);
  });
});

/** The element at the left end of a table head: the head itself, unless it is outside of the window or covered. */
function seenAtHead(head: Element): string | undefined {
  const { y, height } = head.getBoundingClientRect();
  const { x = 0 } = head.closest('[role=group]')?.getBoundingClientRect() ?? {};
  const seen = document.elementFromPoint(x + 24, y + height / 2);
  return head.contains(seen) ? 'head' : `${seen?.outerHTML} at ${y}`;
}

/** Height in px of the rows that a table's frame hides. */
function hiddenHeight(table: Element): number {
  const frame = table.closest('[role=group]');
  return frame ? frame.scrollHeight - frame.clientHeight : Number.NaN;
}
