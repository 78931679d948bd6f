import { type Account, isSyncing } from '../queries.ts';

interface File {
  readonly name: string;
  readonly billingMonths: readonly string[] | null;
  readonly createdAt: string;
}

/** Billing months of an uploaded file or, until a sync has read it, its state. */
export function monthsOrState(
  { name, billingMonths, createdAt }: File,
  account: Pick<Account, 'syncStatus' | 'lastSync' | 'lastSyncError' | 'unreadableFiles'>,
): string {
  if (billingMonths && billingMonths.length > 0) return billingMonths.join(', ');
  if (billingMonths)
    return account.lastSync?.warnings.some((warning) => warning.includes(name))
      ? 'No charges: see the warnings above'
      : 'No charges';
  if (isSyncing(account)) return 'Waiting for the sync';
  if (isNewer({ billingMonths, createdAt }, account)) return 'Not read yet: select Sync now';
  const { unreadableFiles } = account;
  if (unreadableFiles.includes(name)) return 'Unreadable: see the error above';
  // Files of months that an unreadable file may contain are not loaded either.
  if (unreadableFiles.length > 0) return 'Waiting: another file is unreadable';
  return `Not read: see the ${account.lastSyncError === null ? 'warnings' : 'error'} above`;
}

/** Whether no sync has started since the upload, so that none has read the file. */
export function isNewer(
  { billingMonths, createdAt }: Pick<File, 'billingMonths' | 'createdAt'>,
  { lastSync }: Pick<Account, 'lastSync'>,
): boolean {
  const startedAt = lastSync?.startedAt ?? null;
  return billingMonths === null && (startedAt === null || startedAt < createdAt);
}
