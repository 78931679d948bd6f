import type pg from 'pg';
import { Prisma, type Account as AccountRow, type AccountSync } from '../../../prisma/generated/client/client.ts';
import type { AccountStatus, CloudProvider, SyncStatus } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { PageRequest } from '../../kit/page.ts';
import { dayOf } from '../../kit/time/period.ts';
import { parseSettings } from '../../providers/fields.ts';
import type { SampleProvider } from '../../sample/bill/line-item.ts';
import { isSampleProvider } from '../../sample/clouds.ts';
import type { Sample } from '../samples/source.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** An account with its latest sync. Credentials never leave the store. */
export type Account = Omit<AccountRow, 'credentials'> & {
  sync: AccountSync | null;
};

/** Filters of an account list. */
export interface AccountFilter {
  providers: readonly CloudProvider[] | null;
  statuses: readonly AccountStatus[];
  syncStatuses: readonly SyncStatus[] | null;
  orderBy: readonly Prisma.AccountOrderByWithRelationInput[];
}

/** Source of an account's bills. */
export interface AccountSource {
  provider: CloudProvider;
  /** Whether the bills are files that members uploaded. */
  isUploaded: boolean;
  /** Folder or file in FOCUS_ROOT; empty if the bills are in a cloud or object store. */
  path: string;
  /** As defined in `providers/spec.ts`. */
  settings: object;
  /** Credentials as JSON of `providers/spec.ts`, encrypted for the account's id; null: none. */
  sealed: Uint8Array | null;
  /** The organization's external id, required in a role's trust policy. */
  trustExternalId: string;
  /** Null: its data is not sample data. */
  sample: Sample | null;
}

/** Columns and relations to read; never credentials, which no field selects. */
type Selection = Pick<Prisma.AccountDefaultArgs, 'select' | 'include'>;

const shown = { omit: { credentials: true }, include: { sync: true } } as const;

/** Filter of every read: the organization's accounts in the caller's scope. */
function visible(scope: OrgScope): Prisma.AccountWhereInput {
  return {
    organizationId: scope.organizationId,
    ...(scope.accountIds ? { id: { in: [...scope.accountIds] } } : {}),
  };
}

/** Returns one page of the selected fields of accounts in scope, and the total count. */
export async function listAccounts<Select extends Prisma.AccountSelect>(
  db: Db,
  scope: OrgScope,
  filter: AccountFilter,
  { select, skip, take }: { select: Select } & PageRequest,
) {
  const where: Prisma.AccountWhereInput = {
    AND: [
      visible(scope),
      { status: { in: [...filter.statuses] } },
      filter.providers ? { provider: { in: [...filter.providers] } } : {},
      filter.syncStatuses ? { sync: { status: { in: [...filter.syncStatuses] } } } : {},
    ],
  };
  const [rows, total] = await Promise.all([
    db.account.findMany({ where, select, orderBy: [...filter.orderBy, { id: 'desc' }], skip, take }),
    db.account.count({ where }),
  ]);
  return { rows, total };
}

/** Returns an account in scope, or null. */
export async function findAccount(db: Db, scope: OrgScope, id: string): Promise<Account | null> {
  return db.account.findFirst({
    where: { AND: [visible(scope), { id }] },
    ...shown,
  });
}

/** Returns the selected fields of an account in scope, or null. */
export function selectAccount(db: Db, scope: OrgScope, id: string, query: Selection) {
  return db.account.findFirst({ ...query, where: { AND: [visible(scope), { id }] } });
}

/** Finds an account of the organization by its id at the provider, connected or not. */
export async function findByExternalId(
  db: Db,
  scope: OrgScope,
  provider: CloudProvider,
  externalId: string,
): Promise<{ id: string; status: AccountStatus } | null> {
  return db.account.findFirst({
    where: { organizationId: scope.organizationId, provider, externalId },
    select: { id: true, status: true },
  });
}

/** Lists the sources of every account of the organization, connected or not: sources that share files would count twice. */
export async function listSources(
  db: Db,
  scope: OrgScope,
  provider: CloudProvider,
): Promise<{ id: string; externalId: string; status: AccountStatus }[]> {
  return db.account.findMany({
    where: { organizationId: scope.organizationId, provider },
    select: { id: true, externalId: true, status: true },
  });
}

/** Serializes source changes of an organization's accounts until the end of the transaction. */
export async function lockSources(db: Db, scope: OrgScope): Promise<void> {
  // A lock weak enough not to block foreign key checks against the organization.
  await db.$executeRaw`/* lockSources */ SELECT id FROM organizations WHERE id = ${scope.organizationId}::uuid FOR NO KEY UPDATE`;
}

/** Returns the source of a connected account, for a sync. */
export async function readSource(db: Db, scope: OrgScope, id: string): Promise<AccountSource | null> {
  const row = await db.account.findFirst({
    where: { AND: [visible(scope), { id, status: 'connected' }] },
    select: {
      provider: true,
      settings: true,
      credentials: true,
      sampleOf: true,
      createdAt: true,
      organization: { select: { trustExternalId: true, currency: true } },
    },
  });
  if (!row) return null;
  const { source, path, ...settings } = parseSettings(row.settings);
  const { provider, credentials: sealed, sampleOf } = row;
  const { trustExternalId, currency } = row.organization;
  const isUploaded = source === 'uploads';
  const sample = isSampleProvider(sampleOf) ? { provider: sampleOf, currency, since: dayOf(row.createdAt) } : null;
  return { provider, isUploaded, path: path ?? '', settings, sealed, trustExternalId, sample };
}

