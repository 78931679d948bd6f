import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { amount, describeInBrowser, errorsOf, follow, rowsOf, settled, useBrowser } from './browser.ts';
import { demoWorld } from './world.ts';

interface Budget {
  readonly id: string;
  readonly name: string;
  readonly amount: number;
  readonly currentSpend: number;
  readonly forecastedSpend: number;
  readonly remaining: number;
  readonly status: string;
  readonly provider: string | null;
  readonly alertThresholds: readonly number[];
  readonly completeThrough: string | null;
}

interface Days {
  readonly days: readonly { readonly date: string; readonly cost: number }[];
  readonly totalCost: number;
}

const budgetFields =
  'id name amount currentSpend forecastedSpend remaining status provider alertThresholds completeThrough';
const today = () => new Date().toISOString().slice(0, 10);
const monthStart = () => `${today().slice(0, 7)}-01`;

/** As the console writes money. */
function usd(value: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(value);
}

/** The card of one figure: its value and what stands below. */
function figure(page: Page, label: string): Locator {
  return page.getByRole('main').getByText(label, { exact: true }).first().locator('..');
}

/** The first sum of money in each text. */
function sums(texts: readonly (string | undefined)[]): number[] {
  return texts.map((text) => amount(/[-−]?\$[\d,]+\.\d\d/.exec(text ?? '')?.[0] ?? ''));
}

function cents(values: readonly number[]): number[] {
  return values.map((value) => Math.round(value * 100) / 100);
}

/** Chooses from a field that opens a list, by keys alone. */
async function choose(field: Locator, text: string): Promise<void> {
  await field.focus();
  await field.pressSequentially(text);
  await field.page().getByRole('option').first().waitFor();
  await field.press('ArrowDown');
  await field.press('Enter');
}

