import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { costsHref } from '../../src/console/costs/address.ts';
import { describeInBrowser, follow, settled, useBrowser } from './browser.ts';
import { demoWorld } from './world.ts';

describeInBrowser('the cost explorer', () => {
  const world = demoWorld();
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    page = await browser.signedIn(world());
  });

  it('saves only the rows that were found', async () => {
    await follow(page, `${costsHref({ group: 'service' })}&find=EC2`);
    const card = page.getByRole('region', { name: 'By service', exact: true });
    const names = await card.locator('tbody tr td:first-child').allInnerTexts();
    expect(names.length).toBeGreaterThan(0);
    const download = page.waitForEvent('download');
    await card.getByRole('button', { name: 'CSV' }).click();
    const [, ...lines] = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
    expect(lines.map((line) => line.split(',')[0])).toEqual(names.map((name) => name.trim()));
  });

  it('saves a PNG that names its dates, metric, currency and filters', async () => {
    const dates = { from: '2026-01-01', to: '2026-01-31' };
    await follow(
      page,
      costsHref({ ...dates, group: 'service', metric: 'billed', provider: 'gcp', exclude_service: 'BigQuery' }),
    );
    await page.evaluate(() => {
      const written: string[] = [];
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function write(text, ...place) {
        written.push(text);
        fillText.call(this, text, ...place);
      };
      Object.assign(globalThis, { written });
    });
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const picture = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'PNG' }).click();
    const png = await readFile(await (await picture).path());
    expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    // Twice the size of the chart.
    expect(png.readUInt32BE(16)).toBeGreaterThan(1500);
    const written = await page.evaluate(() => (globalThis as unknown as { written: string[] }).written);
    expect(written[0]).toBe('Costs over time by service, Jan 1–31, 2026');
    expect(written[1]).toBe('Billed cost in USD; Provider is Google Cloud; Service is not BigQuery');
    expect(written.at(-1)).toBe('Dec 1–31, 2025');
  });

  it('keeps the filter menu at its button when a filter moves the button', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await follow(page, costsHref({}));
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('option', { name: 'Service', exact: true }).click();
    await page.keyboard.type('EC2');
    await page.locator('[data-combobox-selected]').getByText('Amazon Elastic Compute Cloud').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Filters' }).waitFor();
    await settled(page);
    const place = async () => {
      const button = await page.getByRole('button', { name: 'Filter', exact: true }).boundingBox();
      const menu = await page.locator('.mantine-Combobox-dropdown', { has: page.getByRole('dialog') }).boundingBox();
      return { left: (menu?.x ?? 0) - (button?.x ?? 0), isBelow: (menu?.y ?? 0) > (button?.y ?? 0) };
    };
    await expect.poll(place).toEqual({ left: 0, isBelow: true });
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('names the days that the amount of an anomaly covers', async () => {
    const { anomalies } = await world().gql<{
      anomalies: { data: { id: string; service: string; startDate: string; endDate: string }[] };
    }>('{ anomalies(sortBy: IMPACT_DESC, perPage: 100) { data { id service startDate endDate } } }');
    const long = anomalies.data.find(
      ({ startDate, endDate }) => startDate.slice(0, 7) === endDate.slice(0, 7) && startDate < endDate,
    );
    const { id, service, startDate = '', endDate = '' } = long ?? {};
    await follow(page, costsHref({ from: startDate, to: endDate, service }));
    const link = page.getByRole('main').locator(`a[href="/anomalies/${id}"]`);
    expect(await link.innerText()).toMatch(
      new RegExp(`^\\w+ ${Number(startDate.slice(8))}–${Number(endDate.slice(8))} ${service}$`),
    );
  });

  it('opens no breakdown of a day outside the range', async () => {
    await follow(page, costsHref({ from: '2026-10-01', to: '2026-10-31', day: '2020-01-01' }));
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
