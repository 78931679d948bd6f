import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { addDays, addMonths, monthEnd, monthStart, today } from '../../src/console/words/days.ts';
import { aLine, writeFocus } from '../support/focus.ts';
import { amount, describeInBrowser, errorsOf, follow, rowsOf, settled, useBrowser } from './browser.ts';
import { demoWorld, newOrganization } from './world.ts';

interface Day {
  readonly date: string;
  readonly cost: number;
}

const cents = (cost: number) => Math.round(cost * 100) / 100;

/** Returns the figure of a card, by its name, and the text below it. */
async function figureOf(page: Page, name: string | RegExp): Promise<{ value: number; below: string }> {
  const link = page.getByRole('main').getByRole('link', { name, exact: true });
  const [, value = '', ...below] = (await link.locator('../..').innerText()).split('\n').filter((line) => line !== '');
  return { value: amount(value), below: below.join(' ') };
}

describeInBrowser('the overview', () => {
  const world = demoWorld();
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    page = await browser.signedIn(world());
  });

  it('compares the month to date with the same days of the previous month, and the forecast with all of that month', async () => {
    const since = addMonths(monthStart(today()), -2);
    const { costsDaily, forecast } = await world().gql<{
      costsDaily: { lastCompleteDay: string; days: Day[] };
      forecast: { points: Day[] };
    }>(
      `{ costsDaily(startDate: "${since}", endDate: "${today()}") { lastCompleteDay days { date cost } } forecast { points { date cost } } }`,
    );
    const last = costsDaily.lastCompleteDay;
    const sum = (days: readonly Day[], from: string, to: string) =>
      days.filter(({ date }) => date >= from && date <= to).reduce((all, { cost }) => all + cost, 0);
    const start = monthStart(last);
    const toDate = sum(costsDaily.days, start, last);
    const lastMonth = addMonths(start, -1);
    const sameDay = addDays(lastMonth, Number(last.slice(8)) - 1);
    const before = sum(
      costsDaily.days,
      lastMonth,
      last === monthEnd(last) || sameDay > monthEnd(lastMonth) ? monthEnd(lastMonth) : sameDay,
    );
    const billed = new Map(costsDaily.days.map(({ date, cost }) => [date, cost]));
    const left = forecast.points.map(({ date, cost }) => ({ date, cost: Math.max(cost, billed.get(date) ?? 0) }));
    const expected = toDate + sum(left, addDays(last, 1), monthEnd(last));
    await follow(page, '/');
    // Once the bills of the month are complete, nothing is left to forecast.
    const isOver = last === monthEnd(last);
    const name = isOver ? /^[A-Z][a-z]{2} \d{4}$/ : /to date$/;
    const spent = await figureOf(page, name);
    expect(spent.value).toBe(Math.round(toDate));
    expect(amount(/vs\. (\S+)$/.exec(spent.below)?.[1] ?? '')).toBe(Math.round(before));
    if (!isOver) {
      const card = await figureOf(page, /^Forecast for/);
      expect(card.value).toBe(Math.round(expected));
      expect(amount(/vs\. (\S+)$/.exec(card.below)?.[1] ?? '')).toBe(
        Math.round(sum(costsDaily.days, lastMonth, monthEnd(lastMonth))),
      );
    }
    await page.getByRole('link', { name }).click();
    await settled(page);
    const total = page.getByRole('main').getByRole('table').locator('tfoot td');
    await expect
      .poll(async () => (await total.allInnerTexts()).map(amount))
      .toEqual(expect.arrayContaining([cents(toDate), cents(before)]));
  });

  it('names the services and accounts that cost most, and links to their costs', async () => {
    const { costsDaily } = await world().gql<{ costsDaily: { lastCompleteDay: string } }>(
      '{ costsDaily { lastCompleteDay } }',
    );
    const last = costsDaily.lastCompleteDay;
    const dates = `startDate: "${monthStart(last)}", endDate: "${last}"`;
    const { services, accounts } = await world().gql<
      Record<'services' | 'accounts', { groups: { name: string; cost: number }[] }>
    >(
      `{ services: costsByService(${dates}) { groups { name: service cost } } accounts: costsByAccount(${dates}) { groups { name: accountName cost } } }`,
    );
    await follow(page, '/');
    for (const [title, groups] of [
      ['Top services', services.groups],
      ['Top accounts', accounts.groups],
    ] as const) {
      const rows = await rowsOf(page.getByRole('region', { name: title, exact: true }).getByRole('table'));
      expect(rows.map(([name, , cost = '']) => ({ name, cost: amount(cost) }))).toEqual(
        groups.slice(0, 6).map(({ name, cost }) => ({ name, cost: cents(cost) })),
      );
    }
    const [first] = services.groups;
    await page.getByRole('link', { name: first?.name, exact: true }).first().click();
    await settled(page);
    await expect.poll(() => new URL(page.url()).searchParams.get('service')).toBe(first?.name);
  });

  it('shows what needs attention as the lists do, and splits the days by the chosen dimension', async () => {
    const { anomalies, summary, budgets } = await world().gql<{
      anomalies: { pagination: { total: number } };
      summary: { totalCount: number; totalEstimatedMonthlySavings: number };
      budgets: { data: { name: string; status: string; amount: number; forecastedSpend: number }[] };
    }>(`{ anomalies(status: [OPEN]) { pagination { total } }
      summary: recommendationsSummary(status: [OPEN, IN_PROGRESS]) { totalCount totalEstimatedMonthlySavings }
      budgets(sortBy: PERCENT_USED_DESC) { data { name status amount forecastedSpend } } }`);
    await follow(page, '/');
    await expect.poll(async () => (await figureOf(page, 'Open anomalies')).value).toBe(anomalies.pagination.total);
    const savings = await figureOf(page, 'Savings available');
    expect(savings).toEqual({
      value: Math.round(summary.totalEstimatedMonthlySavings),
      below: `per month at most, from ${summary.totalCount} recommendations`,
    });
    const atRisk = page.getByRole('region', { name: 'Budgets at risk' });
    await expect
      .poll(() =>
        atRisk.getByRole('meter').evaluateAll((meters) => meters.map((meter) => meter.getAttribute('aria-label'))),
      )
      .toEqual(
        budgets.data
          .filter((one) => one.status !== 'OK' || one.forecastedSpend > one.amount)
          .map(({ name }) => `Budget ${name}`),
      );
    await page.getByText('Account', { exact: true }).click();
    await settled(page);
    await expect.poll(() => new URL(page.url()).searchParams.get('by')).toBe('account');
    await expect.poll(() => page.getByRole('group', { name: /^Costs per day by account/ }).isVisible()).toBe(true);
    expect(errorsOf(page)).toEqual([]);
  });
});

