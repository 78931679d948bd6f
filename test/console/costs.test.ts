import { readFile } from 'node:fs/promises';
import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { costsHref } from '../../src/console/costs/address.ts';
import { addMonths, countDays, monthEnd, monthStart, today } from '../../src/console/words/days.ts';
import { day, money } from '../../src/console/words/format.ts';
import { axeIssues, contrastIssues } from './axe.ts';
import { amount, describeInBrowser, errorsOf, follow, rowsOf, settled, useBrowser, visit } from './browser.ts';
import { demoWorld } from './world.ts';

/** Two whole months of the demo's bills. */
const month = addMonths(monthStart(today()), -1);
const range = { from: addMonths(month, -1), to: monthEnd(month) };
const before = { from: addMonths(month, -3), to: monthEnd(addMonths(month, -2)) };

interface Groups {
  readonly totalCost: number;
  readonly groups: readonly { readonly name: string | null; readonly cost: number }[];
}

interface Costs {
  readonly totalCost: number;
  readonly rowCount: number;
  readonly rows: readonly {
    readonly keyList: readonly { readonly value: string | null; readonly label: string | null }[];
    readonly cost: number;
    readonly previousCost: number | null;
    readonly resourceId: string | null;
    readonly quantity: number | null;
    readonly unit: string | null;
  }[];
}

interface Daily {
  readonly totalCost: number;
  readonly days: readonly { readonly date: string; readonly cost: number }[];
}

const cents = (cost: number) => Math.round(cost * 100) / 100;
const dates = ({ from, to } = range) => `startDate: "${from}", endDate: "${to}"`;
const rowFields = 'totalCost rowCount rows { keyList { value label } cost previousCost resourceId quantity unit }';

