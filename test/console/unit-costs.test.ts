import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { addDays, addMonths, dayOf, daysIn, firstDay, monthOf } from '../../src/kit/time/period.ts';
import { bill } from '../support/bills.ts';
import { axeIssues, contrastIssues } from './axe.ts';
import { describeInBrowser, errorsOf, fillNumber, follow, rowsOf, settled, useBrowser } from './browser.ts';
import { registerAdmin } from './connected.ts';
import { emptyWorld } from './world.ts';

const today = dayOf(new Date());
const start = firstDay(addMonths(monthOf(today), -2));
const account = '01890000-0000-7000-8000-00000000000a';
/** 1,000 parcels on each day from the month before the last one through yesterday, except for one day, at $10 per day. */
const days = daysIn({ start, end: today }).filter((day) => day !== addDays(start, 40));
/** Cost per unit of the last month, of which a day may lack its value. */
const lastMonth = daysIn({ start: firstDay(addMonths(monthOf(today), -1)), end: firstDay(monthOf(today)) });
const perParcel = (lastMonth.length * 10) / (lastMonth.filter((day) => days.includes(day)).length * 1000);
const figure = `$${Number(perParcel.toPrecision(3))} per parcel`;
const csv = ['date,value,label:carrier', ...days.map((day) => `${day},1000,sea`)].join('\n');

describeInBrowser('the console', () => {
  const world = emptyWorld();
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    await registerAdmin(world());
    const { id } = await world().deps.db.organization.findFirstOrThrow();
    await bill(world().deps, id, {
      charges: daysIn({ start: addDays(start, -40), end: today }).map((date) => ({ account, date, cost: '10' })),
      completeThrough: { [account]: addDays(today, -1) },
    });
    page = await browser.signedIn(world());
  });

  it('creates a metric with values, and shows its cost per unit by month and day', async () => {
    await follow(page, '/unit-costs');
    await page.getByRole('button', { name: 'New unit metric' }).first().press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New unit metric' });
    await dialog.getByLabel('Name').fill('Parcels');
    await dialog.getByLabel('Key').fill('2 parcels');
    await dialog.getByLabel('Unit').fill('parcel');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a letter, then letters').waitFor();
    await dialog.getByLabel('Key').fill('Parcels');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Parcels' }).waitFor();
    await page.getByText('No values yet', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add values' }).press('Enter');
    const values = page.getByRole('dialog', { name: 'Add values to Parcels' });
    await values.getByLabel('CSV').fill('day,value\n2026-01-01,1');
    await values.getByRole('button', { name: 'Set values' }).press('Enter');
    await values.getByRole('alert').getByText('is not a column of values').waitFor();
    await values.getByLabel('CSV').fill(csv);
    await values.getByRole('button', { name: 'Set values' }).press('Enter');
    await page.getByText(`${days.length} values received, ${days.length} changed`).waitFor();
    const table = page.getByRole('table', { name: 'Cost per parcel' });
    await table.waitFor();
    const { points } = await world().rest<{ points: { quantity: number | null }[] }>(
      'GET',
      '/costs/unit?metric=parcels',
    );
    const shown = await rowsOf(table);
    const quantities = points.toReversed().map(({ quantity }) => quantity?.toLocaleString('en-US') ?? 'No values');
    expect(shown.map((cells) => cells[2])).toEqual(quantities);
    await settled(page);
    expect(await axeIssues(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await contrastIssues(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByText('Daily', { exact: true }).click();
    await expect.poll(async () => (await rowsOf(table)).length).toBe(30);
    expect(errorsOf(page)).toEqual([]);
  }, 90_000);

  it('lists the values with their labels, and deletes those of a range of days', async () => {
    await follow(page, '/unit-costs');
    await page.getByRole('link', { name: 'Parcels' }).first().click();
    const list = page.getByRole('table', { name: 'Values', exact: true });
    await list.waitFor();
    const card = page.getByRole('region', { name: 'Values', exact: true });
    await card.getByText(`1–25 of ${days.length} values`).waitFor();
    expect((await rowsOf(list))[0]?.slice(1)).toEqual(['carrier: sea', '1,000']);
    await card.getByRole('button', { name: 'Delete values' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete values of Parcels' });
    const last = days.at(-1) ?? today;
    await dialog.getByLabel('First day').fill(addDays(last, -1));
    await dialog.getByLabel('Last day').fill(addDays(last, -2));
    await dialog.getByRole('button', { name: 'Delete values' }).click();
    await dialog.getByText('The last day is before the first day').waitFor();
    expect(await axeIssues(page)).toEqual([]);
    await dialog.getByLabel('Last day').fill(last);
    await dialog.getByRole('button', { name: 'Delete values' }).click();
    await card.getByText(`1–25 of ${days.length - 2} values`).waitFor();
    const { id } = await world().deps.db.unitMetric.findFirstOrThrow({ where: { name: 'Parcels' } });
    const values = [last, addDays(last, -1)].map((date) => ({ date, value: 1000, labels: { carrier: 'sea' } }));
    await world().rest('PUT', `/metrics/${id}/values`, { body: values });
    expect(errorsOf(page)).toEqual([]);
  }, 60_000);

  it('shows a unit cost on the overview and in an alert rule, which blocks the deletion of its metric', async () => {
    await follow(page, '/');
    const card = page.getByRole('region', { name: 'Unit costs' });
    await card.getByText(figure).waitFor();
    await settled(page);
    expect(await axeIssues(page)).toEqual([]);
    await follow(page, '/alert-rules/new');
    await page.getByLabel('Name').fill('Dear parcels');
    await page.getByRole('combobox', { name: 'Metric', exact: true }).click();
    await page.getByRole('option', { name: 'Unit cost', exact: true }).click();
    await page.getByRole('combobox', { name: 'Unit metric' }).click();
    await page.getByRole('option', { name: 'Parcels' }).click();
    await fillNumber(page.getByLabel('Threshold'), '0.0123');
    await page.getByText('Unit cost (parcels, 7 days) above $0.0123').waitFor();
    await page.getByRole('button', { name: 'Create alert rule' }).press('Enter');
    await page.getByText('Alert rule Dear parcels created').waitFor();
    await follow(page, '/unit-costs');
    await page.getByRole('link', { name: 'Parcels' }).first().press('Enter');
    const remove = async () => {
      await page.getByRole('button', { name: 'More actions' }).press('Enter');
      await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete unit metric' }).press('Enter');
    };
    await remove();
    await page.getByRole('dialog').getByText('The unit metric is used by alert rules').waitFor();
    await page.keyboard.press('Escape');
    const rules = await world().rest<{ data: { id: string; name: string }[] }>('GET', '/alert-rules?per_page=100');
    const rule = rules.data.find(({ name }) => name === 'Dear parcels');
    await world().rest('DELETE', `/alert-rules/${rule?.id}`);
    await remove();
    await page.getByText('Parcels deleted').waitFor();
    expect(errorsOf(page)).toEqual([]);
  }, 90_000);
});