describeInBrowser('planning', () => {
  const world = demoWorld();
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    page = await browser.signedIn(world());
  });

  describe('budgets', () => {
    it('shows the figures of the API, the most used budget first', async () => {
      const { budgets } = await world().gql<{ budgets: { data: readonly Budget[] } }>(
        `{ budgets(sortBy: PERCENT_USED_DESC) { data { ${budgetFields} } } }`,
      );
      await follow(page, '/budgets');
      const rows = await rowsOf(page.getByRole('table', { name: 'Budgets' }));
      expect(rows.map(([name]) => name)).toEqual(budgets.data.map(({ name }) => expect.stringContaining(name)));
      expect(sums(rows.map(([, used]) => used))).toEqual(cents(budgets.data.map((one) => one.currentSpend)));
      expect(sums(rows.map(([, , remaining]) => remaining))).toEqual(cents(budgets.data.map((one) => one.remaining)));
      expect(sums(rows.map(([, , , forecast]) => forecast))).toEqual(
        cents(budgets.data.map((one) => one.forecastedSpend)),
      );
      await follow(page, '/budgets?status=exceeded');
      const exceeded = budgets.data.filter(({ status }) => status === 'EXCEEDED');
      await expect
        .poll(() => page.getByRole('table', { name: 'Budgets' }).locator('tbody tr').count())
        .toBe(exceeded.length);
    });

    it('adds up the days of the month to what was spent', async () => {
      const { budgets } = await world().gql<{ budgets: { data: readonly Budget[] } }>(
        `{ budgets { data { ${budgetFields} } } }`,
      );
      const budget = budgets.data.find(({ name }) => name === 'All clouds');
      const { costsDaily } = await world().gql<{ costsDaily: Days }>(
        'query ($from: Date!, $to: Date!) { costsDaily(startDate: $from, endDate: $to) { days { date cost } totalCost } }',
        { from: monthStart(), to: today() },
      );
      const complete = costsDaily.days.filter(({ date }) => date <= (budget?.completeThrough ?? ''));
      await follow(page, `/budgets/${budget?.id}`);
      await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('All clouds');
      await expect.poll(() => figure(page, 'Spent').innerText()).toContain(usd(budget?.currentSpend ?? 0));
      await expect
        .poll(() => figure(page, 'Forecast for the month').innerText())
        .toContain(usd(budget?.forecastedSpend ?? 0));
      const chart = page.getByRole('group', { name: /^All clouds: the complete days of the month add up to/ });
      const sum = complete.reduce((total, { cost }) => total + cost, 0);
      await expect.poll(() => chart.getAttribute('aria-label')).toContain(`add up to ${usd(sum)}`);
      await chart.focus();
      await chart.press('Home');
      for (let day = 1; day < costsDaily.days.length; day += 1) await chart.press('ArrowRight');
      await expect.poll(() => chart.getByRole('status').innerText()).toContain(usd(costsDaily.totalCost));
      expect(cents([costsDaily.totalCost])).toEqual(cents([budget?.currentSpend ?? 0]));
      await chart.press('End');
      await expect.poll(() => chart.getByRole('status').innerText()).toContain(usd(budget?.forecastedSpend ?? 0));
    });

    it('creates, changes and deletes a budget by keyboard alone', async () => {
      await follow(page, '/budgets');
      await page.getByRole('link', { name: 'New budget' }).press('Enter');
      await page.getByRole('button', { name: 'Create budget' }).press('Enter');
      await expect.poll(() => page.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true);
      await expect.poll(() => page.getByText('Enter a name').count()).toBe(1);
      await page.keyboard.type('Compute of AWS');
      await choose(page.getByRole('combobox', { name: 'Provider' }), 'AWS');
      await settled(page);
      const history = page.getByRole('region', { name: 'The last six months' });
      const average = amount(/\$[\d,.]+/.exec((await history.innerText()).split('Average')[1] ?? '')?.[0] ?? '');
      await page.getByRole('button', { name: 'Use as amount: Average' }).press('Enter');
      await page.getByRole('button', { name: 'Remove threshold 1' }).press('Enter');
      await page.getByRole('button', { name: 'Add threshold' }).press('Enter');
      await page.keyboard.type('120');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Compute of AWS' }).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1);
      const ask = async () =>
        (await world().gql<{ budget: Budget }>(`query ($id: ID!) { budget(id: $id) { ${budgetFields} } }`, { id }))
          .budget;
      const made = await ask();
      expect(made).toMatchObject({ provider: 'aws', alertThresholds: [100, 120] });
      expect(made.amount / average).toBeGreaterThanOrEqual(1);
      expect(made.amount / average).toBeLessThan(1.02);

      await page.getByRole('link', { name: 'Edit' }).press('Enter');
      await page.getByLabel('Amount per month').press('ControlOrMeta+a');
      await page.keyboard.type('1234.5');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Delete' }).waitFor();
      expect(await ask()).toMatchObject({ name: 'Compute of AWS', amount: 1234.5, alertThresholds: [100, 120] });

      await page.getByRole('button', { name: 'Delete' }).press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete budget' }).press('Enter');
      await page.getByRole('table', { name: 'Budgets' }).waitFor();
      await settled(page);
      await expect.poll(() => page.getByRole('table', { name: 'Budgets' }).innerText()).not.toContain('Compute of AWS');
    });

    it('requires a member with one account to choose it as the scope', async () => {
      const { accounts } = await world().gql<{ accounts: { data: readonly { id: string; name: string }[] } }>(
        '{ accounts { data { id name } } }',
      );
      const azure = accounts.data.find(({ name }) => name === 'Azure');
      const theirs = await browser.signedIn(world(), await world().someone('member', [azure?.id ?? '']));
      await follow(theirs, '/budgets/new');
      await theirs.getByLabel('Name').fill('Ours');
      await theirs.getByLabel('Amount per month').fill('500');
      await theirs.keyboard.press('Enter');
      await expect.poll(() => theirs.getByText('Choose an account', { exact: true }).count()).toBe(1);
      await choose(theirs.getByRole('combobox', { name: 'Account' }), 'A');
      await theirs.getByRole('button', { name: 'Create budget' }).click();
      await theirs.getByRole('heading', { level: 1, name: 'Ours' }).waitFor();
      await expect
        .poll(() => theirs.getByRole('region', { name: 'About this budget' }).innerText())
        .toMatch(/Scope\s+Azure/);
    });
  });

  it('shows the forecast of the API for the model and the filters in the address', async () => {
    for (const [model, query] of [
      ['SEASONAL', ''],
      ['LINEAR', '?model=linear&provider=gcp'],
    ] as const) {
      const provider = query === '' ? null : ['gcp'];
      const { forecast, forecastAccuracy } = await world().gql<{
        forecast: { total: Record<'cost' | 'lower80' | 'upper80', number>; points: Days['days'] };
        forecastAccuracy: { months: readonly { forecast: number; actual: number }[] };
      }>(
        `query ($model: ForecastModel!, $provider: [String!]) {
          forecast(model: $model, provider: $provider) { total { cost lower80 upper80 } points { date cost } }
          forecastAccuracy(model: $model, provider: $provider) { months { forecast actual } } }`,
        { model, provider },
      );
      await follow(page, `/forecast${query}`);
      const { cost, lower80, upper80 } = forecast.total;
      const total = await figure(page, 'Next 60 days').innerText();
      expect(total).toContain(usd(cost));
      expect(total).toContain(`80%: ${usd(lower80)} – ${usd(upper80)}`);
      const chart = page.getByRole('group', { name: /^Daily cost of 90 days, then a forecast of 60 days/ });
      await chart.press('End');
      await expect.poll(() => chart.getByRole('status').innerText()).toContain(usd(forecast.points.at(-1)?.cost ?? 0));
      const rows = await rowsOf(page.getByRole('table', { name: /^Forecast and actual cost/ }));
      expect(rows.map(([, predicted, actual]) => [predicted, actual])).toEqual(
        forecastAccuracy.months.map((month) => [usd(month.forecast), usd(month.actual)]),
      );
    }
    await page.getByText('Seasonal', { exact: true }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?provider=gcp');
    await follow(page, '/forecast?provider=zz');
    await page.getByText('No complete days of costs match the filters.').waitFor();
  });

  it('shows the coverage split and gaps of the API, and a planner that buys nothing', async () => {
    const { coverage, coverageGaps, coveragePlanner } = await world().gql<{
      coverage: { totalCost: number; unusedCommitmentCost: number; split: readonly { kind: string; cost: number }[] };
      coverageGaps: { data: readonly { service: string; estimatedMonthlySavings: number }[] };
      coveragePlanner: {
        recommendations: readonly { product: string; termMonths: number; estimatedMonthlySavings: number }[];
      };
    }>(`{ coverage(provider: ["aws"]) { totalCost unusedCommitmentCost split { kind cost } }
      coverageGaps(provider: ["aws"]) { data { service estimatedMonthlySavings } }
      coveragePlanner(provider: ["aws"]) { recommendations { product termMonths estimatedMonthlySavings } } }`);
    await follow(page, '/coverage?provider=aws');
    await expect
      .poll(() => figure(page, 'Unused commitment cost').innerText())
      .toContain(usd(coverage.unusedCommitmentCost));
    const table = page.getByRole('table', { name: 'Costs by pricing model' });
    const order = ['RESERVED', 'SAVINGS_PLAN', 'SPOT', 'ON_DEMAND', 'OTHER'];
    const split = coverage.split.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
    await expect
      .poll(async () => (await rowsOf(table)).map(([, cost]) => cost))
      .toEqual(split.map(({ cost }) => usd(cost)));
    await expect.poll(() => table.locator('tfoot').innerText()).toContain(usd(coverage.totalCost));
    const gaps = await rowsOf(page.getByRole('table', { name: 'Coverage gaps' }));
    expect(gaps.map((cells) => cells.at(-1))).toEqual(coverageGaps.data.map((gap) => usd(gap.estimatedMonthlySavings)));

    await page.getByRole('navigation', { name: 'Coverage' }).getByRole('link', { name: 'Planner' }).click();
    await settled(page);
    await expect.poll(() => new URL(page.url()).search).toBe('?provider=aws');
    await expect.poll(() => page.getByText('Costkeep never buys anything.').count()).toBe(1);
    await page.getByText('1 year', { exact: true }).first().click();
    const [first] = coveragePlanner.recommendations;
    const ofAYear = coveragePlanner.recommendations.filter(
      ({ product, termMonths }) => product === first?.product && termMonths === 12,
    );
    const plans = await rowsOf(page.getByRole('table', { name: `Commitments for ${first?.product}` }).first());
    expect(sums(plans.map(([, , saved]) => saved)).length).toBeGreaterThan(1);
    expect(sums(plans.map(([, , saved]) => saved))).toEqual(
      cents(ofAYear.slice(0, plans.length).map((one) => one.estimatedMonthlySavings)),
    );
  });

  it.each([
    ['/coverage?from=bad&provider=aws', 'The day bad: enter dates as YYYY-MM-DD.', '/coverage?provider=aws'],
    ['/anomalies?from=2026-03-02&to=2026-03-01', 'the end date is before the start date', '/anomalies'],
    ['/tags/keys/team?to=bad', 'enter dates as YYYY-MM-DD', '/tags/keys/team'],
    ['/settings/audit?from=2026-02-30', 'enter dates as YYYY-MM-DD', '/settings/audit'],
  ])('rejects the days of %s, and offers the page without them', async (path, said, rest) => {
    await follow(page, path);
    await expect.poll(() => page.getByRole('alert').innerText()).toContain(said);
    await page.getByRole('button', { name: /^Show .* without it$/ }).press('Enter');
    await settled(page);
    expect(await page.getByRole('alert').count()).toBe(0);
    await expect.poll(() => page.url()).toBe(`${world().url}${rest}`);
  });

  it('rejects a sort order that the list does not have, and offers the whole list', async () => {
    await follow(page, '/budgets?sort=colour&status=ok');
    await expect
      .poll(() => page.getByRole('alert').innerText())
      .toMatch(/must be one of .*AMOUNT_ASC, .*, not "COLOUR_ASC"/);
    await page.getByRole('button', { name: 'Clear all filters' }).press('Enter');
    await page.getByRole('table', { name: 'Budgets' }).waitFor();
    // Where any status but three asks for nothing, none but those stands in the field.
    await follow(page, '/budgets?status=exceeded&status=lost');
    await expect
      .poll(() =>
        page
          .getByRole('main')
          .getByText(/^(exceeded|lost)$/)
          .count(),
      )
      .toBe(0);
    await expect
      .poll(async () => new Set((await rowsOf(page.getByRole('table', { name: 'Budgets' }))).map((row) => row.at(-1))))
      .toEqual(new Set(['Exceeded']));
  });

  it('has logged no error in all of that', () => {
    expect(errorsOf(page)).toEqual([]);
  });
});
