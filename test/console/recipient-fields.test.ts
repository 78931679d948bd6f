import fs from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { axeIssues, contrastIssues } from './axe.ts';
import { describeInBrowser, errorsOf, fillNumber, follow, rowsOf, settled, useBrowser } from './browser.ts';
import { demoWorld } from './world.ts';

interface Rule {
  readonly id: string;
  readonly name: string;
  readonly metric: string;
  readonly operator: string;
  readonly threshold: number;
  readonly provider: string | null;
  readonly tagKey: string | null;
  readonly enabled: boolean;
  readonly emails: readonly string[];
}

interface Schedule {
  readonly id: string;
  readonly name: string;
  readonly frequency: string;
  readonly day: number | null;
  readonly hour: number;
  readonly timeZone: string;
  readonly filters: object;
  readonly nextRunAt: string;
  readonly enabled: boolean;
}

const ruleFields = 'id name metric operator threshold provider tagKey enabled emails';

/** Selects an option of a field by keyboard. */
async function choose(field: Locator, text: string): Promise<void> {
  await field.press('ArrowDown');
  const options = field.page().getByRole('option');
  await options.first().waitFor();
  if (await field.getAttribute('readonly').then((value) => value === null)) await field.fill(text);
  const option = options.filter({ hasText: text }).first();
  for (let press = 0; press < 40 && (await option.getAttribute('data-combobox-selected')) === null; press += 1)
    await field.press('ArrowDown');
  await field.press('Enter');
}

