import { readFile } from 'node:fs/promises';
import type { Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { costsHref } from '../../src/console/costs/address.ts';
import { binsOf, moved, previousOf } from '../../src/console/costs/period.ts';
import { addMonths, monthEnd, monthStart, today } from '../../src/console/words/days.ts';
import { contrastIssues, seriousIssues } from './axe.ts';
import { amount, describeInBrowser, errorsOf, rowsOf, settled, useBrowser, visit } from './browser.ts';
import { demoWorld } from './world.ts';

/** Two whole months of the demo's bills. */
const month = addMonths(monthStart(today()), -1);
const range = { from: addMonths(month, -1), to: monthEnd(month) };
const before = { from: addMonths(month, -3), to: monthEnd(addMonths(month, -2)) };

interface Costs {
  readonly totalCost: number;
  readonly groups: readonly { readonly name: string; readonly cost: number }[];
}

interface Daily {
  readonly totalCost: number;
  readonly days: readonly { readonly date: string; readonly cost: number }[];
}

const cents = (cost: number) => Math.round(cost * 100) / 100;
const dates = ({ from, to } = range) => `startDate: "${from}", endDate: "${to}"`;

describe('a period', () => {
  test.each([
    ['whole months with as many before', '2026-02-01', '2026-03-31', '2025-12-01', '2026-01-31'],
    [
      'what begins with a month with the same days of the month before',
      '2026-11-01',
      '2026-11-20',
      '2026-10-01',
      '2026-10-20',
    ],
    [
      'days that the month before does not have with its last one',
      '2026-03-01',
      '2026-03-30',
      '2026-02-01',
      '2026-02-28',
    ],
    ['other days with as many right before', '2026-10-22', '2026-11-20', '2026-09-22', '2026-10-21'],
    ['the first of a month with the day before', '2026-11-01', '2026-11-01', '2026-10-31', '2026-10-31'],
  ])('compares %s', (_, from, to, ...[earlierFrom, earlierTo]) => {
    expect(previousOf({ from, to })).toEqual({ from: earlierFrom, to: earlierTo });
  });

  test('moves by its own length, whole months by months', () => {
    expect(moved({ from: '2026-01-01', to: '2026-01-31' }, 1)).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    expect(moved({ from: '2026-11-14', to: '2026-11-20' }, -1)).toEqual({ from: '2026-11-07', to: '2026-11-13' });
  });

  test('has bars that end where it does', () => {
    expect(binsOf({ from: '2026-10-30', to: '2026-11-20' }, 'monthly')).toEqual([
      { key: '2026-10', from: '2026-10-30', to: '2026-10-31' },
      { key: '2026-11', from: '2026-11-01', to: '2026-11-20' },
    ]);
  });
});

describeInBrowser('the explorer of costs', () => {
  const world = demoWorld();
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    page = await browser.signedIn(world());
  });

  const table = () => page.getByRole('main').getByRole('table');
  const chart = () => page.getByRole('group', { name: /^Costs per/ });
  const total = async () =>
    amount((await table().locator('tfoot tr').last().locator('td').allInnerTexts())[await costColumn()] ?? '');
  const costColumn = async () =>
    (await table().locator('thead th').allInnerTexts()).findIndex((title) => title.trim() === 'Cost');

  /** Name and cost of each row. */
  const shown = async () => {
    const column = await costColumn();
    return (await rowsOf(table())).map((cells) => ({ name: cells[0] ?? '', cost: cents(amount(cells[column] ?? '')) }));
  };

  /** What the chart tells of each bar, bar by bar with the arrow key. */
  const bars = async (count: number) => {
    const sums: number[] = [];
    await chart().focus();
    for (let at = 0; at < count; at += 1) {
      await page.keyboard.press('ArrowRight');
      const tip = await chart().getByRole('status').innerText();
      sums.push(amount(/Total\n(.+)/.exec(tip)?.[1] ?? ''));
    }
    return sums;
  };

  test.each([
    ['service', 'answer: costsByService(DATES) { totalCost groups { name: service cost } }'],
    ['account', 'answer: costsByAccount(DATES) { totalCost groups { name: accountName cost } }'],
    ['region', 'answer: costsByRegion(DATES) { totalCost groups { name: region cost } }'],
    ['tag', 'answer: costsByTag(DATES, tagKey: "team") { totalCost groups { name: tagValue cost } }'],
  ] as const)('by %s has the rows and the total of the API, and of the period before', async (group, field) => {
    const { answer } = await world().gql<{ answer: Costs }>(`{ ${field.replace('DATES', dates())} }`);
    const earlier = await world().gql<{ answer: Costs }>(`{ ${field.replace('DATES', dates(before))} }`);
    await visit(page, costsHref({ ...range, group, ...(group === 'tag' && { tagKey: 'team' }) }));
    const expected = answer.groups.map(({ name, cost }) => ({ name: name ?? 'Untagged', cost: cents(cost) }));
    expect((await shown()).filter(({ cost }) => cost !== 0)).toEqual(expected.filter(({ cost }) => cost !== 0));
    expect(await total()).toBe(cents(answer.totalCost));
    const foot = await table().locator('tfoot td').allInnerTexts();
    expect(foot.map(amount)).toContain(cents(earlier.answer.totalCost));
    expect(await chart().getAttribute('aria-label')).toContain(
      `${(await table().locator('tfoot td').allInnerTexts())[await costColumn()]} in total`,
    );
  });

  test('draws bars that are the API’s days, and its months; a bar leads to its days', async () => {
    const { daily } = await world().gql<{ daily: Daily }>(
      `{ daily: costsDaily(${dates()}) { totalCost days { date cost } } }`,
    );
    const ofMonth = (start: string) => daily.days.filter(({ date }) => date.startsWith(start.slice(0, 7)));
    const sum = (days: Daily['days']) => cents(days.reduce((all, { cost }) => all + cost, 0));
    await visit(page, costsHref({ ...range, group: 'provider', granularity: 'monthly' }));
    // Of providers REST gives the days alone, which the chart saves.
    expect(await page.getByRole('region', { name: 'By provider' }).getByRole('button', { name: 'CSV' }).count()).toBe(
      0,
    );
    expect(await bars(2)).toEqual([sum(ofMonth(range.from)), sum(ofMonth(month))]);
    await page.keyboard.press('Enter');
    await settled(page);
    expect(new URL(page.url()).searchParams.get('from')).toBe(month);
    expect(await bars(7)).toEqual(
      ofMonth(month)
        .slice(0, 7)
        .map(({ cost }) => cents(cost)),
    );
    expect(await total()).toBe(sum(ofMonth(month)));
    await page.keyboard.press('Enter');
    await settled(page);
    expect(await total()).toBe(cents(ofMonth(month)[6]?.cost ?? 0));
    await page.goBack();
    await settled(page);
    expect(await total()).toBe(sum(ofMonth(month)));
  });

  test('is drilled into by keyboard, row by row, and every step can be taken off', async () => {
    await visit(page, costsHref({ ...range }));
    expect(await page.getByRole('button', { name: /^Show only/ }).count()).toBe(10);
    expect(await page.getByRole('button', { name: 'Show only Other' }).count()).toBe(0);
    const [first] = await shown();
    await table().locator('tbody a').first().focus();
    await page.keyboard.press('Enter');
    await settled(page);
    expect(await page.getByRole('heading', { name: 'By account' }).isVisible()).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Costs by account');
    expect(await total()).toBe(first?.cost);
    const [account] = await shown();
    await table().locator('tbody tr').first().click();
    await settled(page);
    expect(await page.getByRole('heading', { name: 'By region' }).isVisible()).toBe(true);
    expect(await total()).toBe(account?.cost);
    const chips = page.getByRole('list', { name: 'Filters in force' });
    expect(await chips.getByRole('listitem').allInnerTexts()).toEqual([
      `Service: ${first?.name}`,
      `Account: ${account?.name}`,
      'Clear all',
    ]);
    await page.getByRole('button', { name: `Take off Account ${account?.name}` }).click();
    await settled(page);
    expect(await total()).toBe(first?.cost);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await settled(page);
    const { answer } = await world().gql<{ answer: Daily }>(`{ answer: costsDaily(${dates()}) { totalCost } }`);
    expect(await total()).toBe(cents(answer.totalCost));
  });

  test('unfolds accounts into their sub-accounts, which add up to them', async () => {
    await visit(page, costsHref({ ...range, group: 'account' }));
    const rows = await shown();
    await page
      .getByRole('button', { name: /^Show sub-accounts of/ })
      .first()
      .click();
    const more = await shown();
    const subs = more.slice(1, more.length - rows.length + 1);
    expect(subs.length).toBeGreaterThan(1);
    expect(cents(subs.reduce((sum, { cost }) => sum + cost, 0))).toBeCloseTo(rows[0]?.cost ?? 0, 1);
    await page.getByRole('link', { name: subs[0]?.name, exact: true }).click();
    await settled(page);
    expect(await total()).toBe(subs[0]?.cost);
  });

  test('filters by a panel that everybody can use, in both color schemes', async () => {
    await visit(page, costsHref({ ...range }));
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const panel = page.getByRole('dialog', { name: 'Filter' });
    await panel.getByRole('button', { name: 'Done' }).waitFor();
    await settled(page);
    expect(await seriousIssues(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await contrastIssues(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await panel.getByRole('combobox', { name: 'Charge category' }).fill('Tax');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await panel.getByRole('button', { name: 'Done' }).click();
    await settled(page);
    expect(new URL(page.url()).searchParams.getAll('category')).toEqual(['TAX']);
    const { answer } = await world().gql<{ answer: Daily }>(
      `{ answer: costsDaily(${dates()}, chargeCategory: [TAX]) { totalCost } }`,
    );
    expect(answer.totalCost).not.toBe(0);
    expect(await total()).toBe(cents(answer.totalCost));
  });

  test('tells what an address asks wrongly, and leads on without it', async () => {
    for (const [query, said] of [
      ['from=2026-02-30&to=2026-03-05', 'write days as YYYY-MM-DD'],
      ['from=2026-05-02&to=2026-05-01', 'the last day is before the first'],
      ['from=0001-01-01&to=0001-01-31', 'only the years 2000 to 2099 are known'],
      ['from=9999-12-01&to=9999-12-31', 'only the years 2000 to 2099 are known'],
      ['group=color', 'group=color is none of service, account, region, provider, tag'],
      ['group=REGION', 'group=REGION is none of'],
      ['metric=free', 'metric=free is none of'],
      ['category=gift', 'category=gift is none of'],
      ['tagValue=prod', 'without a tag key'],
    ]) {
      await visit(page, `/costs?${query}`);
      expect(await page.getByRole('alert').innerText()).toContain(said);
      await page.getByRole('button', { name: 'Show costs without it' }).click();
      await settled(page);
      expect(await table().isVisible()).toBe(true);
    }
    expect(errorsOf(page)).toEqual([]);
  });

  test('saves its table as CSV with the same figures', async () => {
    await visit(page, costsHref({ ...range, provider: 'gcp' }));
    const rows = await shown();
    const saved = page.waitForEvent('download');
    await page.getByRole('region', { name: 'By service' }).getByRole('button', { name: 'CSV' }).click();
    const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n');
    const [head = '', ...body] = lines;
    const column = head.split(',').indexOf('cost');
    expect(body.map((line) => cents(Number(line.split(',')[column])))).toEqual(rows.map(({ cost }) => cost));
  });

  test('tells which days still grow, and leaves them out on demand', async () => {
    const { costsDaily } = await world().gql<{ costsDaily: { completeThrough: string } }>(
      '{ costsDaily { completeThrough } }',
    );
    await visit(page, costsHref({ from: addMonths(month, 0), to: today() }));
    await page.getByRole('button', { name: 'Complete days only' }).click();
    await settled(page);
    expect(new URL(page.url()).searchParams.get('to')).toBe(costsDaily.completeThrough);
    expect(await page.getByRole('button', { name: 'Complete days only' }).count()).toBe(0);
  });

  test('draws few of 20,000 rows, sorts and searches all of them, and goes to the last by keyboard', async () => {
    const groups = Array.from({ length: 20_000 }, (_, at) => ({
      tagValue: `project-${String(at).padStart(5, '0')}`,
      cost: 20_000 - at,
      percentage: 0,
    }));
    const many = async (route: Route) => {
      if (!route.request().postData()?.includes('query Costs(')) return route.fallback();
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: object };
      return route.fulfill({ response, json: { data: { ...data, tags: { groups } } } });
    };
    await page.route('**/graphql', many);
    await visit(page, costsHref({ ...range, group: 'tag', tagKey: 'team' }));
    expect(await table().getAttribute('aria-rowcount')).toBe('20002');
    expect(await table().locator('tbody tr').count()).toBeLessThan(100);
    await page.getByRole('region', { name: 'Costs by team' }).focus();
    await page.keyboard.press('End');
    await table().getByText('project-19999').waitFor();
    await table().getByRole('button', { name: 'Name' }).click();
    await page.keyboard.press('Enter');
    await settled(page);
    await page.getByRole('region', { name: 'Costs by team' }).focus();
    await page.keyboard.press('Home');
    await table().locator('tr[aria-rowindex="2"]', { hasText: 'project-19999' }).waitFor();
    await page.getByLabel('Find in the table').fill('project-0123');
    await table().getByText('10 of 20,000 found').waitFor();
    expect((await shown()).map(({ name }) => name)).toEqual(
      groups
        .slice(1230, 1240)
        .map(({ tagValue }) => tagValue)
        .toReversed(),
    );
    await page.unroute('**/graphql', many);
  });
});
