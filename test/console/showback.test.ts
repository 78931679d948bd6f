import fs from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { addDays, addMonths, dayOf, firstDay, lastDay, monthOf } from '../../src/kit/time/period.ts';
import { readPdf } from '../actions/reports/pdf/read.ts';
import { aLine, csvOf } from '../support/focus.ts';
import { axeIssues, contrastIssues } from './axe.ts';
import { describeInBrowser, errorsOf, follow, rowsOf, settled, useBrowser } from './browser.ts';
import { registerAdmin, syncStands } from './connected.ts';
import { emptyWorld } from './world.ts';

const month = addMonths(monthOf(dayOf(new Date())), -1);
const day = addDays(firstDay(month), 3);
const of = (team: string, cost: string) => aLine({ day, cost, ResourceId: team, Tags: JSON.stringify({ team }) });
/** Last month's bill: the platform's 30 are split 2 to 1, as web and data cost. */
const lines = [of('web', '40'), of('data', '20'), of('platform', '30'), aLine({ day, cost: '10', ResourceId: 'none' })];
const bill = csvOf(lines, { columns: Object.keys(lines[0] ?? {}) });

interface Costs {
  readonly rows: readonly { readonly keys: Record<string, string>; readonly cost: number }[];
}

describeInBrowser('showback', () => {
  const world = emptyWorld();
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    await registerAdmin(world());
    page = await browser.signedIn(world());
  });

  it('leads from an empty organization to the showback of each team as PDF', async () => {
    await follow(page, '/accounts/connect/focus');
    await page.getByText('Upload', { exact: true }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Bills');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Bills' }).waitFor();
    const file = { name: 'bill.csv', mimeType: 'text/csv', buffer: Buffer.from(bill) };
    await page.locator('input[type=file]').setInputFiles(file);
    await syncStands(page, 'Succeeded');

    await follow(page, '/tags/virtual/new');
    await page.getByLabel('Name').fill('Team');
    await page.getByRole('combobox', { name: 'Value type' }).click();
    await page.getByRole('option', { name: 'From a dimension' }).click();
    await page.getByRole('combobox', { name: /^Dimension/ }).fill('team');
    await page.getByRole('option', { name: 'team', exact: true }).click();
    await page.getByRole('button', { name: 'Add split' }).press('Enter');
    await page.getByLabel('Split name').fill('Platform');
    await page.getByRole('combobox', { name: 'Source values' }).fill('platform');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Method' }).click();
    await page.getByRole('option', { name: /^Proportional/ }).click();
    await page.getByRole('combobox', { name: 'Targets' }).click();
    await page.getByRole('option', { name: 'Chosen values' }).click();
    for (const value of ['web', 'data']) {
      await page.getByRole('combobox', { name: 'Target values' }).fill(value);
      await page.keyboard.press('Enter');
    }
    await page.getByRole('button', { name: 'Create virtual tag' }).press('Enter');
    await page.getByRole('table', { name: 'Virtual tags' }).waitFor();

    await follow(page, '/reports');
    await page.getByRole('button', { name: 'New report' }).first().press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Type', exact: true }).click();
    await page.getByRole('option', { name: /^Showback/ }).click();
    await dialog.getByRole('button', { name: 'Create report' }).press('Enter');
    await dialog.getByText('Choose a virtual tag').waitFor();
    await dialog.getByRole('combobox', { name: 'Virtual tag' }).click();
    await page.getByRole('option', { name: 'Team', exact: true }).click();
    await dialog.getByRole('button', { name: 'Create report' }).press('Enter');
    const row = page.getByRole('row', { name: /Showback/ });
    const saving = page.waitForEvent('download');
    await row.getByRole('button', { name: /^Download Showback/ }).press('Enter');
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe(`showback-${firstDay(month)}-${lastDay(month)}.pdf`);
    const texts = readPdf(fs.readFileSync(await saved.path())).flatMap((one) => one.lines.map(({ text }) => text));
    const range = `start_date=${firstDay(month)}&end_date=${lastDay(month)}`;
    const { rows } = await world().rest<Costs>('GET', `/costs?group_by=virtual:team&include_shared=true&${range}`);
    const costs = rows.map(({ keys, cost }) => [keys['virtual:team'], cost]);
    expect(costs).toEqual([
      ['web', 60],
      ['data', 30],
      ['Unallocated', 10],
      ['platform', 0],
    ]);
    expect(texts).toEqual(expect.arrayContaining(['$60.00', '$30.00', '$10.00', '$100.00']));
    expect(texts).toContain('90%');
    expect(errorsOf(page)).toEqual([]);
  }, 180_000);

  it('schedules it, with the file of a team for its recipients', async () => {
    await follow(page, '/reports/schedules');
    await page.getByRole('button', { name: 'New schedule' }).first().press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Teams');
    await dialog.getByRole('combobox', { name: 'Type', exact: true }).click();
    await page.getByRole('option', { name: /^Showback/ }).click();
    await dialog.getByRole('combobox', { name: 'Virtual tag' }).click();
    await page.getByRole('option', { name: 'Team', exact: true }).click();
    await dialog.getByRole('button', { name: 'Add a value' }).press('Enter');
    await dialog.getByRole('combobox', { name: /^Value( \*)?$/ }).fill('web');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Create schedule' }).press('Enter');
    await dialog.getByText('Enter at least one address for web').waitFor();
    await dialog.getByLabel('Value recipients').fill('web@example.com');
    await page.keyboard.press('Enter');
    await settled(page);
    expect(await axeIssues(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await contrastIssues(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await dialog.getByRole('button', { name: 'Create schedule' }).press('Enter');
    const table = page.getByRole('table', { name: 'Schedules' });
    await table.waitFor();
    await expect.poll(async () => (await rowsOf(table))[0]?.[0]).toContain('Showback as PDF');
    const { data } = await world().rest<{ data: { value_recipients: object[] }[] }>('GET', '/reports/schedules');
    expect(data.map((schedule) => schedule.value_recipients)).toEqual([
      [{ value: 'web', recipients: ['web@example.com'] }],
    ]);
    expect(errorsOf(page)).toEqual([]);
  }, 120_000);
});
