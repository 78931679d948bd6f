import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ConsoleApi } from '../client.ts';
import {
  choose,
  field,
  fill,
  follow,
  main,
  mainText,
  openDialog,
  settled,
  signIn,
  useConsole,
  user,
} from './console.ts';
import { demoApi, newOrganizationApi } from './world.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Requests pages of two records where the console requests a hundred, so that few records have many pages.
 *  @returns the requested pages by operation */
function shrinkPages(): Map<string, number[]> {
  const asked = new Map<string, number[]>();
  const send = globalThis.fetch;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) => {
    if (url !== '/graphql' || typeof init?.body !== 'string') return send(url, init);
    const request = JSON.parse(init.body) as {
      operationName: string;
      variables: { page?: number; perPage?: number };
    };
    if (request.variables.perPage !== 100) return send(url, init);
    asked.set(request.operationName, [...(asked.get(request.operationName) ?? []), request.variables.page ?? 1]);
    return send(url, {
      ...init,
      body: JSON.stringify({ ...request, variables: { ...request.variables, perPage: 2 } }),
    });
  });
  onTestFinished(() => spy.mockRestore());
  return asked;
}

async function createViews(api: ConsoleApi, count: number): Promise<Named[]> {
  const views: Named[] = [];
  for (let nth = 1; nth <= count; nth += 1) {
    const name = `View ${String(nth).padStart(3, '0')}`;
    const query = `mutation ($input: CreateSavedViewInput!) { createSavedView(input: $input) { id name } }`;
    const input = { page: 'COSTS', name, query: { group: 'region' } };
    views.push((await api.gql<{ createSavedView: Named }>(query, { input })).createSavedView);
  }
  return views;
}

async function openMenu(name: RegExp): Promise<HTMLElement> {
  await user.click(screen.getByRole('button', { name }));
  return screen.findByRole('menu');
}

/** Searches for a text, and opens the first result. */
async function find(text: string, path: string): Promise<void> {
  await user.click(screen.getByRole('button', { name: /^Search/ }));
  await fill(within(await openDialog()).getByRole('combobox', { name: 'Search' }), text);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(location.pathname + location.search).toBe(path));
  await settled();
}

describe('more than a hundred saved views of a page', () => {
  const api = newOrganizationApi();
  useConsole();

  it('are all found: in the menu, by the address and for a widget', async () => {
    const views = await createViews(api(), 101);
    const last = views.at(-1);
    await signIn(api());
    await follow('/costs');
    const menu = await openMenu(/^Views/);
    await fill(await within(menu).findByRole('searchbox', { name: 'Find a view' }), 'view 101');
    await waitFor(() => expect(within(menu).getByText('View 101')).toBeTruthy());
    expect(within(menu).queryByText('View 001')).toBeNull();
    await user.click(within(menu).getByText('View 101'));
    await waitFor(() => expect(location.search).toContain(`saved=${last?.id}`));
    expect(await screen.findByRole('button', { name: 'Views: View 101' })).toBeTruthy();
    expect(mainText()).not.toContain('View deleted');
    await follow('/budgets');
    await find('View 101', `/costs?group=region&saved=${last?.id}`);

    const { createDashboard } = await api().gql<{ createDashboard: Named }>(
      'mutation { createDashboard(input: { name: "Costs of teams" }) { id name } }',
    );
    await follow(`/dashboards/${createDashboard.id}`);
    await user.click(main().getAllByRole('button', { name: /Add widget/ })[0] ?? document.body);
    const dialog = await openDialog();
    await user.clear(field('Saved view', dialog));
    await choose(field('Saved view', dialog), 'View 101');
    expect(field('Saved view', dialog).value).toBe('View 101');
    await user.keyboard('{Escape}');
    await settled();
  }, 120_000);
});