/** Inserts a new account with its first sync queued. */
export async function insertAccount(
  db: Db,
  scope: OrgScope,
  values: {
    /** Known in advance, because encrypted credentials are bound to it. */
    id: string;
    name: string;
    provider: CloudProvider;
    externalId: string;
    settings: Prisma.InputJsonObject;
    /** Encrypted. */
    credentials: Uint8Array<ArrayBuffer> | null;
    sampleOf?: SampleProvider;
    warnings: readonly string[];
    createdBy: string | null;
    now: Date;
  },
): Promise<Account> {
  const { now, warnings, id, ...data } = values;
  const { organizationId } = scope;
  const credentialsUpdatedAt = data.credentials ? now : null;
  await db.account.create({
    data: { ...data, id, organizationId, credentialsUpdatedAt, createdAt: now, updatedAt: now },
    select: { id: true },
  });
  await db.accountSync.create({
    data: {
      accountId: id,
      organizationId,
      status: 'queued',
      queuedAt: now,
      percent: 0,
      rows: 0n,
      warnings: [...warnings],
    },
    select: { accountId: true },
  });
  return db.account.findFirstOrThrow({
    where: { id, organizationId },
    ...shown,
  });
}

/** Returns whether an error is the unique violation of a source that is already taken. */
export function isTaken(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}

/** Adds an account to the access of a restricted member. */
export async function grantAccount(db: Db, scope: OrgScope, userId: string, accountId: string): Promise<void> {
  await db.membership.updateMany({
    where: { organizationId: scope.organizationId, userId, restricted: true },
    data: { accountAccess: { push: accountId } },
  });
}

/** Locks an account until the transaction ends, and returns the time of its last change; null if it is gone. */
export async function lockAccount(db: Db, scope: OrgScope, id: string): Promise<Pick<Account, 'updatedAt'> | null> {
  const rows = await db.$queryRaw<Pick<Account, 'updatedAt'>[]>`/* lockAccount */
    SELECT updated_at AS "updatedAt" FROM accounts
    WHERE organization_id = ${scope.organizationId}::uuid AND id = ${id}::uuid FOR NO KEY UPDATE`;
  return rows[0] ?? null;
}

/** Updates an account of the organization. */
export async function updateAccountRow(
  db: Db,
  scope: OrgScope,
  id: string,
  data: Prisma.AccountUpdateManyMutationInput,
): Promise<void> {
  await db.account.updateMany({
    where: { AND: [visible(scope), { id }] },
    data,
  });
}

/** Updates an account's source with optimistic locking.
 *  @returns whether the source has not changed since it was read, and so was updated */
export async function updateSourceRow(
  db: Db,
  scope: OrgScope,
  read: Pick<Account, 'id' | 'settings' | 'credentialsUpdatedAt'>,
  data: Prisma.AccountUpdateManyMutationInput,
): Promise<boolean> {
  const { id, credentialsUpdatedAt } = read;
  const unchanged = { settings: { equals: read.settings ?? {} }, credentialsUpdatedAt };
  const { count } = await db.account.updateMany({ where: { AND: [visible(scope), { id }, unchanged] }, data });
  return count === 1;
}

/** Clears the memo of the last listing: the source has changed, or is to be listed from scratch. Files without charges are read
 *  again, since the memo has their warnings.
 *  @param isOther whether it is another source: a file of the same name is not a newer version of the old one */
export async function forgetListing(
  db: Db,
  scope: OrgScope,
  accountId: string,
  { warnings = [], isOther = false }: { warnings?: readonly string[]; isOther?: boolean } = {},
): Promise<void> {
  const where = { accountId, organizationId: scope.organizationId };
  await db.sourceFile.deleteMany({ where: isOther ? where : { ...where, periods: { isEmpty: true } } });
  await db.accountSync.updateMany({
    where,
    data: { sourceMemo: Prisma.DbNull, inventoryAt: null, retries: 0, retryAt: null, warnings: [...warnings] },
  });
}

/** Returns the external id that roles of the organization's accounts must require. */
export async function readTrustExternalId(db: Db, scope: OrgScope): Promise<string> {
  const { trustExternalId } = await db.organization.findUniqueOrThrow({
    where: { id: scope.organizationId },
    select: { trustExternalId: true },
  });
  return trustExternalId;
}

/** Deletes an account and its dependent rows; its facts are deleted separately. A sync that ends locks its state before the
 *  account, and so does this: otherwise each would wait for the other.
 *  @param client a connection with an open transaction */
export async function deleteAccountRow(client: pg.ClientBase, scope: OrgScope, id: string): Promise<void> {
  const values = [id, scope.organizationId];
  await client.query(
    '/* deleteAccountSync */ DELETE FROM account_syncs WHERE account_id = $1 AND organization_id = $2',
    values,
  );
  await client.query('/* deleteAccountRow */ DELETE FROM accounts WHERE id = $1 AND organization_id = $2', values);
}
