import { screen, waitFor, within } from '@testing-library/dom';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  changeAnswers,
  field,
  fill,
  follow,
  main,
  mainText,
  press,
  reload,
  rowsOf,
  settled,
  signIn,
  useConsole,
  user,
  visit,
} from './console.ts';
import { demoApi } from './world.ts';

/** Chooses a preset of the days, and returns the address. */
async function choosePreset(name: string): Promise<string> {
  await user.click(main().getByRole('button', { name: /^Days: / }));
  await user.click(await screen.findByRole('button', { name }));
  await settled();
  return location.search;
}

interface Invoice {
  readonly id: string;
  readonly invoiceId: string;
  readonly billedAmount: number;
  readonly currency: string;
  readonly status: string;
}

const missing: Invoice = { id: '', invoiceId: '', billedAmount: NaN, currency: '', status: '' };

describe('details of pages', () => {
  const api = demoApi();
  useConsole();
  beforeAll(() => signIn(api()));

  it('keep presets of Coverage by name', async () => {
    await follow('/coverage');
    expect(await choosePreset('Last month')).toBe('?days=last_month');
    expect(main().getByRole('button', { name: /^Days: Last month, / }).textContent).toBe('Last month');
  });

  it('point to the owner tag in lists of untagged resources, until one is chosen', async () => {
    changeAnswers<{ me: { organization: object } }>('Me ', ({ me }) => ({
      me: { ...me, organization: { ...me.organization, ownerTagKey: null } },
    }));
    await visit('/inventory?tagKey=team&untagged=true');
    expect(main().getByRole('link', { name: 'owner tag' }).getAttribute('href')).toBe('/settings/organization');
    await follow('/inventory');
    expect(main().queryByRole('link', { name: 'owner tag' })).toBeNull();
  });

  it('keep presets of Unit costs by name', async () => {
    const { unitMetrics } = await api().gql<{ unitMetrics: { data: readonly { id: string }[] } }>(
      '{ unitMetrics { data { id } } }',
    );
    await follow(`/unit-costs/${unitMetrics.data[0]?.id}`);
    expect(await choosePreset('This quarter')).toBe('?days=this_quarter');
    expect(main().getByRole('button', { name: /^Days: This quarter, / }).textContent).toBe('This quarter');
  });

  it('replace the preset of the days by those of a bar or a row that is opened', async () => {
    const preset = /\bdays=/;
    await follow('/costs?days=last_6_months&granularity=monthly');
    await press(await screen.findByRole('group', { name: /^Costs per month/ }), 'Home');
    await user.keyboard('{Enter}');
    await settled();
    expect(location.search).toMatch(/^\?from=\d{4}-\d\d-01&to=[\d-]{10}$/);
    const day = new URLSearchParams(location.search).get('from');
    const hrefs = (links: readonly HTMLElement[]) => links.map((link) => link.getAttribute('href'));
    await follow('/costs?days=last_6_months&granularity=monthly&group=day');
    const months = hrefs(within(screen.getByRole('table', { name: /^Costs by/ })).getAllByRole('link'));
    expect(months.length).toBeGreaterThan(1);
    expect(months.filter((href) => preset.test(href ?? ''))).toEqual([]);
    await follow(`/costs?days=last_6_months&day=${day}`);
    const dialog = within(await screen.findByRole('dialog', { name: / by service$/ }));
    const services = hrefs(await dialog.findAllByRole('link'));
    expect(services.filter((href) => preset.test(href ?? ''))).toEqual([]);
  });

  it('show the average of the days with costs', async () => {
    const { accounts, costs } = await api().gql<{
      accounts: { data: { dataFrom: string }[] };
      costs: { totalCost: number; currency: string };
    }>(
      `{ accounts(sortBy: DATA_FROM_ASC, perPage: 1) { data { dataFrom } }
         costs: costsSummary(startDate: "2025-01-01", endDate: "2025-12-31") { totalCost currency } }`,
    );
    const start = accounts.data[0]?.dataFrom ?? '';
    expect(start > '2025-01-01' && start < '2025-12-31').toBe(true);
    const days = (Date.parse('2025-12-31') - Date.parse(start)) / 86_400_000 + 1;
    const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: costs.currency });
    await follow('/costs?from=2025-01-01&to=2025-12-31');
    await waitFor(() =>
      expect(mainText()).toContain(`${money.format(costs.totalCost / days)} per day on average since `),
    );
  });

  it('show the difference of an invoice like the API', async () => {
    const { invoices } = await api().gql<{ invoices: { data: readonly Invoice[] } }>(
      '{ invoices { data { id invoiceId billedAmount currency status } } }',
    );
    const { id, invoiceId, billedAmount, currency } =
      invoices.data.find(({ status }) => status === 'MISSING') ?? missing;
    const setTo = async (amount: number) =>
      api().gql(`mutation { setInvoiceAmount(id: "${id}", statedAmount: ${amount.toFixed(2)}) { id } }`);
    const shows = async (amount: number, text: RegExp) => {
      await setTo(amount);
      // The page caches the list of the last visit.
      await reload();
      await waitFor(() => expect(screen.getByText(invoiceId).closest('tr')?.textContent).toMatch(text));
    };
    expect(currency).toBe('USD');
    await follow('/invoices');
    await shows(billedAmount + 1.5, /\+\$1\.50Different/);
    await shows(billedAmount - 1.5, /-\$1\.50Different/);
    await shows(billedAmount, /\$0\.00Matched/);
  });

  it('show a resource and all of its tag problems on one page', async () => {
    interface Page {
      readonly pagination: { readonly total: number };
    }
    const { violations, resources } = await api().gql<{ violations: Page; resources: Page }>(
      `{ violations: tagViolations(perPage: 1) { pagination { total } }
        resources: tagViolations(perPage: 1, byResource: true) { pagination { total } } }`,
    );
    expect(resources.pagination.total).toBeLessThan(violations.pagination.total);
    await follow('/tags/violations?rows=100');
    const shown = rowsOf(await screen.findByRole('table', { name: 'Tag violations' }));
    expect(shown).toHaveLength(Math.min(100, resources.pagination.total));
    await waitFor(() => expect(mainText()).toContain(`${resources.pagination.total} resources`));
    await follow('/tags/violations?rows=10');
    expect(rowsOf(await screen.findByRole('table', { name: 'Tag violations' }))).toEqual(shown.slice(0, 10));
  });

  it('report every wrong field of a connection at once, and that one of two is needed', async () => {
    await follow('/accounts/connect/azure?way=api');
    const connect = () => user.click(main().getByRole('button', { name: 'Connect' }));
    const faultOf = (label: string) => field(label).closest('.mantine-InputWrapper-root')?.textContent;
    expect(mainText()).not.toContain('(optional)');
    await fill(field('Directory (tenant) ID'), 'contoso');
    await fill(field('Application (client) ID'), '7');
    await connect();
    expect(faultOf('Subscription IDs')).toContain('Fill in “Subscription IDs” or “Billing scope”');
    expect(faultOf('Billing scope')).toContain('Fill in “Billing scope” or “Subscription IDs”');
    expect(faultOf('Directory (tenant) ID')).toContain(
      'Directory (tenant) ID must be the directory (tenant) id, such as',
    );
    expect(faultOf('Application (client) ID')).toContain('Application (client) ID must be the application (client) id');
    expect(faultOf('Client secret')).toContain('Client secret is missing');
    await fill(field('Subscription IDs'), '00000000-0000-0000-0000-000000000000, production');
    expect(faultOf('Billing scope')).not.toContain('Fill in');
    await connect();
    expect(faultOf('Subscription IDs')).toContain('“production” must be a subscription id, such as');

    await follow('/accounts/connect/aws');
    await fill(field('Bucket'), 'S3://billing');
    await fill(field('Region (optional)'), 'Frankfurt');
    await connect();
    expect(faultOf('Bucket')).toContain('Bucket must be the name of a bucket');
    expect(faultOf('Export name')).toContain('Export name is missing');
    expect(faultOf('Region (optional)')).toContain('Region must be a region such as us-east-1');
  });

  it('lead from untagged costs of a key to the costs without it', async () => {
    await follow('/costs?group=tag:team');
    const table = await screen.findByRole('table', { name: /^Costs by team/i });
    await user.click(within(table).getByRole('link', { name: 'Untagged' }));
    await settled();
    expect(new URLSearchParams(location.search).get('tag:team')).toBe('(none)');
    await waitFor(() => expect(mainText()).toContain('team is Untagged'));
    expect(mainText()).not.toContain('None of these costs');
  });

  it('name a tag key that none of the costs has', async () => {
    await follow('/costs?group=tag:nosuch');
    await waitFor(() => expect(mainText()).toContain('None of these costs has the tag “nosuch”, so all are untagged.'));
    await follow('/costs?group=tag:team');
    await screen.findByRole('table', { name: /^Costs by team/i });
    expect(mainText()).not.toContain('None of these costs');
  });
});
