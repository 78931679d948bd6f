import type { Page } from 'playwright-core';
import type { ConsoleApi } from './client.ts';

/** A connected account, as returned by the API. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly externalId: string;
  readonly syncStatus: string;
  readonly lastSyncError: string | null;
  readonly settings: { readonly path: string | null };
}

const accountsQuery = `{ accounts(status: [CONNECTED, DISCONNECTED], perPage: 100) {
  data { id name status externalId syncStatus lastSyncError settings { path } } } }`;

/** Returns the account of this name, if there is one. */
export async function accountNamed(world: ConsoleApi, name: string): Promise<Account | undefined> {
  const { accounts } = await world.gql<{ accounts: { data: readonly Account[] } }>(accountsQuery);
  return accounts.data.find((account) => account.name === name);
}

/** Returns the cost of an account in the last 30 days. */
export async function spendOf(world: ConsoleApi, id: string): Promise<number> {
  const query = 'query ($id: [ID!]) { costsByAccount(accountId: $id) { totalCost } }';
  return (await world.gql<{ costsByAccount: { totalCost: number } }>(query, { id: [id] })).costsByAccount.totalCost;
}

/** Creates the organization of the world's Super Admin. */
export async function registerAdmin({ url, admin }: ConsoleApi): Promise<void> {
  const body = JSON.stringify({ ...admin, name: 'Ana Example', organization_name: 'Plum Kite' });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/api/v1/auth/register`, { method: 'POST', headers, body });
}

/** Chooses an action of the open account. */
export async function manage(page: Page, act: string): Promise<void> {
  await page.getByRole('button', { name: 'Manage' }).press('Enter');
  await page.getByRole('menuitem', { name: act, exact: true }).press('Enter');
}

/** Waits until the sync of the account has one of these states. */
export async function syncStands(page: Page, status: string): Promise<void> {
  await page.getByRole('region', { name: 'Sync' }).getByText(status, { exact: true }).waitFor({ timeout: 60_000 });
}
