import { Prisma, type Account as AccountRow, type AccountSync } from '../../../prisma/generated/client/client.ts';
import type { AccountStatus, CloudProvider, SyncStatus } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSettings } from '../../providers/fields.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** An account with how its latest sync stands. Credentials never leave the store. */
export type Account = Omit<AccountRow, 'credentials'> & {
  sync: AccountSync | null;
};

/** Which accounts a list shows. */
export interface AccountFilter {
  providers: readonly CloudProvider[] | null;
  statuses: readonly AccountStatus[];
  syncStatuses: readonly SyncStatus[] | null;
  orderBy: readonly Prisma.AccountOrderByWithRelationInput[];
}

/** Where an account's bills come from. */
export interface AccountSource {
  provider: CloudProvider;
  /** Folder or file below FOCUS_ROOT; empty: its bills are in a cloud or in an object store. */
  path: string;
  /** As `providers/spec.ts` has them. */
  settings: object;
  /** Credentials as JSON of `providers/spec.ts`, encrypted for the account's id; null: it has none. */
  sealed: Uint8Array | null;
  /** The organization's, which a role's trust policy must name. */
  trustExternalId: string;
}

/** Which of an account's columns and relations are read; never its credentials, which no field selects. */
type Selection = Pick<Prisma.AccountDefaultArgs, 'select' | 'include'>;

const shown = { omit: { credentials: true }, include: { sync: true } } as const;

/** In every read: the organization's accounts, of those in the caller's scope. */
function visible(scope: OrgScope): Prisma.AccountWhereInput {
  return {
    organizationId: scope.organizationId,
    ...(scope.accountIds ? { id: { in: [...scope.accountIds] } } : {}),
  };
}

/** One page of the accounts in scope, as far as they are selected, and how many there are in all. */
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

/** An account in scope, or null. */
export async function findAccount(db: Db, scope: OrgScope, id: string): Promise<Account | null> {
  return db.account.findFirst({
    where: { AND: [visible(scope), { id }] },
    ...shown,
  });
}

/** The same, as far as it is selected. */
export function selectAccount(db: Db, scope: OrgScope, id: string, query: Selection) {
  return db.account.findFirst({ ...query, where: { AND: [visible(scope), { id }] } });
}

/** An account of the organization by what the provider calls it, connected or not. */
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

/** The sources of every account of the organization, connected or not: two that share files would count twice. */
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

/** Lets one transaction at a time decide which sources an organization's accounts have; it ends with the transaction. */
export async function lockSources(db: Db, scope: OrgScope): Promise<void> {
  // Weaker than what rows that refer to the organization wait for.
  await db.$executeRaw`/* lockSources */ SELECT id FROM organizations WHERE id = ${scope.organizationId}::uuid FOR NO KEY UPDATE`;
}

/** What a sync needs to know of a connected account. */
export async function readSource(db: Db, scope: OrgScope, id: string): Promise<AccountSource | null> {
  const row = await db.account.findFirst({
    where: { AND: [visible(scope), { id, status: 'connected' }] },
    select: { provider: true, settings: true, credentials: true, organization: { select: { trustExternalId: true } } },
  });
  if (!row) return null;
  const { path, ...settings } = parseSettings(row.settings);
  const { trustExternalId } = row.organization;
  return { provider: row.provider, path: path ?? '', settings, sealed: row.credentials, trustExternalId };
}

/** Writes a new account whose first sync is queued. */
export async function insertAccount(
  db: Db,
  scope: OrgScope,
  values: {
    /** Known before, because encrypted credentials are bound to it. */
    id: string;
    name: string;
    provider: CloudProvider;
    externalId: string;
    settings: Prisma.InputJsonObject;
    /** Encrypted. */
    credentials: Uint8Array<ArrayBuffer> | null;
    warnings: readonly string[];
    createdBy: string | null;
    now: Date;
  },
): Promise<Account> {
  const { now, warnings, id, ...data } = values;
  const { organizationId } = scope;
  const credentialsUpdatedAt = data.credentials ? now : null;
  await db.account.create({
    data: { ...data, id, organizationId, credentialsUpdatedAt, createdAt: now },
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

/** Whether an error says that another account has the same source already. */
export function isTaken(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}

/** Adds an account to what a restricted member may see. */
export async function grantAccount(db: Db, scope: OrgScope, userId: string, accountId: string): Promise<void> {
  await db.membership.updateMany({
    where: { organizationId: scope.organizationId, userId, restricted: true },
    data: { accountAccess: { push: accountId } },
  });
}

/** Changes an account of the organization. */
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

/** Changes where an account's bills come from, unless someone else has done so since it was read.
 *  @returns whether it was changed */
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

/** Forgets what the source remembers of its last listing: it was another source, or is to be asked anew. */
export async function forgetListing(
  db: Db,
  scope: OrgScope,
  accountId: string,
  warnings: readonly string[] = [],
): Promise<void> {
  await db.accountSync.updateMany({
    where: { accountId, organizationId: scope.organizationId },
    data: { sourceMemo: Prisma.DbNull, inventoryAt: null, retries: 0, retryAt: null, warnings: [...warnings] },
  });
}

/** The external id that roles of an organization's accounts must ask for. */
export async function readTrustExternalId(db: Db, scope: OrgScope): Promise<string> {
  const { trustExternalId } = await db.organization.findUniqueOrThrow({
    where: { id: scope.organizationId },
    select: { trustExternalId: true },
  });
  return trustExternalId;
}

/** Removes an account with all that hangs on it; its figures are deleted apart. */
export async function deleteAccountRow(db: Db, scope: OrgScope, id: string): Promise<void> {
  await db.account.deleteMany({ where: { AND: [visible(scope), { id }] } });
}