describeInBrowser('the overview of a new organization', () => {
  const world = newOrganization();
  const browser = useBrowser();

  it('shows members without permission that an Admin connects accounts', async () => {
    const page = await browser.signedIn(world(), await world().join('viewer'));
    await follow(page, '/');
    const main = page.getByRole('main');
    await expect.poll(() => main.innerText()).toContain('Ask an Admin to connect an account.');
    expect(await main.getByRole('link').count()).toBe(0);
  });

  it('proceeds automatically from the first account through its sync to the first chart', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => aLine({ day: addDays(today(), -at), cost: '12.5' }));
    await writeFocus(path.join(world().focusRoot, 'first.csv'), lines);
    const page = await browser.signedIn(world());
    await follow(page, '/');
    await expect.poll(() => page.locator('[aria-current="step"]').innerText()).toContain('Connect an account');
    await expect
      .poll(() => page.getByRole('main').getByRole('link', { name: 'Connect an account' }).getAttribute('href'))
      .toBe('/accounts/connect');
    await world().rest('POST', '/accounts', {
      body: { name: 'First', provider: 'focus', settings: { path: 'first.csv' } },
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Last 30 days' }).waitFor({ timeout: 30_000 });
    await settled(page);
    await expect.poll(() => page.getByRole('group', { name: /: \$375\.00 in total$/ }).isVisible()).toBe(true);
    await expect.poll(() => page.getByRole('region', { name: 'Data freshness' }).innerText()).toContain('First');
    expect(errorsOf(page)).toEqual([]);
  });
});
