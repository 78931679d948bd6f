import type { Page } from 'playwright-core';
import { beforeAll, expect, it, vi } from 'vitest';
import { addDays } from '../../src/console/words/days.ts';
import { resourceTypeName } from '../../src/console/words/resource-types.ts';
import { axeIssues } from './axe.ts';
import { amount, csvOf, describeInBrowser, errorsOf, follow, rowsOf, settled, useBrowser } from './browser.ts';
import { demoWorld } from './world.ts';

interface Resource {
  readonly id: string;
  readonly name: string;
  readonly nativeId: string;
  readonly costLast30Days: number;
}

interface List<Row> {
  readonly data: readonly Row[];
  readonly pagination: { readonly total: number };
}

interface MeterRow {
  readonly keyList: readonly { readonly value: string | null }[];
  readonly cost: number;
}

interface Policy {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly provider: string | null;
  readonly resourceTypes: readonly string[];
  readonly violationCount: number;
  readonly rules: readonly object[];
}

const cents = (value: number) => Math.round(value * 100) / 100;

describeInBrowser('the console', () => {
  const world = demoWorld();
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    page = await browser.signedIn(world());
  });

  it('counts, filters and searches resources as the API does', async () => {
    const { summary, disks, tagged, found } = await world().gql<{
      summary: { total: number; byType: { resourceType: string; count: number }[] };
      disks: List<Resource>;
      tagged: List<Resource>;
      found: List<Resource>;
    }>(`{
      summary: inventorySummary { total byType { resourceType count } }
      disks: inventory(resourceType: ["Volume"], sortBy: COST_LAST_30_DAYS_DESC, perPage: 25) {
        data { name costLast30Days } pagination { total } }
      tagged: inventory(tagKey: "env", tagValue: ["staging"]) { data { id } pagination { total } }
      found: inventory(search: "LOADTEST") { data { id } pagination { total } } }`);
    await follow(page, '/inventory');
    const main = page.getByRole('main');
    await expect.poll(() => main.innerText()).toContain(`of ${summary.total} resources`);
    // More than a page of the API, with every resource once.
    expect(summary.total).toBeGreaterThan(100);
    const lines = await csvOf(page);
    expect(lines).toHaveLength(summary.total + 1);
    expect(new Set(lines).size).toBe(lines.length);
    const types = page.getByRole('list', { name: 'Resources by type' });
    const top = summary.byType.slice(0, 5);
    await expect
      .poll(() => types.getByRole('listitem').allInnerTexts())
      .toEqual(
        top.map(({ resourceType, count }) =>
          expect.stringMatching(new RegExp(`^${resourceTypeName(resourceType)}\\s+${count}$`)),
        ),
      );
    await types.getByRole('link', { name: 'Volume' }).click();
    await settled(page);
    const rows = await rowsOf(page.getByRole('table', { name: 'Resources' }));
    expect(rows.map(([name, cost = '']) => [name, amount(cost)])).toEqual(
      disks.data.map(({ name, costLast30Days }) => [name, cents(costLast30Days)]),
    );

    await follow(page, '/inventory?tagKey=env&tagValue=staging');
    await expect.poll(() => main.innerText()).toMatch(new RegExp(`\\b${tagged.pagination.total} resources`));
    await main.getByRole('button', { name: 'Clear', exact: true }).click();
    await main.getByRole('searchbox', { name: 'Name or ID' }).fill('LOADTEST');
    await vi.waitFor(() => expect(page.url()).toContain('search=LOADTEST'), 10_000);
    await settled(page);
    await expect.poll(() => main.innerText()).toMatch(new RegExp(`\\b${found.pagination.total} resource`));
    // A comma in a value does not split it, neither in the list nor in its CSV.
    await follow(page, '/inventory?tagKey=env&tagValue=staging%2Cprod');
    await page.getByText('Nothing matches the filters').waitFor();
    expect(await csvOf(page)).toHaveLength(1);
    expect(errorsOf(page)).toEqual([]);
  }, 40_000);

  it('shows the id and cost of a resource and its recommendations', async () => {
    const { recommendations } = await world().gql<{
      recommendations: List<{ id: string; title: string; resource: { id: string } }>;
    }>(`{ recommendations(type: [GCP_DISK_UNATTACHED], sortBy: ESTIMATED_MONTHLY_SAVINGS_DESC) {
      data { id title resource { id } } pagination { total } } }`);
    const [first] = recommendations.data;
    const { inventoryResource } = await world().gql<{ inventoryResource: Resource & { metadata: object } }>(
      'query ($id: ID!) { inventoryResource(id: $id) { name nativeId costLast30Days metadata } }',
      { id: first?.resource.id },
    );
    await follow(page, `/inventory/${first?.resource.id}`);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe(inventoryResource.name);
    await page.getByRole('button', { name: 'Copy the ID' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(inventoryResource.nativeId);
    const text = await page.getByRole('main').innerText();
    expect(text).toContain(`$${inventoryResource.costLast30Days.toFixed(2)}`);
    expect(text).toMatch(/Attached to\s+None/);
    await page.getByRole('table', { name: 'Recommendations about this resource' }).getByRole('link').click();
    await settled(page);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe(first?.title);
    expect(errorsOf(page)).toEqual([]);
  }, 40_000);

  it('shows the daily cost of a resource and its charges by meter, as the API has them', async () => {
    const { costsDaily, costs } = await world().gql<{
      costsDaily: { completeThrough: string };
      costs: { rows: { resourceId: string | null; keyList: { value: string }[]; cost: number }[] };
    }>(`{ costsDaily { completeThrough }
      costs(groupBy: [{ dimension: RESOURCE }, { dimension: ACCOUNT }],
        filters: { include: [{ dimension: SERVICE, values: ["Amazon Elastic Compute Cloud"] }] }) {
        rows { resourceId keyList { value } cost } } }`);
    const found = costs.rows.find(({ resourceId }) => resourceId !== null);
    const [resource, account] = found?.keyList ?? [];
    const to = costsDaily.completeThrough;
    const { meters } = await world().gql<{ meters: { totalCost: number; rows: MeterRow[] } }>(
      `query ($start: Date, $end: Date, $filters: CostFiltersInput) {
        meters: costs(startDate: $start, endDate: $end, groupBy: [{ dimension: METER }], filters: $filters) {
          totalCost rows { keyList { value } cost quantity unit } } }`,
      {
        start: addDays(to, -29),
        end: to,
        filters: {
          include: [
            { dimension: 'RESOURCE', values: [resource?.value] },
            { dimension: 'ACCOUNT', values: [account?.value] },
          ],
        },
      },
    );
    await follow(page, `/inventory/${found?.resourceId}`);
    const table = page.getByRole('table', { name: 'Charges by meter' });
    await expect
      .poll(async () => (await rowsOf(table)).map(([meter, , cost = '']) => [meter, amount(cost)]))
      .toEqual(meters.rows.map(({ keyList: [key], cost }) => [key?.value, cents(cost)]));
    await expect
      .poll(async () => amount(await table.locator('tfoot td').nth(2).innerText()))
      .toBe(cents(meters.totalCost));
    const chart = page.getByRole('group', { name: /^Daily cost of/ });
    await chart.focus();
    let sum = 0;
    for (let at = 0; at < 30; at += 1) {
      await page.keyboard.press('ArrowRight');
      const [, day = ''] = /Total\n(.+)/.exec(await chart.getByRole('status').innerText()) ?? [];
      sum += amount(day);
    }
    expect(sum).toBeCloseTo(meters.totalCost, 0);
    expect(await axeIssues(page)).toEqual([]);

    await page.getByText('12 months', { exact: true }).click();
    await settled(page);
    await expect.poll(() => page.getByRole('group', { name: /^Monthly cost of/ }).isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Explore costs' }).click();
    await settled(page);
    await expect.poll(() => new URL(page.url()).searchParams.get('resource')).toBe(resource?.value);
    await page.goBack();
    await settled(page);

    // From a row of the explorer back to the page.
    await follow(page, `/costs?group=resource&service=${encodeURIComponent('Amazon Elastic Compute Cloud')}`);
    const open = page.getByRole('link', { name: /^Open resource/ }).first();
    await open.click();
    await settled(page);
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/inventory\/[0-9a-f-]{36}$/);
    expect(errorsOf(page)).toEqual([]);
  }, 40_000);

  it('adds up the values of a tag key to the total, in chart and table, and links to their costs', async () => {
    const { coverage } = await world().gql<{ coverage: { startDate: string; endDate: string } }>(
      '{ coverage { startDate endDate } }',
    );
    const complete = `startDate: "${coverage.startDate}", endDate: "${coverage.endDate}"`;
    const { costsByTag } = await world().gql<{
      costsByTag: { totalCost: number; groups: { tagValue: string | null; cost: number; percentage: number }[] };
    }>(`{ costsByTag(tagKey: "team", ${complete}) { totalCost groups { tagValue cost percentage } } }`);
    await follow(page, '/tags');
    const tabs = page.getByRole('navigation', { name: 'Tags' });
    // A scroll bar would cover the tabs.
    expect(await tabs.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
    await page.getByRole('link', { name: 'team', exact: true }).click();
    await settled(page);
    const table = page.getByRole('table', { name: 'Costs by the values of team' });
    await expect
      .poll(async () => (await rowsOf(table)).map(([value, cost = '']) => [value, amount(cost)]))
      .toEqual(costsByTag.groups.map(({ tagValue, cost }) => [tagValue ?? 'Untagged', cents(cost)]));
    await expect
      .poll(async () => amount(await table.locator('tfoot td').nth(1).innerText()))
      .toBe(cents(costsByTag.totalCost));
    const bar = (await page.getByRole('img', { name: /^Costs by team/ }).getAttribute('aria-label')) ?? '';
    const parts = [...bar.matchAll(/\$([\d,.]+\d)/g)].map(([, cost = '']) => amount(cost));
    expect(parts.reduce((total, cost) => total + cost, 0)).toBeCloseTo(costsByTag.totalCost, 1);
    const untagged = costsByTag.groups.find(({ tagValue }) => tagValue === null);
    await expect.poll(() => page.getByRole('main').innerText()).toContain(`${untagged?.percentage.toFixed(1)}%`);
    await table.getByRole('link', { name: 'storefront', exact: true }).click();
    await settled(page);
    const query = new URL(page.url()).searchParams;
    expect(query.get('tag:team')).toBe('storefront');

    await follow(page, `/tags/keys/${encodeURIComponent(' hidden-title')}`);
    await expect.poll(() => page.getByRole('table').count()).toBe(1);
    await follow(page, `/tags/keys/${encodeURIComponent('no/such.key 100%')}`);
    await expect
      .poll(() => page.getByRole('main').innerText())
      .toMatch(/No data for this tag key[^]+“no\/such\.key 100%”/);
    expect(errorsOf(page)).toEqual([]);
  }, 40_000);

  it('creates a tag policy, evaluates it, turns it off and deletes it', async () => {
    await follow(page, '/tags/policies');
    await page.getByRole('link', { name: 'New policy' }).click();
    await settled(page);
    await page.getByRole('button', { name: 'Create policy' }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await vi.waitFor(
      async () => expect(await name.evaluate((input) => input === document.activeElement)).toBe(true),
      10_000,
    );
    await expect.poll(() => page.getByRole('main').innerText()).toMatch(/Enter a name[^]+Enter a tag key/);
    await name.fill('Volumes say who backs them up');
    await page.getByRole('combobox', { name: 'Provider' }).click();
    await page.getByRole('option', { name: 'AWS' }).click();
    await page.getByRole('combobox', { name: 'Resource types' }).fill('Volume');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Key' }).fill('backup');
    await page.getByRole('textbox', { name: 'Pattern' }).fill('daily(');
    await page.getByRole('heading', { level: 1 }).click();
    expect(await axeIssues(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create policy' }).click();
    await page.getByText(/^"daily\(" is not a valid RE2 pattern/).waitFor();
    await page.getByRole('textbox', { name: 'Pattern' }).fill('daily|weekly');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/tags\/policies$/);

    const read = async () => {
      const { tagPolicies } = await world().gql<{ tagPolicies: List<Policy> }>(`{ tagPolicies(perPage: 1) {
        data { id name enabled provider resourceTypes violationCount
          rules { key required allowedValues pattern caseSensitive } } } }`);
      return tagPolicies.data[0];
    };
    const { pagination } = (
      await world().gql<{ inventory: List<Resource> }>(
        '{ inventory(provider: ["aws"], resourceType: ["Volume"]) { pagination { total } } }',
      )
    ).inventory;
    await vi.waitFor(async () => expect((await read())?.violationCount).toBe(pagination.total), 20_000);
    expect(await read()).toMatchObject({
      name: 'Volumes say who backs them up',
      provider: 'aws',
      resourceTypes: ['Volume'],
      rules: [{ key: 'backup', required: true, allowedValues: [], pattern: 'daily|weekly', caseSensitive: false }],
    });
    const id = (await read())?.id ?? '';
    await follow(page, `/tags/violations?policy=${id}`);
    await expect
      .poll(async () => (await rowsOf(page.getByRole('table', { name: 'Tag violations' }))).map((row) => row[1]))
      .toEqual(Array.from({ length: pagination.total }, () => 'Missingbackup'));

    await follow(page, '/tags/policies');
    await page.getByRole('switch', { name: 'Volumes say who backs them up is on' }).press('Space');
    await vi.waitFor(async () => expect((await read())?.enabled).toBe(false), 10_000);
    await page.getByRole('link', { name: 'Volumes say who backs them up', exact: true }).click();
    await settled(page);
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this policy?' });
    expect(await axeIssues(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/tags\/policies$/);
    await settled(page);
    expect((await read())?.id).not.toBe(id);
    await expect.poll(() => page.getByRole('main').innerText()).not.toContain('Volumes say who');
    expect(errorsOf(page)).toEqual([]);
  }, 60_000);

  it('shows policies read-only to those who cannot change them', async () => {
    const viewer = await browser.signedIn(world(), await world().someone('viewer'));
    await follow(viewer, '/tags/policies');
    expect(await viewer.getByRole('switch').count()).toBe(0);
    await viewer.getByRole('link', { name: 'Valid cost center', exact: true }).click();
    await settled(viewer);
    await expect.poll(() => viewer.getByRole('main').innerText()).toMatch(/cost_center\s+required, matches CC-\[1-4\]/);
    expect(await viewer.getByRole('main').locator('form, input, button').count()).toBe(0);
  }, 40_000);
});
