import { waitFor } from '@testing-library/dom';
import { beforeAll, describe, expect, it } from 'vitest';
import { changeAnswers, follow, mainText, signIn, useConsole } from './console.ts';
import { newOrganizationApi } from './world.ts';

interface Files {
  readonly accountFiles: object;
}

interface Costs {
  readonly costsByAccount: object;
}

interface Accounts {
  readonly accounts: { readonly data: readonly object[] };
}

const startedAt = '2026-11-02T10:00:00Z';
const running = { syncStatus: 'RUNNING', lastSync: { status: 'RUNNING', startedAt, warnings: [] } };
const failed = {
  syncStatus: 'FAILED',
  lastSync: { status: 'FAILED', startedAt, warnings: [] },
  lastSyncError: 'Damaged',
};
const account = { dataFrom: '2026-10-01', dataTo: '2026-10-31', completeThrough: '2026-10-31', lastSyncedAt: null };
const file = { id: 'f', name: 'october.csv', sizeBytes: 1, createdAt: '2026-11-02T09:00:00Z', createdById: null };

describe('a failed sync that has loaded months', () => {
  const api = newOrganizationApi();
  useConsole();
  let id = '';
  beforeAll(async () => {
    const body = { name: 'Bills', provider: 'focus', settings: { source: 'uploads' } };
    ({ id } = await api().rest<{ id: string }>('POST', '/accounts', { body }));
    await signIn(api());
  });

  it('updates the cost and the files on the page of the account', async () => {
    let hasEnded = false;
    changeAnswers<{ account: object }>('Account(', (data) => ({
      account: { ...data.account, ...account, ...(hasEnded ? failed : running) },
    }));
    changeAnswers<Costs>('CostsByAccount(', ({ costsByAccount }) => ({
      costsByAccount: { ...costsByAccount, totalCost: hasEnded ? 250 : 100 },
    }));
    changeAnswers<Files>('AccountFiles(', ({ accountFiles }) => ({
      accountFiles: { ...accountFiles, data: [{ ...file, billingMonths: hasEnded ? ['2026-10'] : null }] },
    }));
    await follow(`/accounts/${id}`);
    await waitFor(() => expect(mainText()).toMatch(/\$100.*october\.csvWaiting for the sync/));
    hasEnded = true;
    await waitFor(() => expect(mainText()).toMatch(/\$250.*october\.csv2026-10/));
  }, 60_000);

  it('updates the overview', async () => {
    let hasEnded = false;
    let reads = 0;
    changeAnswers<Accounts>('Accounts(', ({ accounts }) => ({
      accounts: { ...accounts, data: accounts.data.map((row) => ({ ...row, ...(hasEnded ? failed : running) })) },
    }));
    changeAnswers<object>('OverviewSpend', (data) => {
      reads += 1;
      return data;
    });
    await follow('/');
    await waitFor(() => expect(reads).toBeGreaterThan(0));
    const before = reads;
    hasEnded = true;
    await waitFor(() => expect(reads).toBeGreaterThan(before));
  }, 60_000);
});
