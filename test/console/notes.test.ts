import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { addDays, addMonths, monthStart, today } from '../../src/console/words/days.ts';
import { axeIssues } from './axe.ts';
import { describeInBrowser, errorsOf, follow, settled, useBrowser, visit } from './browser.ts';
import { demoWorld } from './world.ts';

/** A day of the demo's last whole month. */
const from = addMonths(monthStart(today()), -1);
const noted = addDays(from, 3);
const range = `from=${from}&to=${addDays(from, 9)}`;

describeInBrowser('notes', () => {
  const world = demoWorld();
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    page = await browser.signedIn(world());
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const note = () => dialog().getByRole('textbox', { name: 'Note' });
  const below = () => page.getByRole('list', { name: 'Notes in this period' });

  it('are added to a day, and marked in the chart with their text in the tooltip', async () => {
    await follow(page, `/costs?${range}&day=${noted}`);
    await button('Add note').click();
    await dialog().getByRole('button', { name: 'Add note' }).click();
    await dialog().getByText('Enter a note').waitFor();
    await note().fill('Migration to Graviton began');
    await dialog().getByLabel('Last day').fill(addDays(noted, 1));
    expect(await axeIssues(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Add note' }).click();
    await dialog().getByRole('list', { name: 'Notes' }).getByText('Migration to Graviton began').waitFor();
    expect(await axeIssues(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await below().getByText('Migration to Graviton began').waitFor();

    await page.getByRole('group', { name: /^Costs per/ }).focus();
    await page.keyboard.press('Home');
    expect(await page.getByRole('status').filter({ hasText: 'Total' }).innerText()).not.toContain('Graviton');
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('status').filter({ hasText: 'Total' }).innerText()).toContain(
      'Migration to Graviton began',
    );
    expect(errorsOf(page)).toEqual([]);
  });

  it('are changed and deleted in the breakdown of their day', async () => {
    await follow(page, `/costs?${range}`);
    await below().getByRole('button').first().click();
    await dialog().getByRole('button', { name: 'Actions for the note Migration to Graviton began' }).click();
    await page.getByRole('menuitem', { name: 'Edit note' }).click();
    await note().fill('Migration to Graviton ended');
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await dialog().getByRole('button', { name: 'Actions for the note Migration to Graviton ended' }).click();
    await page.getByRole('menuitem', { name: 'Delete note' }).click();
    await button('Delete note').click();
    await page.getByText('Note deleted').waitFor();
    await page.keyboard.press('Escape');
    await settled(page);
    expect(await below().count()).toBe(0);
    expect(errorsOf(page)).toEqual([]);
  });

  it('about an account are shown with its costs only', async () => {
    const { accounts } = await world().gql<{ accounts: { data: { id: string }[] } }>('{ accounts { data { id } } }');
    const [one, two] = accounts.data.map(({ id }) => id);
    const body = { start_date: noted, text: 'About one account', account_id: one };
    const { id } = await world().rest<{ id: string }>('POST', '/annotations', { body });
    const expectShown = async (query: string, count: number) => {
      await visit(page, `/costs?${range}&${query}`);
      await expect.poll(() => below().count()).toBe(count);
    };
    await expectShown(`account=${one}`, 1);
    await expectShown(`account=${two}`, 0);
    await expectShown(`exclude_account=${one}`, 0);
    await expectShown('group=region', 1);
    await world().rest('DELETE', `/annotations/${id}`);
  });
});