describeInBrowser('the cost explorer', () => {
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

  /** Returns name and cost of each row. */
  const shown = async () => {
    const column = await costColumn();
    return (await rowsOf(table())).map((cells) => ({ name: cells[0] ?? '', cost: cents(amount(cells[column] ?? '')) }));
  };

  /** Runs the general cost query of the API. */
  const costs = async (parameters: string) => {
    const answer = await world().gql<{ costs: Costs }>(`{ costs(${dates()}, ${parameters}) { ${rowFields} } }`);
    return answer.costs;
  };

  /** Rows of a day, as the breakdown asks for them. */
  const rowsOfDay = async (date: string, dimension: string) => {
    const answer = await world().gql<{ costs: Costs }>(
      `{ costs(startDate: "${date}", endDate: "${date}", groupBy: [{ dimension: ${dimension} }], limit: 12) { ${rowFields} } }`,
    );
    return answer.costs.rows;
  };

  const filters = () => page.getByRole('list', { name: 'Filters' }).getByRole('listitem');
  const asked = (key: string) => new URL(page.url()).searchParams.getAll(key);

  /** Saves the CSV of a card and reads its lines. */
  const saved = async (card: string) => {
    const download = page.waitForEvent('download');
    const region = page.getByRole('region', { name: card, exact: true });
    if (card === 'Costs over time') {
      await region.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: 'CSV' }).click();
    } else await region.getByRole('button', { name: 'CSV' }).click();
    return (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
  };

  /** Returns the tooltip of each bar, moving from bar to bar with the arrow key. */
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

  it.each([
    ['service', 'answer: costsByService(DATES) { totalCost groups { name: service cost } }'],
    ['account', 'answer: costsByAccount(DATES) { totalCost groups { name: accountName cost } }'],
    ['region', 'answer: costsByRegion(DATES) { totalCost groups { name: region cost } }'],
    ['tag:team', 'answer: costsByTag(DATES, tagKey: "team") { totalCost groups { name: tagValue cost } }'],
  ] as const)('has the rows and the total of the API by %s, and of the period before', async (group, field) => {
    const { answer } = await world().gql<{ answer: Groups }>(`{ ${field.replace('DATES', dates())} }`);
    const earlier = await world().gql<{ answer: Groups }>(`{ ${field.replace('DATES', dates(before))} }`);
    await follow(page, costsHref({ ...range, group }));
    // The view has a group for each provider with that name.
    const named = Map.groupBy(answer.groups, ({ name }) => name ?? 'Untagged');
    const expected = [...named]
      .map(([name, same]) => ({ name, cost: cents(same.reduce((sum, { cost }) => sum + cost, 0)) }))
      .toSorted((one, other) => other.cost - one.cost);
    await expect
      .poll(async () => (await shown()).filter(({ cost }) => cost !== 0))
      .toEqual(expected.filter(({ cost }) => cost !== 0));
    await expect.poll(() => total()).toBe(cents(answer.totalCost));
    const foot = await table().locator('tfoot td').allInnerTexts();
    expect(foot.map(amount)).toContain(cents(earlier.answer.totalCost));
    await expect
      .poll(() => chart().getAttribute('aria-label'))
      .toContain(`${(await table().locator('tfoot td').allInnerTexts())[await costColumn()]} in total`);
  });

  it('draws a bar for each day or month of the API; a month opens its days, and a day its breakdown', async () => {
    const { daily } = await world().gql<{ daily: Daily }>(
      `{ daily: costsDaily(${dates()}) { totalCost days { date cost } } }`,
    );
    const ofMonth = (start: string) => daily.days.filter(({ date }) => date.startsWith(start.slice(0, 7)));
    const sum = (days: Daily['days']) => cents(days.reduce((all, { cost }) => all + cost, 0));
    await follow(page, costsHref({ ...range, group: 'provider', granularity: 'monthly' }));
    expect(await bars(2)).toEqual([sum(ofMonth(range.from)), sum(ofMonth(month))]);
    await page.keyboard.press('Enter');
    await settled(page);
    await expect.poll(() => asked('from')).toEqual([month]);
    expect(await bars(7)).toEqual(
      ofMonth(month)
        .slice(0, 7)
        .map(({ cost }) => cents(cost)),
    );
    await expect.poll(() => total()).toBe(sum(ofMonth(month)));
    const { date = '', cost = 0 } = ofMonth(month)[6] ?? {};
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: `${day(date)} by provider` });
    await expect.poll(() => dialog.innerText()).toContain(money(cost, 'USD'));
    const ofDay = await rowsOfDay(date, 'PROVIDER');
    expect((await rowsOf(dialog.getByRole('table'))).map(([, text = '']) => cents(amount(text)))).toEqual(
      ofDay.map((one) => cents(one.cost)),
    );
    expect(await axeIssues(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeIssues(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await dialog.getByRole('link', { name: 'Show only this day' }).click();
    await settled(page);
    await expect.poll(() => total()).toBe(cents(cost));
    await page.goBack();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await settled(page);
    await expect.poll(() => total()).toBe(sum(ofMonth(month)));
  });

  it('shows the chart as lines, areas, a running total and a table, hides series, and keeps all of it in the address', async () => {
    await follow(page, costsHref({ ...range }));
    const names = () => page.getByRole('button', { name: /^Show (?!only|all)/ });
    await expect.poll(() => names().count()).toBe(7);
    expect((await names().allInnerTexts()).at(-1)).toBe('Other');
    const colourOf = (name: string) =>
      page
        .getByRole('button', { name: `Show ${name}` })
        .locator('span')
        .first()
        .getAttribute('style');
    const colours = await colourOf('BigQuery');
    for (const [type, key] of [
      ['Lines', 'line'],
      ['Areas', 'area'],
      ['Cumulative', 'cumulative'],
    ] as const) {
      await page.getByRole('combobox', { name: 'Chart type' }).click();
      await page.getByRole('option', { name: type }).click();
      await settled(page);
      expect(asked('chart')).toEqual([key]);
      expect(await axeIssues(page)).toEqual([]);
    }
    const whole = await costs('groupBy: [{ dimension: SERVICE }]');
    await chart().focus();
    await page.keyboard.press('End');
    await expect.poll(() => chart().getByRole('status').innerText()).toContain(money(whole.totalCost, 'USD'));
    await page.getByRole('combobox', { name: 'Chart type' }).click();
    await page.getByRole('option', { name: 'Table' }).click();
    const figures = page.getByRole('group', { name: /^Costs per day/ }).getByRole('table');
    await expect.poll(() => figures.locator('tbody tr').count()).toBe(countDays(range.from, range.to));
    const sums = (await rowsOf(figures)).map((cells) => amount(cells.at(-1) ?? ''));
    expect(cents(sums.reduce((all, one) => all + one, 0))).toBeCloseTo(cents(whole.totalCost), 0);
    const entry = page.getByRole('button', { name: 'Show BigQuery' });
    const line = () => entry.evaluate((element) => getComputedStyle(element).textDecorationLine);
    await entry.click();
    await settled(page);
    expect(asked('hidden')).toEqual(['=BigQuery']);
    await expect.poll(() => figures.locator('thead').innerText()).not.toContain('BigQuery');
    await page.reload();
    await settled(page);
    await expect.poll(() => figures.locator('thead').innerText()).not.toContain('BigQuery');
    expect(await line()).toBe('line-through');
    await follow(page, costsHref({ ...before }));
    await expect.poll(() => colourOf('BigQuery')).toBe(colours);
    expect(errorsOf(page)).toEqual([]);
  }, 60_000);

  it('marks anomalies in the chart, and lists them below it with links', async () => {
    const { anomalies } = await world().gql<{ anomalies: { data: { id: string; service: string }[] } }>(
      `{ anomalies(${dates()}, sortBy: IMPACT_DESC, perPage: 100) { data { id service } } }`,
    );
    expect(anomalies.data.length).toBeGreaterThan(0);
    await follow(page, costsHref({ ...range }));
    const links = page.getByRole('main').locator('a[href^="/anomalies/"]');
    await expect
      .poll(async () => Promise.all((await links.all()).map((link) => link.getAttribute('href'))))
      .toEqual(anomalies.data.slice(0, 5).map(({ id }) => `/anomalies/${id}`));
    expect(await axeIssues(page)).toEqual([]);
    await follow(page, costsHref({ ...range, meter: 'no such meter' }));
    expect(await links.count()).toBe(0);
  });

  it('finds a service by its short name in the table, in filters and in the search', async () => {
    await follow(page, costsHref({ ...range }));
    await page.getByRole('searchbox', { name: 'Find in the table' }).fill('ec2');
    await expect.poll(async () => (await shown()).map(({ name }) => name)).toEqual(['Amazon Elastic Compute Cloud']);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('option', { name: 'Service', exact: true }).click();
    await page.keyboard.type('gke');
    await expect
      .poll(() => page.getByRole('option').allInnerTexts())
      .toEqual([expect.stringMatching(/^Kubernetes Engine/), 'Starts with “gke”']);
    await page.keyboard.press('Escape');
  });

  it('groups by two dimensions, as the API does, and orders by any column', async () => {
    await follow(page, costsHref({ ...range }));
    await page.getByRole('combobox', { name: 'Then by' }).fill('Reg');
    await page.getByRole('option', { name: 'Region' }).click();
    await settled(page);
    await expect.poll(() => asked('group')).toEqual(['service', 'region']);
    const { rows, totalCost } = await costs(
      'groupBy: [{ dimension: SERVICE }, { dimension: REGION }], limit: 1000, compare: PREVIOUS_PERIOD',
    );
    expect(rows.length).toBeGreaterThan(50);
    const cells = (await rowsOf(table())).map(([service, region, cost = '']) => [service, region, cents(amount(cost))]);
    expect(cells.toSorted()).toEqual(
      rows.map(({ keyList, cost }) => [...keyList.map(({ value }) => value), cents(cost)]).toSorted(),
    );
    await expect.poll(() => total()).toBe(cents(totalCost));
    await table().getByRole('button', { name: 'Previous' }).click();
    await settled(page);
    const previous = (await rowsOf(table())).map((row) => amount(row[4] ?? ''));
    expect(previous).toEqual(rows.map(({ previousCost }) => cents(previousCost ?? 0)).toSorted((a, b) => b - a));
    await page.getByLabel('Clear then by').click();
    await settled(page);
    await expect.poll(() => asked('group')).toEqual([]);
  });

  it('shows the names of a long table on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await follow(page, costsHref({ ...range, group: ['resource', 'meter'] }));
    await expect.poll(async () => Number(await table().getAttribute('aria-rowcount'))).toBeGreaterThan(100);
    expect((await table().locator('thead th').first().boundingBox())?.width).toBeGreaterThan(120);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('keeps the options of a phone behind a button with the number of filters', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await follow(page, costsHref({ ...range, region: ['eu-west-1', 'us-east-1'] }));
    const controls = page.getByRole('group', { name: 'Costs shown' });
    expect((await controls.boundingBox())?.height).toBeLessThan(48);
    const button = controls.getByRole('button', { name: 'Filters (2)' });
    await button.press('Enter');
    await expect.poll(() => button.getAttribute('aria-expanded')).toBe('true');
    await controls.getByRole('button', { name: 'Clear all' }).click();
    await settled(page);
    await controls.getByRole('button', { name: 'Options', exact: true }).waitFor();
    expect(await axeIssues(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('selects the best match on Enter when searching dimensions and values, and when retyping a dimension', async () => {
    await follow(page, costsHref({ ...range }));
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'Search dimensions' }).fill('region');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('option', { name: /^eu-west-1/ }).count()).toBe(1);
    await page.keyboard.type('us-e');
    await page.locator('[data-combobox-selected]').getByText('us-east-1').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => asked('region')).toEqual(['us-east-1']);
    await page.keyboard.press('Escape');
    // The focus returns to the filter button when its menu has closed.
    const type = () => page.getByRole('combobox', { name: 'Group by' }).fill('regi');
    await expect.poll(() => type().then(() => page.getByRole('option').allInnerTexts())).toEqual(['Region']);
    await page.keyboard.press('Escape');
  });

  it('adds filters with an accessible menu; includes, excludes and matches prefixes', async () => {
    await follow(page, costsHref({ ...range }));
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('option', { name: 'Service', exact: true }).waitFor();
    expect(await axeIssues(page)).toEqual([]);
    await page.keyboard.type('regi');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: /^eu-west-1/ }).waitFor();
    expect(await axeIssues(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await contrastIssues(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('option', { name: /^eu-west-1/ }).click();
    await page.keyboard.press('Escape');
    await settled(page);
    await expect.poll(() => filters().allInnerTexts()).toEqual(['Region is eu-west-1', 'Clear all']);
    const included = await costs('filters: { include: [{ dimension: REGION, values: ["eu-west-1"] }] }');
    await expect.poll(() => total()).toBe(cents(included.totalCost));

    await filters().getByRole('button').first().click();
    await page.getByRole('menuitem', { name: 'Exclude instead' }).click();
    await settled(page);
    await expect.poll(() => filters().allInnerTexts()).toEqual(['Region is not eu-west-1', 'Clear all']);
    const excluded = await costs('filters: { exclude: [{ dimension: REGION, values: ["eu-west-1"] }] }');
    await expect.poll(() => total()).toBe(cents(excluded.totalCost));
    expect(cents(included.totalCost + excluded.totalCost)).toBe(cents((await costs('limit: 1')).totalCost));

    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('option', { name: 'Service', exact: true }).click();
    await page.getByRole('combobox', { name: 'Search services' }).fill('Amazon E');
    await page.getByRole('option', { name: 'Starts with “Amazon E”' }).click();
    await page.keyboard.press('Escape');
    await settled(page);
    await expect.poll(() => filters().allInnerTexts()).toContain('Service starts with Amazon E');
    const both =
      await costs(`groupBy: [{ dimension: SERVICE }], filters: { include: [{ dimension: SERVICE, values: ["Amazon E*"] }],
      exclude: [{ dimension: REGION, values: ["eu-west-1"] }] }`);
    expect(both.rowCount).toBeGreaterThan(1);
    await expect.poll(() => total()).toBe(cents(both.totalCost));
    await page.getByRole('button', { name: 'Clear all' }).click();
    await settled(page);
    await expect.poll(() => filters().count()).toBe(0);
    expect(errorsOf(page)).toEqual([]);
  }, 40_000);

  it('drills from service to meter, resource and day by keyboard, and back with the breadcrumbs', async () => {
    const service = 'Amazon Elastic Compute Cloud';
    const meters = await costs(
      `groupBy: [{ dimension: METER }], filters: { include: [{ dimension: SERVICE, values: ["${service}"] }] }`,
    );
    await follow(page, costsHref({ ...range }));
    await table().getByRole('link', { name: service }).focus();
    await page.keyboard.press('Enter');
    await settled(page);
    await expect.poll(() => page.getByRole('heading', { name: 'By meter' }).isVisible()).toBe(true);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Costs by meter');
    await expect.poll(() => total()).toBe(cents(meters.totalCost));
    await expect
      .poll(async () => (await shown()).map(({ cost }) => cost))
      .toEqual(meters.rows.map(({ cost }) => cents(cost)));
    const used = meters.rows.find(({ quantity }) => quantity !== null);
    await expect.poll(() => table().innerText()).toContain(used?.unit ?? 'none');

    // A meter of several resources.
    const meter = await firstWith(
      meters.rows.map(({ keyList: [key] }) => key?.value ?? null),
      async (value) => {
        const { rowCount } = await costs(`groupBy: [{ dimension: RESOURCE }], limit: 2, filters: { include: [
        { dimension: SERVICE, values: ["${service}"] }, { dimension: METER, values: [${JSON.stringify(value)}] }] }`);
        return value !== null && rowCount > 1;
      },
    );
    await table().getByRole('link', { name: meter, exact: true }).click();
    await settled(page);
    await expect.poll(() => page.getByRole('heading', { name: 'By resource' }).isVisible()).toBe(true);
    const [resource] = await shown();
    await table().locator('tbody tr').first().locator('td').nth(2).click();
    await settled(page);
    await expect.poll(() => page.getByRole('heading', { name: 'By day' }).isVisible()).toBe(true);
    await expect.poll(() => total()).toBe(resource?.cost);
    await expect.poll(() => table().locator('tbody tr').count()).toBe(countDays(range.from, range.to));
    const crumbs = page.getByRole('navigation', { name: 'Drill-down' });
    await expect.poll(() => crumbs.innerText()).toContain(meter);
    await page.goBack();
    await settled(page);
    await expect.poll(() => page.getByRole('heading', { name: 'By resource' }).isVisible()).toBe(true);
    await crumbs.getByRole('link', { name: service }).click();
    await settled(page);
    await expect.poll(() => page.getByRole('heading', { name: 'By meter' }).isVisible()).toBe(true);
    await expect.poll(() => filters().allInnerTexts()).toEqual([`Service is ${service}`, 'Clear all']);
    await crumbs.getByRole('link', { name: 'All costs' }).click();
    await settled(page);
    await expect.poll(() => filters().count()).toBe(0);
    expect(errorsOf(page)).toEqual([]);
  }, 40_000);

  it('skips dimensions with a single value when drilling, also in a new tab and after Back', async () => {
    const { rows } = await costs('groupBy: [{ dimension: SERVICE }], limit: 1000');
    const single = await firstWith(
      rows.map(({ keyList: [key] }) => key?.value ?? null),
      async (value) => {
        const filter = `limit: 2, filters: { include: [{ dimension: SERVICE, values: [${JSON.stringify(value)}] }] }`;
        const meters = await costs(`groupBy: [{ dimension: METER }], ${filter}`);
        const resources = await costs(`groupBy: [{ dimension: RESOURCE }], ${filter}`);
        return meters.rowCount === 1 && resources.rowCount === 1;
      },
    );
    await follow(page, costsHref({ ...range }));
    const link = table().getByRole('link', { name: single, exact: true });
    const href = (await link.getAttribute('href')) ?? '';
    await link.click();
    await settled(page);
    await expect.poll(() => asked('group')).toEqual(['day']);
    await page.goBack();
    await settled(page);
    await expect.poll(() => page.getByRole('heading', { name: 'By service' }).isVisible()).toBe(true);
    await visit(page, href);
    await expect.poll(() => asked('group')).toEqual(['day']);
    // The days at the end of a drill-down have nothing more to show.
    await settled(page);
    expect(await table().locator('tbody a').count()).toBe(0);
  });

  it('supports URLs of earlier versions', async () => {
    for (const [old, parameters] of [
      ['group=tag&tagKey=team', 'groupBy: [{ tag: "team" }], limit: 1000'],
      ['tagKey=team&tagValue=storefront', 'filters: { include: [{ tag: "team", values: ["storefront"] }] }'],
      ['tagKey=team&untagged=true', 'filters: { include: [{ tag: "team", values: [null] }] }'],
      ['tagKey=team&group=region', 'filters: { include: [{ tag: "team" }] }'],
      [
        'category=TAX&category=CREDIT',
        'filters: { include: [{ dimension: CHARGE_CATEGORY, values: ["tax", "credit"] }] }',
      ],
      ['subAccount=511200000011', 'filters: { include: [{ dimension: SUB_ACCOUNT, values: ["511200000011"] }] }'],
    ]) {
      await follow(page, `/costs?from=${range.from}&to=${range.to}&${old}`);
      const answer = await costs(parameters ?? '');
      await expect.poll(async () => [old, await total()]).toEqual([old, cents(answer.totalCost)]);
    }
    await expect.poll(() => filters().first().innerText()).toBe('Sub-account is 511200000011');
    await page.goBack();
    await settled(page);
    await expect.poll(() => asked('charge_category')).toEqual(['tax', 'credit']);
  });

  it('reports invalid URL parameters, and continues without them', async () => {
    for (const [query, said] of [
      ['from=2026-02-30&to=2026-03-05', 'enter dates as YYYY-MM-DD'],
      ['category=gift', 'charge_category=gift is not one of'],
    ]) {
      await follow(page, `/costs?${query}`);
      await expect.poll(() => page.getByRole('alert').innerText()).toContain(said);
      await page.getByRole('button', { name: 'Show costs without it' }).click();
      await settled(page);
      await expect.poll(() => table().isVisible()).toBe(true);
    }
    expect(errorsOf(page)).toEqual([]);
  });

  it('saves table and chart as CSV with the figures of REST and of the page', async () => {
    await follow(
      page,
      costsHref({ ...range, provider: 'gcp', exclude_service: 'BigQuery', group: ['service', 'tag:team'] }),
    );
    const rows = await shown();
    const lines = await saved('By service and team');
    const [head = '', ...body] = lines;
    const columns = head.split(',');
    expect(columns.slice(0, 2)).toEqual(['service', 'tag:team']);
    expect(body.map((line) => cents(Number(line.split(',')[columns.indexOf('cost')])))).toEqual(
      rows.map(({ cost }) => cost),
    );
    const { rows: answered } = await world().rest<{ rows: { cost: number }[] }>(
      'GET',
      `/costs?start_date=${range.from}&end_date=${range.to}&provider=gcp&exclude_service=BigQuery&group_by=service&group_by=tag:team&limit=1000`,
    );
    expect(body.map((line) => Number(line.split(',')[columns.indexOf('cost')]))).toEqual(
      answered.map(({ cost }) => cost),
    );

    const series = await saved('Costs over time');
    const cost = series[0]?.split(',').indexOf('cost') ?? -1;
    const sum = series.slice(1).reduce((all, line) => all + Number(line.split(',')[cost]), 0);
    expect(cents(sum)).toBe(await total());

    await page.getByRole('button', { name: 'Export FOCUS' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'FOCUS as CSV' }).click();
    const [columnNames = ''] = (await readFile(await (await download).path(), 'utf8')).split('\n');
    expect(columnNames).toContain('EffectiveCost');
  });

  it('shows why a query failed, and retries it', async () => {
    const said = 'The question is too large: ask for fewer days or fewer dimensions.';
    let refusals = 0;
    const refuse = async (route: Route) => {
      if (!route.request().postData()?.includes('query Costs(')) return route.fallback();
      refusals += 1;
      const error = { message: said, extensions: { code: 'SERVICE_UNAVAILABLE', status: 503 } };
      return route.fulfill({ status: 200, json: { data: { costs: null }, errors: [error] } });
    };
    await page.route('**/graphql', refuse);
    await visit(page, costsHref({ ...range, group: 'resource' }));
    expect(refusals).toBeGreaterThan(0);
    await expect.poll(() => page.getByRole('alert').innerText()).toContain(said);
    await page.unroute('**/graphql', refuse);
    await page.getByRole('button', { name: 'Retry' }).click();
    await table().waitFor();
    await settled(page);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('shows “No data” to a restricted member whose accounts have no costs', async () => {
    const { accounts } = await world().gql<{ accounts: { data: { id: string; name: string }[] } }>(
      '{ accounts { data { id name } } }',
    );
    const [own, other] = accounts.data;
    const member = await browser.signedIn(world(), await world().join('viewer', [own?.id ?? '']));
    await follow(member, costsHref({ ...range, account: other?.id ?? '' }));
    await expect.poll(() => member.getByRole('main').innerText()).toMatch(/No data\s+No costs match the filters/);
    await member.getByRole('button', { name: 'Clear filters' }).click();
    await settled(member);
    await expect.poll(() => member.getByRole('table').isVisible()).toBe(true);
    expect(errorsOf(member)).toEqual([]);
  }, 40_000);

  it('shows complete days, and incomplete ones on request, marked', async () => {
    const { costsDaily } = await world().gql<{ costsDaily: { completeThrough: string } }>(
      '{ costsDaily { completeThrough } }',
    );
    await follow(page, costsHref({ from: addMonths(today(), -1), to: monthEnd(today()) }));
    await page.getByText('Figures, averages and changes cover the complete days').waitFor();
    await page.getByRole('button', { name: 'Include incomplete days' }).click();
    await page.getByText('Bills are complete through').waitFor();
    await page.getByRole('button', { name: 'Complete days only' }).click();
    await settled(page);
    await expect.poll(() => new URL(page.url()).searchParams.get('to')).toBe(costsDaily.completeThrough);
    expect(await page.getByRole('button', { name: /complete days/i }).count()).toBe(0);
  });

  it('renders few of 1,000 rows, sums the rest, searches all, and reaches the last by keyboard', async () => {
    const figures = { previousCost: 0, change: 0, changePercent: null, percentage: 0, points: null };
    const row = { ...figures, resourceId: null, quantity: null, unit: null };
    const rows = Array.from({ length: 1000 }, (_, at) => ({
      ...row,
      keyList: [{ value: `project-${String(at).padStart(4, '0')}`, label: null }],
      cost: 1000 - at,
    }));
    const other = { ...figures, count: 19_000, cost: 5 };
    const many = async (route: Route) => {
      const { query, variables } = route.request().postDataJSON() as { query: string; variables: { limit: number } };
      if (!query.includes('query Costs(') || variables.limit !== 1000) return route.fallback();
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: { costs: object } };
      return route.fulfill({ response, json: { data: { costs: { ...data.costs, rows, other, rowCount: 20_000 } } } });
    };
    await page.route('**/graphql', many);
    await visit(page, costsHref({ ...range, group: 'tag:team' }));
    await expect.poll(() => table().getAttribute('aria-rowcount')).toBe('1002');
    await expect.poll(() => table().locator('tbody tr').count()).toBeLessThan(100);
    await expect.poll(() => page.getByRole('main').innerText()).toContain('Top 1,000 of 20,000');
    await expect.poll(() => table().locator('tfoot').innerText()).toMatch(/Other \(19,000\)\s+\$5\.00/);
    await page.getByRole('group', { name: 'Costs by team' }).focus();
    await page.keyboard.press('End');
    await table().getByText('project-0999').waitFor();
    await page.getByLabel('Find in the table').fill('project-012');
    await table().getByText('10 of 1,000 found').waitFor();
    await expect
      .poll(async () => (await shown()).map(({ name }) => name))
      .toEqual(rows.slice(120, 130).map(({ keyList: [key] }) => key?.value));
    await page.unroute('**/graphql', many);
  });
});

/** The first value that meets a condition. */
async function firstWith(
  values: readonly (string | null)[],
  isGood: (value: string | null) => Promise<boolean>,
): Promise<string> {
  for (const value of values) if (value !== null && (await isGood(value))) return value;
  throw new Error('No value meets the condition');
}
