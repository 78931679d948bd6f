import { screen, waitFor, within } from '@testing-library/dom';
import { beforeAll, describe, expect, it } from 'vitest';
import { cents, amount } from '../figures.ts';
import { axeIssues } from './axe.ts';
import { choose, field, fill, follow, main, press, rowsOf, settled, signIn, useConsole, user } from './console.ts';
import { demoApi } from './world.ts';

interface Preview {
  readonly coveragePercent: number;
  readonly unallocated: readonly { readonly service: string | null }[];
  readonly values: readonly { readonly value: string; readonly cost: number }[];
}

interface Row {
  readonly keys: readonly string[];
  readonly cost: number;
  readonly directCost: number;
  readonly sharedCost: number;
}

const rule = (index: number) => screen.getByRole('group', { name: `Rule ${index}` });
/** The field for the fixed value of a rule. */
const valueOf = (index: number) =>
  within(rule(index)).getByRole<HTMLInputElement>('combobox', { name: /^Value( \*)?$/ });
const preview = () => screen.getByRole('region', { name: 'Preview' });

/** Formats an amount as the console does. */
function usd(value: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(value);
}

/** Fills in a rule that gives a service's charges a value. */
async function fillRule(index: number, value: string, service: string): Promise<void> {
  await fill(valueOf(index), value);
  const name = `Condition 1 of rule ${index}`;
  await choose(screen.getByRole('combobox', { name: `${name}: dimension` }), 'Service');
  await user.type(screen.getByRole('combobox', { name: `${name}: values` }), `${service}{Enter}`);
}

describe('the page of virtual tags', () => {
  const api = demoApi();
  useConsole();
  let services: readonly string[] = [];
  beforeAll(async () => {
    const { costsByService } = await api().gql<{ costsByService: { groups: readonly { service: string }[] } }>(
      '{ costsByService { groups { service } } }',
    );
    services = costsByService.groups.map(({ service }) => service);
    await signIn(api());
  });

  it('names every field of the form that is wrong', async () => {
    await follow('/tags/virtual/new');
    await press(screen.getByRole('button', { name: 'Create virtual tag' }), 'Enter');
    await waitFor(() => expect(document.activeElement).toBe(field('Name')));
    expect(screen.getAllByText(/^(Enter a name|Enter a value|Choose a dimension)$/)).toHaveLength(3);
    expect(await axeIssues()).toEqual([]);
  });

  it('creates a virtual tag whose preview has the figures of the API, then splits its costs', async () => {
    const [first = '', second = ''] = services;
    await follow('/tags/virtual/new');
    await fill(field('Name'), 'Product line');
    await fillRule(1, 'shop', first);
    await press(screen.getByRole('button', { name: 'Add rule' }), 'Enter');
    await fillRule(2, 'data', second);
    const condition = (value: string) => ({ dimension: 'service', operator: 'IN', values: [value] });
    const { previewVirtualTag: expected } = await api().gql<{ previewVirtualTag: Preview }>(
      `mutation ($rules: [AllocationRuleInput!]!) { previewVirtualTag(rules: $rules) {
        coveragePercent unallocated { service } values { value cost } } }`,
      {
        rules: [first, second].map((one, index) => ({ value: ['shop', 'data'][index], conditions: [condition(one)] })),
      },
    );
    await waitFor(() => expect(preview().textContent).toContain(`${expected.coveragePercent.toFixed(1)}% allocated`));
    for (const { value, cost } of expected.values)
      expect(within(preview()).getByText(value).closest('li')?.textContent).toContain(usd(cost));

    const [left] = expected.unallocated;
    await waitFor(() => expect(within(preview()).getAllByText('shop-production')[0]?.title).toMatch(/^\d{12}$/));
    await user.click(within(preview()).getAllByRole('button', { name: /^Add rule from / })[0] ?? preview());
    await waitFor(() => expect(document.activeElement).toBe(valueOf(3)));
    expect(rule(3).textContent).toContain(left?.service);
    await press(screen.getByRole('button', { name: 'Remove rule 3' }), 'Enter');
    await press(screen.getByRole('button', { name: 'Move rule 2 up' }), 'Enter');
    expect(valueOf(1).value).toBe('data');

    await press(screen.getByRole('button', { name: 'Add split' }), 'Enter');
    await fill(field('Split name'), 'Data for all');
    await user.type(screen.getByRole('combobox', { name: /^Source values/ }), 'data{Enter}');
    expect(await axeIssues()).toEqual([]);
    await press(screen.getByRole('button', { name: 'Create virtual tag' }), 'Enter');
    await screen.findByRole('table', { name: 'Virtual tags' });
    await settled();
    expect(screen.getByRole('table', { name: 'Virtual tags' }).textContent).toContain('product-line');
  });

  it('groups costs by the virtual tag, with direct, shared and total costs', async () => {
    await follow('/costs');
    await user.click(screen.getByRole('button', { name: 'Filter' }));
    await user.type(await screen.findByRole('combobox', { name: 'Search dimensions' }), 'tag');
    const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
    await waitFor(() =>
      expect(options()).toEqual(expect.arrayContaining(['team', 'team (virtual tag)', 'product-line'])),
    );
    await user.keyboard('{Escape}');

    await follow('/costs?group=virtual:product-line&compare=none');
    await user.click(screen.getByRole('switch', { name: 'Include shared costs' }));
    await settled();
    const { costs } = await api().gql<{ costs: { startDate: string; endDate: string; rows: readonly Row[] } }>(
      `{ costs(groupBy: [{ virtualTag: "product-line" }], includeShared: true) {
        rows { keys cost directCost sharedCost } } }`,
    );
    const table = await screen.findByRole('table', { name: 'Costs by product-line' });
    const [header] = [...table.querySelectorAll('thead tr')];
    expect(header?.textContent).toMatch(/product-line.*Direct.*Shared.*Total/);
    const rows = rowsOf(table).map(([name = '', direct = '', shared = '', total = '']) => {
      return { name, direct: amount(direct), shared: amount(shared), total: amount(total) };
    });
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['shop', 'Unallocated']));
    expect(rows.length).toBe(costs.rows.length);
    for (const { direct, shared, total } of rows) expect(cents(direct + shared)).toBeCloseTo(cents(total), 1);

    await user.click(main().getByRole('link', { name: 'shop' }));
    await settled();
    const steps = await screen.findByRole('list', { name: 'From direct cost to total of shop' });
    const shop = rows.find(({ name }) => name === 'shop');
    const shown = [...steps.querySelectorAll('li')].map((step) =>
      amount(/[-−+]?\$[\d,.]+/.exec(step.textContent)?.[0] ?? ''),
    );
    expect(shown).toEqual([shop?.direct, shop?.shared, shop?.total]);
  });

  it('deletes the virtual tag', async () => {
    await follow('/tags/virtual');
    await user.click(screen.getByRole('link', { name: /^Product line/ }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Delete virtual tag' }));
    const table = await screen.findByRole('table', { name: 'Virtual tags' });
    await waitFor(() => expect(table.textContent).not.toContain('product-line'));
  });
});
