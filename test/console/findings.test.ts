import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { seriousIssues } from './axe.ts';
import { amount, csvOf, describeInBrowser, errorsOf, follow, rowsOf, settled, useBrowser } from './browser.ts';
import { demoWorld } from './world.ts';

interface Anomaly {
  readonly id: string;
  readonly service: string;
  readonly impact: number;
  readonly status: string;
  readonly statusReason: string | null;
}

interface Recommendation {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly statusReason: string | null;
  readonly snoozedUntil: string | null;
  readonly estimatedMonthlySavings: number;
  readonly remediationScripts: readonly { readonly script: string }[];
}

interface List<Row> {
  readonly data: readonly Row[];
  readonly pagination: { readonly total: number };
}

const anomalyFields = 'id service impact status statusReason';

/** The large figure of a card, by its name. */
async function figure(page: Page, name: string): Promise<string> {
  const card = page.getByRole('main').locator('div', { has: page.getByText(name, { exact: true }) });
  const [, value = ''] = (await card.last().innerText()).split('\n').filter((line) => line !== '');
  return value;
}

describeInBrowser('findings', () => {
  const world = demoWorld();
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    page = await browser.signedIn(world());
  });

  it('lists anomalies as the API does: open ones first by impact, and what filters leave', async () => {
    const { open, critical, all } = await world().gql<Record<string, List<Anomaly>>>(`{
      open: anomalies(status: [OPEN], sortBy: IMPACT_DESC, perPage: 25) { data { ${anomalyFields} } pagination { total } }
      critical: anomalies(status: [OPEN], severity: [CRITICAL]) { data { id } pagination { total } }
      all: anomalies { data { id } pagination { total } } }`);
    await follow(page, '/anomalies');
    const table = page.getByRole('table', { name: 'Anomalies' });
    const rows = await rowsOf(table);
    expect(rows.map(([service]) => service)).toEqual(open?.data.map(({ service }) => service));
    expect(rows.map(([, impact = '']) => amount(impact.slice(0, impact.indexOf('.') + 3)))).toEqual(
      open?.data.map(({ impact }) => Math.round(impact * 100) / 100),
    );
    expect(await csvOf(page)).toHaveLength((open?.pagination.total ?? 0) + 1);

    await page.getByRole('combobox', { name: 'Severity' }).click();
    await page.getByRole('option', { name: 'Critical' }).click();
    await page.keyboard.press('Escape');
    await settled(page);
    await expect.poll(() => new URL(page.url()).search).toBe('?severity=CRITICAL');
    await expect.poll(() => rowsOf(table)).toHaveLength(critical?.pagination.total ?? 0);

    await follow(page, '/anomalies');
    await page.getByRole('radio', { name: 'All' }).press('Space');
    await settled(page);
    await expect.poll(() => rowsOf(table)).toHaveLength(all?.pagination.total ?? 0);
    await page.goBack();
    await settled(page);
    await expect.poll(() => rowsOf(table)).toHaveLength(open?.pagination.total ?? 0);
    expect(errorsOf(page)).toEqual([]);
  }, 40_000);

  it('explains an anomaly, links to its drivers, and changes its status by keyboard alone', async () => {
    const read = async (id: string) => {
      const { anomaly } = await world().gql<{ anomaly: Anomaly & { explanation: { summary: string } } }>(
        `query ($id: ID!) { anomaly(id: $id) { ${anomalyFields} explanation { summary } } }`,
        { id },
      );
      return anomaly;
    };
    const { anomalies } = await world().gql<{ anomalies: List<Anomaly> }>(
      `{ anomalies(status: [OPEN], service: ["BigQuery"], sortBy: IMPACT_DESC) { data { id } pagination { total } } }`,
    );
    const id = anomalies.data[0]?.id ?? '';
    const before = await read(id);
    await follow(page, `/anomalies/${id}`);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('BigQuery: spike');
    await expect.poll(async () => amount(await figure(page, 'Impact'))).toBe(Math.round(before.impact * 100) / 100);
    await expect.poll(() => page.getByRole('main').innerText()).toContain(before.explanation.summary);
    await expect.poll(() => page.getByRole('group', { name: /^Cost of BigQuery per day/ }).count()).toBe(1);

    await page.getByRole('button', { name: 'Acknowledge' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Acknowledge this anomaly' });
    await dialog.getByLabel('Reason').fill('A dashboard scanned everything');
    expect(await seriousIssues(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Acknowledge' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await settled(page);
    expect(await read(id)).toMatchObject({ status: 'ACKNOWLEDGED', statusReason: 'A dashboard scanned everything' });
    await expect
      .poll(() => page.getByRole('main').innerText())
      .toMatch(/Acknowledged by you .+: A dashboard scanned everything/);
    await expect.poll(() => page.getByRole('main').getByRole('button').allInnerTexts()).toEqual(['Resolve', 'Reopen']);

    await page.getByRole('link', { name: 'This day in the cost explorer' }).click();
    await settled(page);
    await expect.poll(() => new URL(page.url()).searchParams.get('service')).toBe('BigQuery');
    await page.goBack();
    await settled(page);
    await page
      .getByRole('table', { name: /Drivers/ })
      .getByRole('link')
      .first()
      .click();
    await settled(page);
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/inventory\//);
    const named = page.getByRole('table', { name: 'Anomalies related to this resource' });
    await expect.poll(() => named.locator(`a[href="/anomalies/${id}"]`).count()).toBe(1);
    expect(errorsOf(page)).toEqual([]);
  }, 40_000);

  it('adds up recommendations to what the API says, by status and by type', async () => {
    const { todo, arm } = await world().gql<
      Record<string, { totalCount: number; totalEstimatedMonthlySavings: number }>
    >(`{
      todo: recommendationsSummary(status: [OPEN, IN_PROGRESS]) { totalCount totalEstimatedMonthlySavings }
      arm: recommendationsSummary(status: [OPEN, IN_PROGRESS], type: [AWS_LAMBDA_ARM]) {
        totalCount totalEstimatedMonthlySavings } }`);
    await follow(page, '/recommendations');
    await expect
      .poll(async () => amount(await figure(page, 'Potential savings')))
      .toBeCloseTo(todo?.totalEstimatedMonthlySavings ?? 0, 2);
    await expect.poll(() => page.getByRole('main').innerText()).toContain(`of ${todo?.totalCount} recommendations`);
    expect(await csvOf(page)).toHaveLength((todo?.totalCount ?? 0) + 1);
    await page.getByRole('list', { name: 'Savings by type' }).getByRole('link', { name: 'Lambda to Arm' }).click();
    await settled(page);
    const rows = await rowsOf(page.getByRole('table', { name: 'Recommendations' }));
    expect(rows).toHaveLength(arm?.totalCount ?? 0);
    const sum = rows.reduce((total, [, savings = '']) => total + amount(savings), 0);
    expect(sum).toBeCloseTo(arm?.totalEstimatedMonthlySavings ?? 0, 1);
    expect(await csvOf(page)).toHaveLength(rows.length + 1);
    expect(errorsOf(page)).toEqual([]);
  }, 40_000);

  it('marks a recommendation as in progress, snoozes and wakes it, and copies its whole script', async () => {
    const fields = 'id title status statusReason snoozedUntil estimatedMonthlySavings remediationScripts { script }';
    const read = async (id: string) => {
      const { recommendation } = await world().gql<{ recommendation: Recommendation }>(
        `query ($id: ID!) { recommendation(id: $id) { ${fields} } }`,
        { id },
      );
      return recommendation;
    };
    const { recommendations } = await world().gql<{ recommendations: List<Recommendation> }>(
      `{ recommendations(status: [OPEN], type: [AWS_EBS_UNATTACHED]) { data { id } pagination { total } } }`,
    );
    const id = recommendations.data[0]?.id ?? '';
    const { title, estimatedMonthlySavings, remediationScripts } = await read(id);
    await follow(page, `/recommendations/${id}`);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
    await expect
      .poll(async () => amount(await figure(page, 'Monthly savings')))
      .toBe(Math.round(estimatedMonthlySavings * 100) / 100);
    await page.getByRole('button', { name: /^Copy script/ }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(remediationScripts[0]?.script);

    await page.getByRole('button', { name: 'Change status' }).press('Enter');
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'In progress' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Mark as in progress' });
    await dialog.getByLabel('Reason').fill('Asked its owner');
    await dialog.getByRole('button', { name: 'Mark as in progress' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await settled(page);
    expect(await read(id)).toMatchObject({ status: 'IN_PROGRESS', statusReason: 'Asked its owner' });
    await expect.poll(() => page.getByRole('main').innerText()).toContain('Asked its owner');

    await page.getByRole('button', { name: 'Snooze' }).click();
    await page.getByRole('menuitem', { name: 'Until a date…' }).click();
    const until = page.getByRole('dialog', { name: 'Snooze until a date' });
    await until.getByLabel('Day').fill('2020-01-01');
    await until.getByRole('button', { name: 'Snooze' }).click();
    await expect.poll(() => until.innerText()).toMatch(/Choose a day from/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Snooze' }).click();
    await page.getByRole('menuitem', { name: 'For 7 days' }).click();
    await page.getByRole('button', { name: 'Wake' }).waitFor();
    const days = (Date.parse((await read(id)).snoozedUntil ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    await follow(page, '/recommendations?type=aws_ebs_unattached');
    await expect
      .poll(async () => (await rowsOf(page.getByRole('table', { name: 'Recommendations' }))).flat())
      .not.toContain(title);
    await page.getByRole('checkbox', { name: 'Include snoozed' }).press('Space');
    await page.getByRole('link', { name: title }).click();
    await page.getByRole('button', { name: 'Wake' }).click();
    await page.getByRole('button', { name: 'Snooze' }).waitFor();
    expect((await read(id)).snoozedUntil).toBeNull();
    expect(errorsOf(page)).toEqual([]);
  }, 40_000);
});
