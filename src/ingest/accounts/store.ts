import { Prisma, type Account as AccountRow, type AccountSync } from '../../../prisma/generated/client/client.ts';
import type { AccountStatus, CloudProvider, SyncStatus } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { PageRequest } from '../../kit/page.ts';
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
  /** Folder or file below FOCUS_ROOT. */
  path: string;
}

const shown = { omit: { credentials: true }, include: { sync: true } } as const;

/** In every read: the organization's accounts, of those in the caller's scope. */
function visible(scope: OrgScope): Prisma.AccountWhereInput {
  return {
    organizationId: scope.organizationId,
    ...(scope.accountIds ? { id: { in: [...scope.accountIds] } } : {}),
  };
}

/** One page of the accounts in scope, and how many there are in all. */
export async function listAccounts(
  db: Db,
  scope: OrgScope,
  filter: AccountFilter,
  page: PageRequest,
): Promise<{ rows: Account[]; total: number }> {
  const where: Prisma.AccountWhereInput = {
    AND: [
      visible(scope),
      { status: { in: [...filter.statuses] } },
      filter.providers ? { provider: { in: [...filter.providers] } } : {},
      filter.syncStatuses ? { sync: { status: { in: [...filter.syncStatuses] } } } : {},
    ],
  };
  const [rows, total] = await Promise.all([
    db.account.findMany({
      where,
      ...shown,
      orderBy: [...filter.orderBy, { id: 'desc' }],
      skip: page.skip,
      take: page.take,
    }),
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

/** What a sync needs to know of a connected account. */
export async function readSource(db: Db, scope: OrgScope, id: string): Promise<AccountSource | null> {
  const row = await db.account.findFirst({
    where: { AND: [visible(scope), { id, status: 'connected' }] },
    select: { provider: true, settings: true },
  });
  return row ? { provider: row.provider, path: settingsOf(row.settings).path } : null;
}

/** Reads the stored settings. */
export function settingsOf(settings: Prisma.JsonValue): { path: string } {
  const path =
    settings !== null && typeof settings === 'object' && !Array.isArray(settings) ? settings['path'] : undefined;
  return { path: typeof path === 'string' ? path : '' };
}

/** Writes a new account whose first sync is queued. */
export async function insertAccount(
  db: Db,
  scope: OrgScope,
  values: {
    name: string;
    provider: CloudProvider;
    externalId: string;
    settings: Prisma.InputJsonObject;
    createdBy: string | null;
    now: Date;
  },
): Promise<Account> {
  const { now, ...data } = values;
  const { organizationId } = scope;
  const { id } = await db.account.create({
    data: { ...data, organizationId, createdAt: now },
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

/** Removes an account with all that hangs on it; its figures are deleted apart. */
export async function deleteAccountRow(db: Db, scope: OrgScope, id: string): Promise<void> {
  await db.account.deleteMany({ where: { AND: [visible(scope), { id }] } });
}

/** Connected accounts of every organization, for the schedule, and those whose queued sync may have lost its job. */
export async function listForSchedule(
  db: Db,
): Promise<{ id: string; organizationId: string; syncStatus: SyncStatus }[]> {
  const rows = await db.account.findMany({
    where: { status: 'connected' },
    select: {
      id: true,
      organizationId: true,
      sync: { select: { status: true } },
    },
  });
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organizationId,
    syncStatus: row.sync?.status ?? 'never',
  }));
}
