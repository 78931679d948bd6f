import type pg from 'pg';
import { deleteAccountReports } from '../../actions/delete-account.ts';
import { deleteAccountFindings } from '../../analysis/delete-account.ts';
import { deleteAccountFacts } from '../../facts/delete-account.ts';
import { lockAccount, preempt } from '../../kit/database/account-lock.ts';
import { inTransaction, repeated } from '../../kit/database/transaction.ts';
import type { Deps } from '../../kit/deps.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { deleteAccountAccess } from '../../tenancy/delete-account.ts';
import { deleteAccountRow, findAccount } from './store.ts';

/** Deletes an account with all its data; ends an evaluation of it. Each area deletes what it has written. */
export async function purgeAccount(
  deps: Pick<Deps, 'pool' | 'clock'>,
  scope: OrgScope,
  accountId: string,
): Promise<void> {
  const inRepeated = (work: (client: pg.PoolClient) => Promise<void>) => repeated(() => inTransaction(deps.pool, work));
  await inRepeated(async (client) => {
    await preempt(client, accountId);
    await lockAccount(client, accountId);
    await deleteAccountFacts(client, scope, accountId, deps.clock.now());
    await deleteAccountFindings(client, scope, accountId);
    await deleteAccountAccess(client, scope, accountId);
  });
  await inRepeated(async (client) => {
    await deleteAccountRow(client, scope, accountId);
    // Afterwards, because reports and schedules can be created until then.
    await deleteAccountReports(client, scope, accountId);
  });
}

/** Finishes a purge during which the server was killed, unless the account has been connected again since. */
export async function finishPurge(
  deps: Pick<Deps, 'db' | 'pool' | 'clock'>,
  scope: OrgScope,
  accountId: string,
): Promise<void> {
  const account = await findAccount(deps.db, scope, accountId);
  if (account?.status === 'disconnected') await purgeAccount(deps, scope, accountId);
}
