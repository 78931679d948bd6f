import { expect, it } from 'vitest';
import { axeIssues } from './axe.ts';
import { describeInBrowser, errorsOf, follow, useBrowser } from './browser.ts';
import { emptyWorld } from './world.ts';

/** Pages about costs and findings. */
const pages = [
  '/costs',
  '/forecast',
  '/anomalies',
  '/recommendations',
  '/coverage',
  '/coverage/planner',
  '/inventory',
  '/tags',
  '/tags/violations',
  '/invoices',
  '/accounts',
];

describeInBrowser('the first hour', () => {
  const world = emptyWorld();
  const browser = useBrowser();

  it('leads from the first visit to sample data, and back to an empty organization', { timeout: 400_000 }, async () => {
    const { url, admin } = world();
    const page = await (await browser.window()).newPage();
    await page.goto(`${url}/login`);
    await page.getByRole('heading', { level: 1, name: 'Create your organization' }).waitFor();
    await page.getByLabel('Your name').fill('Ana Example');
    await page.getByLabel('Email').fill(admin.email);
    await page.getByLabel('Password', { exact: true }).fill(admin.password);
    await page.getByLabel('Organization name').fill('Plum Kite');
    await page.keyboard.press('Enter');
    const main = page.getByRole('main');
    await main.getByRole('heading', { name: 'Get started' }).waitFor();
    expect(await axeIssues(page)).toEqual([]);
    for (const at of pages) {
      await follow(page, at);
      await expect.poll(() => main.innerText(), { message: at }).toContain('No account connected');
      await expect.poll(() => main.getByRole('link', { name: 'Connect an account' }).count()).toBeGreaterThan(0);
    }

    await follow(page, '/');
    await main.getByRole('button', { name: 'Load sample data' }).click();
    await main.getByText('You are looking at sample data of a made-up company.').waitFor();
    await main.getByText('AWS sample').first().waitFor();
    await main.getByRole('heading', { name: 'Last 30 days' }).waitFor({ timeout: 120_000 });
    // The sample has a budget.
    await main.getByText('3 of 4 done').waitFor();
    await expect
      .poll(() => main.getByRole('link', { name: 'Add a channel' }).getAttribute('href'))
      .toBe('/settings/channels?new=1');
    await main.getByRole('button', { name: 'Hide', exact: true }).click();
    await page.reload();
    await main.getByRole('heading', { name: 'Last 30 days' }).waitFor();
    await expect.poll(() => main.getByText('Get started').count()).toBe(0);

    await follow(page, '/accounts');
    await expect
      .poll(() => main.getByRole('table', { name: 'Accounts' }).getByText('Sample', { exact: true }).count())
      .toBe(3);
    await follow(page, '/costs');
    await main.getByRole('button', { name: 'Remove sample data' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove sample data' });
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await main.getByRole('button', { name: 'Load sample data' }).waitFor({ timeout: 150_000 });
    await expect.poll(() => main.getByText('sample data of a made-up company').count()).toBe(0);
    await follow(page, '/accounts/connect');
    await main.getByRole('button', { name: 'Load sample data' }).waitFor();
    // The refresh without a cookie, before the registration.
    expect(errorsOf(page).filter((error) => !error.includes('401'))).toEqual([]);
  });

  it('refers other members to an Admin, and offers them no sample data', async () => {
    const page = await browser.signedIn(world(), await world().join('member'));
    const main = page.getByRole('main');
    for (const at of ['/', '/anomalies', '/costs']) {
      await follow(page, at);
      await expect.poll(() => main.innerText(), { message: at }).toContain('Ask an Admin to connect an account.');
      expect(await main.getByRole('button', { name: 'Load sample data' }).count()).toBe(0);
    }
  });
});
