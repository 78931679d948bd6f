import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { aLine, csvOf } from '../support/focus.ts';
import { axeIssues } from './axe.ts';
import { describeInBrowser, errorsOf, fillNumber, follow, rowsOf, settled, useBrowser } from './browser.ts';
import { registerAdmin, syncStands } from './connected.ts';
import { emptyWorld } from './world.ts';

const line = aLine({ day: '2026-10-05', cost: '12.50', InvoiceId: 'I-10', InvoiceIssuerName: 'Acme' });
const october = csvOf([line], { columns: Object.keys(line) });
const september = csvOf([aLine({ day: '2026-09-05' })]);
const fileOf = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

describeInBrowser('the console', () => {
  const world = emptyWorld();
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    await registerAdmin(world());
    page = await browser.signedIn(world());
  });

  it('connects an account for uploads, loads a file and reports a file that is not a bill', async () => {
    await follow(page, '/accounts/connect/focus');
    await page.getByText('Upload', { exact: true }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Colocation');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Colocation' }).waitFor();
    await syncStands(page, 'Succeeded');
    await page.getByText('Nothing loaded yet').waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/Never|uploads:\/\//);
    await page.getByText('FOCUS · Uploaded files').waitFor();
    const titles = page.locator('main section h2');
    expect((await titles.allInnerTexts())[0]).toBe('Files');
    expect(await page.getByText('Warnings from the last sync').count()).toBe(0);
    await follow(page, '/');
    await page.getByRole('link', { name: 'Upload bill files' }).click();
    await page.getByRole('heading', { level: 1, name: 'Colocation' }).waitFor();
    const files = page.getByRole('table', { name: 'Uploaded files' });
    await page.locator('input[type=file]').setInputFiles(fileOf('october.csv', october));
    await expect.poll(async () => (await rowsOf(files))[0]?.slice(0, 2)).toEqual(['october.csv', '2026-10']);
    await syncStands(page, 'Succeeded');
    await page.locator('input[type=file]').setInputFiles(fileOf('colors.csv', 'name,color\napple,red\n'));
    await page.getByText('1 file was not read (no columns of costs and times): colors.csv').waitFor();
    await page.locator('input[type=file]').setInputFiles(fileOf('photo.csv', 'P\0N\0G'));
    await page.getByText('File "photo.csv" has a text extension, but is not UTF-8 text').waitFor();
    expect(await titles.allInnerTexts()).toEqual(['Sync', 'History', 'Files', 'Connection']);
    await page.locator('input[type=file]').setInputFiles(fileOf('slides.pptx', 'x'));
    await page.getByRole('alert').getByText('slides.pptx').first().waitFor();
    await settled(page);
    expect(await axeIssues(page)).toEqual([]);
    expect(errorsOf(page)).toEqual([]);
  }, 90_000);

  it('compares an invoice with the amount that its Admin enters', async () => {
    await follow(page, '/invoices');
    const row = page.getByRole('row').filter({ hasText: 'I-10' });
    await row.getByText('Missing').waitFor();
    await row.getByRole('button', { name: 'Enter the invoice total for I-10' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Invoice total' });
    await fillNumber(dialog.getByLabel('Amount'), '12.50');
    await page.keyboard.press('Enter');
    await row.getByText('Matched').waitFor();
    await row.getByRole('button', { name: 'Enter the invoice total for I-10' }).press('Enter');
    await fillNumber(dialog.getByLabel('Amount'), '13');
    await page.keyboard.press('Enter');
    await row.getByText('Different').waitFor();
    await row.getByText('+$0.50').waitFor();
    await settled(page);
    expect(await axeIssues(page)).toEqual([]);
    await row.getByRole('link', { name: 'I-10' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Costs' }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('invoice')).toBe('I-10');
    expect(await page.getByText('$0.00').count()).toBe(0);
  }, 90_000);

  it('removes the months of a deleted file', async () => {
    await follow(page, '/accounts');
    await page.getByRole('link', { name: 'Colocation' }).press('Enter');
    await page.getByRole('button', { name: 'Actions for october.csv' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByText('Nothing was loaded: colors.csv is not a bill').first().waitFor();
    await expect
      .poll(() => page.getByRole('table', { name: 'Uploaded files' }).innerText())
      .not.toContain('october.csv');
  }, 90_000);

  it('shows which file is unreadable, and loads the others after it is deleted', async () => {
    const files = page.getByRole('table', { name: 'Uploaded files' });
    const state = async (name: string) => (await rowsOf(files)).find(([file]) => file === name)?.[1];
    await page.locator('input[type=file]').setInputFiles(fileOf('truncated.csv', `${october}"`));
    await expect.poll(() => state('truncated.csv')).toBe('Unreadable: see the error above');
    await page.locator('input[type=file]').setInputFiles(fileOf('september.csv', september));
    await expect.poll(() => state('september.csv')).toBe('Waiting: another file is unreadable');
    await page.getByRole('alert').getByText('Delete or replace the unreadable files of the account.').waitFor();
    expect(await page.getByRole('link', { name: 'Change settings' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Go to the files' }).press('Enter');
    await expect.poll(() => new URL(page.url()).hash).toBe('#files');
    await page.getByRole('button', { name: 'Actions for truncated.csv' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await expect.poll(() => state('september.csv')).toBe('2026-09');
  }, 90_000);

  it('ends the last 30 days of an account with the last complete day as soon as it is known', async () => {
    const days = [4, 3, 2].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10));
    const recent = csvOf(days.map((day) => aLine({ day, cost: '1.00' })));
    const august = csvOf([aLine({ day: '2026-08-05' })]);
    await page.locator('input[type=file]').setInputFiles([fileOf('recent.csv', recent), fileOf('august.csv', august)]);
    const ends = async () => {
      const text = await page.getByRole('main').innerText();
      const [, range = '', last = ''] =
        /Last 30 days\n.+\n(.+)\nComplete through\n(.+)/.exec(text.replaceAll(/\n+/g, '\n')) ?? [];
      // The months between are not uploaded, so they are named after the days.
      return [range.split(' · ')[0]?.split(' – ')[1], last];
    };
    const last = new Date(days[2] ?? '').toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
    await expect.poll(ends).toEqual([last, last]);
    // The sync of the first file does not include the second.
    await page.getByRole('table', { name: 'Uploaded files' }).getByText('2026-08').waitFor();
  }, 90_000);
});
