import { type Account, isSyncing } from '../queries.ts';

interface File {
  readonly billingMonths: readonly string[] | null;
  readonly createdAt: string;
}

/** Billing months of an uploaded file or, until a sync has read it, its state. */
export function monthsOrState(
  { billingMonths, createdAt }: File,
  account: Pick<Account, 'syncStatus' | 'lastSync' | 'lastSyncError'>,
): string {
  if (billingMonths) return billingMonths.join(', ') || 'No months';
  if (isSyncing(account)) return 'Waiting for the sync';
  const { startedAt = null } = account.lastSync ?? {};
  // A sync that started before the upload does not know the file.
  if (startedAt === null || startedAt < createdAt) return 'Not read yet: select Sync now';
  return account.lastSyncError === null ? 'Not read: see the warnings above' : 'Not read: the sync failed';
}