describeInBrowser('the console', () => {
  const world = demoWorld();
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    page = await browser.signedIn(world());
  });

  describe('the alert rules page', () => {
    const rules = async () =>
      (await world().gql<{ alertRules: { data: readonly Rule[] } }>(`{ alertRules { data { ${ruleFields} } } }`))
        .alertRules.data;

    it('describes each rule in a sentence', async () => {
      await follow(page, '/alert-rules');
      const rows = await rowsOf(page.getByRole('table', { name: 'Alert rules' }));
      const texts = rows.map(([rule]) => rule);
      expect(texts).toContain('Daily cost above 5,000Daily cost above $5,000');
      expect(texts).toContain('BigQuery up 25% in a weekWeek-over-week change of BigQuery at or above 25%');
      expect(texts).toContain('Staging above 400 per dayDaily cost tagged env = staging at or above $400');
    });

    it('creates, changes, turns off and deletes a rule by keyboard', async () => {
      await follow(page, '/alert-rules');
      await page.getByRole('link', { name: 'New alert rule' }).press('Enter');
      await page.getByLabel('Name').fill('AWS jumps');
      await choose(page.getByRole('combobox', { name: 'Metric' }), 'Day-over-day change');
      await page.getByRole('button', { name: 'Create alert rule' }).press('Enter');
      await expect
        .poll(() => page.getByLabel('Threshold').evaluate((field) => field === document.activeElement))
        .toBe(true);
      await page.keyboard.type('12.5');
      await choose(page.getByRole('combobox', { name: 'Provider' }), 'AWS');
      await page.getByRole('combobox', { name: 'Additional recipients' }).focus();
      await page.keyboard.type('ops@example.com');
      await page.keyboard.press('Enter');
      await settled(page);
      const sentence = 'Day-over-day change of AWS above 12.5%';
      await expect.poll(() => page.getByText(sentence, { exact: true }).count()).toBe(1);
      await expect
        .poll(() => page.getByRole('region', { name: 'The last 30 complete days' }).innerText())
        .toMatch(/Would (not have triggered|have triggered on \d+ days?)/);
      await page.getByRole('button', { name: 'Create alert rule' }).press('Enter');
      await page.getByRole('table', { name: 'Alert rules' }).waitFor();
      const made = (await rules()).find(({ name }) => name === 'AWS jumps');
      expect(made).toEqual({
        id: made?.id,
        name: 'AWS jumps',
        metric: 'DAY_OVER_DAY_PERCENT',
        operator: 'GT',
        threshold: 12.5,
        provider: 'aws',
        tagKey: null,
        enabled: true,
        emails: ['ops@example.com'],
      });

      await page.getByRole('switch', { name: 'AWS jumps is on' }).press('Space');
      await page.getByRole('switch', { name: 'AWS jumps is on', checked: false }).waitFor();
      await settled(page);
      expect((await rules()).find(({ id }) => id === made?.id)?.enabled).toBe(false);

      await page.getByRole('link', { name: 'AWS jumps' }).press('Enter');
      await fillNumber(page.getByLabel('Threshold'), '20');
      await page.keyboard.press('Enter');
      await page.getByRole('table', { name: 'Alert rules' }).waitFor();
      expect((await rules()).find(({ id }) => id === made?.id)).toEqual({ ...made, threshold: 20, enabled: false });

      await follow(page, `/alert-rules/${made?.id}`);
      await page.getByRole('button', { name: 'Delete' }).press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete alert rule' }).press('Enter');
      await page.getByRole('table', { name: 'Alert rules' }).waitFor();
      expect((await rules()).map(({ id }) => id)).not.toContain(made?.id);
    });

    it('shows rules to Members without fields or buttons', async () => {
      const theirs = await browser.signedIn(world(), await world().someone('member'));
      await follow(theirs, '/alert-rules');
      await theirs.getByRole('link', { name: /Daily cost above/ }).click();
      await settled(theirs);
      await expect
        .poll(() => theirs.getByRole('region', { name: 'Rule' }).innerText())
        .toContain('Daily cost above $5,000');
      expect(await theirs.getByRole('textbox').count()).toBe(0);
      expect(await theirs.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    });
  });

  it('creates a report, waits for it and saves it', async () => {
    await follow(page, '/reports');
    await page.getByRole('button', { name: 'New report' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await choose(dialog.getByRole('combobox', { name: 'Type', exact: true }), 'Cost by tag');
    await choose(dialog.getByRole('combobox', { name: 'Format', exact: true }), 'CSV');
    await dialog.getByRole('button', { name: 'Create report' }).press('Enter');
    await expect.poll(() => dialog.getByText('Choose the tag key to group by').count()).toBe(1);
    await choose(dialog.getByRole('combobox', { name: 'Group by tag' }), 'env');
    await choose(dialog.getByRole('combobox', { name: 'Provider' }), 'AWS');
    await page.keyboard.press('Escape');
    expect(await axeIssues(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await contrastIssues(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await dialog.getByRole('button', { name: 'Create report' }).press('Enter');
    const row = page.getByRole('row', { name: /Cost by tag/ });
    const saving = page.waitForEvent('download');
    await row.getByRole('button', { name: /^Download Cost by tag/ }).press('Enter');
    await expect.poll(() => row.innerText()).toMatch(/Tag key: env · Provider: AWS|Provider: AWS · Tag key: env/);
    const file = await saving;
    const { reports } = await world().gql<{
      reports: { data: readonly { startDate: string; endDate: string; sizeBytes: number; filters: object }[] };
    }>('{ reports(type: [COST_BY_TAG]) { data { startDate endDate sizeBytes filters { tagKey provider service } } } }');
    const [made] = reports.data;
    expect(made?.filters).toEqual({ tagKey: 'env', provider: ['aws'], service: null });
    expect(file.suggestedFilename()).toBe(`cost-by-tag-${made?.startDate}-${made?.endDate}.csv`);
    const text = fs.readFileSync(await file.path(), 'utf8');
    expect(Buffer.byteLength(text)).toBe(made?.sizeBytes);
    expect(text).toContain('staging');
  });

  describe('the schedules page', () => {
    const schedules = async () =>
      (
        await world().gql<{ reportSchedules: { data: readonly Schedule[] } }>(
          '{ reportSchedules { data { id name frequency day hour timeZone filters { provider tagKey } nextRunAt enabled } } }',
        )
      ).reportSchedules.data;

    it('creates a schedule in a time zone, shows its next run there, changes and deletes it', async () => {
      await follow(page, '/reports/schedules');
      await page.getByRole('button', { name: 'New schedule' }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Tokyo in the morning');
      await choose(dialog.getByRole('combobox', { name: 'Frequency' }), 'Monthly');
      await choose(dialog.getByRole('combobox', { name: 'Day of the month' }), '31');
      await choose(dialog.getByRole('combobox', { name: 'Time zone' }), 'Asia/Tokyo');
      expect(await axeIssues(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Create schedule' }).press('Enter');
      const row = page.getByRole('row', { name: /Tokyo in the morning/ });
      await row.waitFor();
      const made = (await schedules()).find(({ name }) => name === 'Tokyo in the morning');
      expect(made).toMatchObject({
        frequency: 'MONTHLY',
        day: 31,
        hour: 8,
        timeZone: 'Asia/Tokyo',
        filters: { provider: null, tagKey: null },
      });
      await expect.poll(() => row.innerText()).toMatch(/, 08:00 in Tokyo/);

      await row.getByRole('button', { name: 'Send Tokyo in the morning now' }).press('Enter');
      await expect.poll(() => dialog.innerText()).toContain('for the previous month');
      await expect.poll(() => dialog.getByText('Owner (You)').count()).toBe(1);
      await dialog.getByRole('button', { name: 'Send now' }).press('Enter');
      await dialog.waitFor({ state: 'hidden' });
      const sent = () =>
        world().gql<{ notifications: { data: { title: string; recipient: string | null }[] } }>(
          '{ notifications(perPage: 100) { data { title recipient } } }',
        );
      await expect
        .poll(async () => (await sent()).notifications.data, { timeout: 30_000 })
        .toContainEqual({ title: expect.stringMatching(/^Tokyo in the morning: /), recipient: world().admin.email });
      await expect.poll(() => row.innerText()).toContain('Ready');

      await row.getByRole('button', { name: 'Edit Tokyo in the morning' }).press('Enter');
      await choose(dialog.getByRole('combobox', { name: 'Frequency' }), 'Daily');
      await dialog.getByRole('button', { name: 'Save changes' }).press('Enter');
      await dialog.waitFor({ state: 'hidden' });
      await settled(page);
      const changed = (await schedules()).find(({ id }) => id === made?.id);
      expect(changed).toEqual({ ...made, frequency: 'DAILY', day: null, nextRunAt: changed?.nextRunAt });
      await expect.poll(() => row.innerText()).toContain('Daily at 08:00');

      await row.getByRole('button', { name: 'Delete Tokyo in the morning' }).press('Enter');
      await dialog.getByRole('button', { name: 'Delete schedule' }).press('Enter');
      await row.waitFor({ state: 'hidden' });
      expect((await schedules()).map(({ id }) => id)).not.toContain(made?.id);
    });

    it('lets Members change only their own schedules', async () => {
      const theirs = await browser.signedIn(world(), await world().someone('member'));
      await follow(theirs, '/reports/schedules');
      await theirs.getByRole('button', { name: 'New schedule' }).click();
      await theirs.getByRole('dialog').getByLabel('Name').fill('My own');
      await theirs.keyboard.press('Enter');
      await theirs.getByRole('button', { name: 'Edit My own' }).waitFor();
      await settled(theirs);
      const rows = await theirs.getByRole('table', { name: 'Schedules' }).locator('tbody tr').count();
      expect(rows).toBe((await schedules()).length);
      await expect
        .poll(() => theirs.getByRole('button', { name: /^(Send|Edit|Delete) / }).allInnerTexts())
        .toHaveLength(3);
      await expect.poll(() => theirs.getByRole('switch').count()).toBe(1);
      expect(errorsOf(theirs)).toEqual([]);
    });
  });

  it('logs no errors', () => {
    expect(errorsOf(page)).toEqual([]);
  });
});