describe('lists of several pages', () => {
  const api = demoApi();
  useConsole();

  it('name and offer all accounts', async () => {
    const { accounts } = await api().gql<{ accounts: { data: Named[] } }>(
      '{ accounts(perPage: 100, sortBy: NAME_ASC, status: [CONNECTED, DISCONNECTED]) { data { id name } } }',
    );
    const last = accounts.data.at(-1);
    expect(accounts.data.length).toBeGreaterThan(2);
    const asked = shrinkPages();
    await signIn(api());
    await follow(`/inventory?account=${last?.id}`);
    await waitFor(() => {
      expect(mainText()).toContain(last?.name);
      // The filter shows the id until it has read the page of the list with this account.
      expect(mainText()).not.toContain(last?.id);
    });
    const pages = Math.ceil(accounts.data.length / 2);
    const all = Array.from({ length: pages }, (_, index) => index + 1);
    await waitFor(() => expect(asked.get('AccountChoices')).toEqual(all));
  }, 60_000);

  it('offer all tag keys and members', async () => {
    await api().someone('member');
    await api().someone('viewer');
    const { tags, members } = await api().gql<{
      tags: { data: { key: string }[] };
      members: { data: { user: { id: string; name: string } }[] };
    }>(
      '{ tags(perPage: 100, sortBy: COST_LAST_30_DAYS_DESC) { data { key } } members(perPage: 100, sortBy: NAME_ASC) { data { user { id name } } } }',
    );
    const [key, member] = [tags.data.at(-1)?.key ?? '', members.data.at(-1)?.user];
    expect(Math.min(tags.data.length, members.data.length)).toBeGreaterThan(2);
    shrinkPages();
    await signIn(api());
    await follow(`/anomalies?assignee=${member?.id}`);
    await user.click(screen.getByRole('combobox', { name: 'Assignee' }));
    await waitFor(() => {
      expect(mainText()).toContain(member?.name);
      expect(mainText()).not.toContain(member?.id);
    });
    await follow('/settings/organization');
    const owner = screen.getByRole<HTMLInputElement>('combobox', { name: 'Owner tag' });
    await choose(owner, key);
    expect(owner.value).toBe(key);
  }, 60_000);

  it('are searched with Ctrl K, also for a Viewer of one account', async () => {
    const { accounts, members } = await api().gql<{
      accounts: { data: Named[] };
      members: { data: { user: { name: string; email: string } }[] };
    }>(
      '{ accounts(perPage: 1) { data { id } } members(perPage: 1, sortBy: NAME_ASC) { data { user { name email } } } }',
    );
    const { unitMetrics } = await api().gql<{ unitMetrics: { data: Named[] } }>('{ unitMetrics { data { id name } } }');
    const [member] = members.data;
    const orders = unitMetrics.data.find(({ name }) => name === 'Orders');
    const asked = shrinkPages();
    for (const person of [undefined, await api().someone('viewer', [accounts.data[0]?.id ?? ''])]) {
      await signIn(api(), person);
      await find(member?.user.email ?? '', `/settings/members?search=${encodeURIComponent(member?.user.email ?? '')}`);
      await find('cost_center', '/tags/keys/cost_center');
      expect(asked.get('FindableTagKeys')?.slice(0, 2)).toEqual([1, 2]);
      await find('Orders', `/unit-costs/${orders?.id}`);
    }
  }, 120_000);

  it('are searched for schedules and invoices', async () => {
    const { invoices } = await api().gql<{ invoices: { data: { invoiceId: string; accountId: string }[] } }>(
      '{ invoices(perPage: 1) { data { invoiceId accountId } } }',
    );
    const [invoice] = invoices.data;
    await signIn(api());
    await find('Weekly costs by service', '/reports/schedules?type=COST_BY_SERVICE&format=PDF&rows=100');
    expect(mainText()).toContain('Weekly costs by service');
    await user.click(screen.getByRole('button', { name: /^Search/ }));
    const input = within(await openDialog()).getByRole('combobox', { name: 'Search' });
    await fill(input, invoice?.invoiceId ?? '');
    const option = await screen.findByRole('option', { name: new RegExp(`^${invoice?.invoiceId}, `) });
    await user.click(option);
    await waitFor(() => expect(new URLSearchParams(location.search).get('invoice')).toBe(invoice?.invoiceId));
    await settled();
  }, 60_000);
});
