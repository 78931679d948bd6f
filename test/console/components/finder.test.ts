import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, it, vi } from 'vitest';
import { fill, openDialog, settled, signIn, useConsole, user } from './console.ts';
import { demoApi } from './world.ts';

/** Holds the responses to one operation.
 *  @returns a function that lets them pass */
function hold(operation: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  const send = globalThis.fetch;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    if (typeof init?.body === 'string' && init.body.includes(`query ${operation}`)) await promise;
    return send(url, init);
  });
  return () => {
    resolve();
    spy.mockRestore();
  };
}

async function openSearch(): Promise<HTMLElement> {
  await user.click(screen.getByRole('button', { name: /^Search/ }));
  return within(await openDialog()).getByRole('combobox', { name: 'Search' });
}

function chosenOption(field: HTMLElement): string | undefined {
  return document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent;
}

describe('the quick search', () => {
  const api = demoApi();
  useConsole();

  it('finds anomalies by their kind', async () => {
    await signIn(api());
    const field = await openSearch();
    await fill(field, 'spike');
    await waitFor(() =>
      expect(screen.getAllByRole('option').some(({ textContent }) => /: spike, /.test(textContent))).toBe(true),
    );
  }, 60_000);

  it('finds settings by what their pages contain', async () => {
    await signIn(api());
    const field = await openSearch();
    await fill(field, 'fiscal year');
    await waitFor(() => expect(chosenOption(field)).toMatch(/^General: .*fiscal year/));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(location.pathname).toBe('/settings/organization'));
    await settled();
  }, 60_000);

  it('finds sub-accounts by name and ID, and leads to their costs', async () => {
    const { costsByAccount } = await api().gql<{
      costsByAccount: { groups: { subAccounts: { subAccountId: string; subAccountName: string }[] }[] };
    }>('{ costsByAccount { groups { subAccounts { subAccountId subAccountName } } } }');
    const all = costsByAccount.groups.flatMap(({ subAccounts }) => subAccounts);
    const named = all.find((one) => one.subAccountId !== one.subAccountName);
    const { subAccountId: id = '', subAccountName: name = '' } = named ?? {};
    await signIn(api());
    const requests = vi.spyOn(globalThis, 'fetch');
    const sent = () => requests.mock.calls.filter(([, init]) => String(init?.body).includes('FindableSubAccounts'));
    const field = await openSearch();
    await fill(field, id.slice(0, 1));
    await settled();
    expect(sent()).toEqual([]);
    for (const text of [name, id]) {
      await fill(field, text);
      await waitFor(() => expect(chosenOption(field)).toBe(`${name} (${id})`));
    }
    expect(sent()).toHaveLength(1);
    requests.mockRestore();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(location.pathname + location.search).toBe(`/costs?sub_account=${id}`));
    await settled();
  }, 60_000);

  it('opens the best match after Enter as soon as it is known', async () => {
    const { budgets } = await api().gql<{ budgets: { data: { id: string; name: string }[] } }>(
      '{ budgets(perPage: 1) { data { id name } } }',
    );
    const [budget] = budgets.data;
    await signIn(api());
    const release = hold('FindableBudgets');
    const field = await openSearch();
    await fill(field, budget?.name ?? '');
    await user.keyboard('{Enter}');
    expect(location.pathname).toBe('/settings');
    expect(screen.getByLabelText('Searching')).toBeTruthy();
    release();
    await waitFor(() => expect(location.pathname).toBe(`/budgets/${budget?.id}`));
    await settled();
  }, 60_000);

  it('opens a page at once, and forgets Enter when the text changes', async () => {
    await signIn(api());
    const release = hold('FindableBudgets');
    const field = await openSearch();
    await fill(field, 'no such thing');
    await user.keyboard('{Enter}');
    await fill(field, 'forecas');
    expect(location.pathname).toBe('/settings');
    expect(chosenOption(field)).toBe('Forecast');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(location.pathname).toBe('/forecast'));
    release();
    await settled();
  }, 60_000);

  it('keeps the option chosen with the arrow keys when others arrive before it', async () => {
    await signIn(api());
    const release = hold('AccountChoices');
    const field = await openSearch();
    await fill(field, 'azure');
    await waitFor(() => expect(screen.getAllByRole('option').length).toBeGreaterThan(1));
    await user.keyboard('{ArrowUp}');
    const last = chosenOption(field);
    expect(last).toContain('zure');
    const before = screen.getAllByRole('option').length;
    release();
    await waitFor(() => expect(screen.getAllByRole('option').length).toBeGreaterThan(before));
    expect(chosenOption(field)).toBe(last);
    await user.keyboard('{Escape}');
    await settled();
  }, 60_000);
});
