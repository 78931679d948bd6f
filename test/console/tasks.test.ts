import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import PostalMime, { type Email } from 'postal-mime';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { runDueSchedules } from '../../src/actions/schedules/run.ts';
import { amount, csvOf, describeInBrowser, errorsOf, rowsOf, useBrowser, visit } from './browser.ts';
import { countedUser, type CountedUser } from './user.ts';
import { ownDemoWorld } from './world.ts';

interface List<Row> {
  readonly data: readonly Row[];
}

/** The first mail to an address that the server has saved in its data folder. */
async function mailTo(folder: string, email: string): Promise<Email> {
  const find = async () => {
    const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
    for (const name of names) {
      const mail = await PostalMime.parse(fs.readFileSync(path.join(folder, name)));
      if (mail.to?.some(({ address }) => address === email)) return mail;
    }
    throw new Error(`No mail to ${email}`);
  };
  return vi.waitFor(find, { timeout: 30_000, interval: 100 });
}

/** Common tasks, each with the most interactions that a user should need. Those that start on the overview count the
 *  navigation. */
describeInBrowser('a user', () => {
  const world = ownDemoWorld({ ALLOW_PRIVATE_WEBHOOKS: 'true' });
  const browser = useBrowser();
  let page: Page;
  let user: CountedUser;
  beforeAll(async () => {
    page = await browser.signedIn(world());
    await world().rest('PATCH', '/org', { body: { owner_tag_key: 'Name' } });
    const channel = { name: 'FinOps', kind: 'slack', url: 'http://127.0.0.1:9/services/finops' };
    await world().rest('POST', '/channels', { body: channel });
  });
  beforeEach(async () => {
    await visit(page, '/');
    user = countedUser(page);
  });

  const button = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name });
  const link = (name: string | RegExp) => page.getByRole('main').getByRole('link', { name });
  const table = (name: string | RegExp) => page.getByRole('main').getByRole('table', { name });
  const field = (name: string | RegExp) => page.getByRole('main').getByRole('combobox', { name });
  const go = (name: string) =>
    user.click(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }));
  const choosePreset = async (name: string) => {
    await user.click(button(/^Days: /));
    await user.click(page.getByRole('dialog', { name: 'Days' }).getByRole('button', { name, exact: true }));
  };
  const query = () => new URL(page.url()).searchParams;

  it('finds out why the bill rose last month', async () => {
    await go('Costs');
    await choosePreset('Last month');
    await user.click(table(/^Costs/).getByRole('button', { name: 'Change', exact: true }));
    await user.click(page.getByRole('main').locator('a[href^="/anomalies/"]').first());
    expect(user.count()).toBeLessThanOrEqual(6);
    expect((await rowsOf(table('Cost drivers'))).length).toBeGreaterThan(0);
    await page.getByRole('heading', { name: 'Likely causes' }).waitFor();
  });

  it('exports the costs of EC2 in the last quarter by team', async () => {
    await user.press('Control+k');
    await user.type(page.getByRole('combobox', { name: 'Search' }), 'ec2');
    await user.press('Enter');
    await choosePreset('Last quarter');
    await user.choose(field('Group by'), 'team');
    const lines = await csvOf(page);
    expect(user.count() + 1).toBeLessThanOrEqual(8);
    const shown = (await rowsOf(table(/^Costs/))).map(([name]) => name);
    expect(shown.length).toBeGreaterThan(3);
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(shown);
    expect(shown).toContain('Untagged');
  });

  it('finds the owners of the most expensive resources without a team', async () => {
    await go('Inventory');
    await user.choose(field('Tag key'), 'team');
    await user.click(page.getByLabel('Without team'));
    expect(user.count()).toBeLessThanOrEqual(4);
    const resources = table('Resources');
    expect(await resources.locator('thead').innerText()).toContain('Owner');
    const costs = (await rowsOf(resources)).map(([, cost = '']) => amount(cost));
    expect(costs.length).toBeGreaterThan(3);
    expect(costs).toEqual(costs.toSorted((one, other) => other - one));
  });

  it('creates a budget for a service with alerts to Slack', async () => {
    await visit(page, '/costs?service=BigQuery');
    await user.click(button('Use this view'));
    await user.click(page.getByRole('menuitem', { name: 'Create budget' }));
    await user.type(page.getByLabel('Name'), 'Analytics');
    await user.click(button('Use as amount: Average'));
    await user.choose(field('Channels'), 'FinOps');
    await user.press('Escape');
    await user.click(button('Create budget'));
    expect(user.count()).toBeLessThanOrEqual(8);
    const { data } = await world().rest<List<{ name: string; service: string; channel_ids: string[] }>>(
      'GET',
      '/budgets',
    );
    const made = data.find(({ name }) => name === 'Analytics');
    expect(made).toMatchObject({ service: 'BigQuery', channel_ids: [expect.any(String)] });
  });

  it('finds savings above $100, reads the script of one and marks it as in progress', async () => {
    await go('Recommendations');
    await user.type(page.getByLabel('Minimum monthly savings'), '100');
    await expect.poll(() => query().get('minSavings')).toBe('100');
    await user.click(table('Recommendations').getByRole('link').first());
    expect(
      await page
        .getByRole('region', { name: /^script for / })
        .first()
        .innerText(),
    ).not.toBe('');
    await user.click(button('Change status'));
    await user.click(page.getByRole('menuitem', { name: /^In progress/ }));
    await user.click(page.getByRole('dialog').getByRole('button', { name: 'Mark as in progress' }));
    expect(user.count()).toBeLessThanOrEqual(6);
    const id = page.url().split('/').at(-1);
    await expect
      .poll(async () => (await world().rest<{ status: string }>('GET', `/recommendations/${id}`)).status)
      .toBe('in_progress');
  });

  it('finds the coverage, and the commitments to buy', async () => {
    await go('Coverage');
    await page.getByText('Unused commitment cost').waitFor();
    await user.click(link('Planner'));
    expect(user.count()).toBeLessThanOrEqual(2);
    await page
      .getByText(/^Up to \$[\d,.]+ per month$/)
      .first()
      .waitFor();
  });

  it('schedules a monthly PDF for finance, which arrives as an attachment', async () => {
    await go('Reports');
    await user.click(link('Schedules'));
    await user.click(button('New schedule'));
    const dialog = page.getByRole('dialog');
    await user.type(dialog.getByLabel('Name'), 'Board figures');
    await user.choose(dialog.getByRole('combobox', { name: 'Frequency' }), 'Monthly');
    await user.type(dialog.getByRole('combobox', { name: 'Recipients' }), 'finance@example.com');
    await user.click(dialog.getByRole('button', { name: 'Create schedule' }));
    expect(user.count()).toBeLessThanOrEqual(8);
    await page.getByRole('row', { name: /Board figures/ }).waitFor();
    const { deps } = world();
    await deps.db.reportSchedule.updateMany({
      where: { name: 'Board figures' },
      data: { nextRunAt: deps.clock.now() },
    });
    await runDueSchedules(deps, deps.clock.now());
    const { attachments } = await mailTo(path.join(deps.config.dataDir, 'outbox'), 'finance@example.com');
    expect(attachments.map(({ mimeType }) => mimeType)).toEqual(['application/pdf']);
  });

  it('compares this month with the same days of last year', async () => {
    await go('Costs');
    await user.choose(field('Compare with'), 'Previous year');
    expect(user.count()).toBeLessThanOrEqual(3);
    expect(
      await table(/^Costs/)
        .locator('thead')
        .innerText(),
    ).toMatch(/Previous|Year/);
  });

  it('drills from a service to its usage types and resources', async () => {
    await go('Costs');
    await user.click(table(/^Costs/).getByRole('link', { name: 'Amazon Relational Database Service' }));
    await expect.poll(() => query().get('group')).toBe('meter');
    await user.click(
      table(/^Costs/)
        .getByRole('link')
        .first(),
    );
    await expect.poll(() => query().get('group')).toBe('resource');
    expect(user.count()).toBeLessThanOrEqual(4);
    expect((await rowsOf(table(/^Costs/))).length).toBeGreaterThan(0);
  });

  it('shares a view by its address', async () => {
    await visit(page, '/costs?group=region&provider=aws');
    await user.click(button('Views'));
    await user.click(page.getByRole('menuitem', { name: 'Copy link' }));
    expect(user.count()).toBeLessThanOrEqual(3);
    const address = await page.evaluate(() => navigator.clipboard.readText());
    const theirs = await browser.signedIn(world(), await world().someone('viewer'));
    await visit(theirs, address);
    expect(await rowsOf(theirs.getByRole('table', { name: /^Costs/ }))).toEqual(await rowsOf(table(/^Costs/)));
  });

  it('restricts a member to one account', async () => {
    const { email } = await world().join('member');
    await visit(page, `/settings/members?search=${email}`);
    await user.click(button(/^Manage/));
    await user.click(page.getByRole('menuitem', { name: 'Account access' }));
    const dialog = page.getByRole('dialog');
    await user.click(dialog.getByText('Chosen accounts'));
    await user.choose(dialog.getByRole('combobox', { name: 'Accounts' }), 'Azure');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(user.count()).toBeLessThanOrEqual(6);
    await page.getByRole('cell', { name: 'Azure', exact: true }).waitFor();
  });

  it('compares the forecast with a budget', async () => {
    await go('Budgets');
    await user.click(table('Budgets').getByRole('link', { name: 'AWS production' }));
    expect(user.count()).toBeLessThanOrEqual(2);
    await page.getByText('Forecast for the month').waitFor();
    await page.getByText(/^[\d.]+% of the budget/).waitFor();
  });

  it('finds anomalies and their cause', async () => {
    await go('Anomalies');
    await user.click(table('Anomalies').getByRole('link').first());
    expect(user.count()).toBeLessThanOrEqual(2);
    await page.getByRole('heading', { name: 'Likely causes' }).waitFor();
    expect((await rowsOf(table('Cost drivers'))).length).toBeGreaterThan(0);
  });

  it('creates an API token and copies it', async () => {
    await visit(page, '/settings/tokens');
    await user.click(button('New token'));
    await user.type(page.getByRole('dialog').getByLabel('Name'), 'Grafana');
    await user.press('Enter');
    await user.click(page.getByRole('dialog').getByRole('button', { name: 'Copy the token' }));
    expect(user.count()).toBeLessThanOrEqual(4);
    const token = await page.evaluate(() => navigator.clipboard.readText());
    const response = await fetch(`${world().url}/api/v1/accounts`, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
  });

  it('reaches the form of another cloud', async () => {
    await go('Accounts');
    await user.click(link('Connect an account'));
    await user.click(link(/^Azure/));
    expect(user.count()).toBeLessThanOrEqual(3);
    await page.getByRole('heading', { level: 1, name: 'Connect Azure' }).waitFor();
    expect(errorsOf(page)).toEqual([]);
  });
});
