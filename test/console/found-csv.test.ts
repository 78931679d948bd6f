import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { costsHref } from '../../src/console/costs/address.ts';
import { describeInBrowser, useBrowser, visit } from './browser.ts';
import { demoWorld } from './world.ts';

describeInBrowser('the table of the cost explorer', () => {
  const world = demoWorld();
  const browser = useBrowser();

  it('saves only the rows that were found', async () => {
    const page = await browser.signedIn(world());
    await visit(page, `${costsHref({ group: 'service' })}&find=EC2`);
    const card = page.getByRole('region', { name: 'By service', exact: true });
    const names = await card.locator('tbody tr td:first-child').allInnerTexts();
    expect(names.length).toBeGreaterThan(0);
    const download = page.waitForEvent('download');
    await card.getByRole('button', { name: 'CSV' }).click();
    const [, ...lines] = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
    expect(lines.map((line) => line.split(',')[0])).toEqual(names.map((name) => name.trim()));
  });
});
