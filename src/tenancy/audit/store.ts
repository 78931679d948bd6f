import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Clock } from '../../kit/time/clock.ts';
import type { Db } from '../../kit/db.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';
import type { StoredWord, WordFilter } from '../../kit/stored-word.ts';
import type { OrgScope } from '../auth/scope.ts';
import type { AuditAction, AuditResourceType } from './actions.ts';

/** Who acts, from where. */
export interface Actor {
  organizationId: string;
  /** Null where nobody was signed in, or where the server acts by itself. */
  userId: string | null;
  email: string | null;
  ipAddress: string;
  userAgent: string;
  /** Tells when the act happens; absent: the database does. */
  clock?: Clock;
}

/** What was done, to what. */
export interface AuditRecord {
  action: AuditAction;
  /** The kind of thing acted upon. */
  resourceType: StoredWord<AuditResourceType>;
  resourceId?: string | null;
  /** The cloud account it concerns, for members who may see some accounts only. */
  accountId?: string | null;
  /** What changed; never a secret. Ids of cloud accounts stand below a key with `account` in its name, so that a reader
   *  who may not see the account is not shown them: see details.ts. Default: nothing more to say. */
  details?: Prisma.InputJsonObject;
}

/** A client writes its own user agent; more characters than these say nothing more, here and of a session. */
export const userAgentCharacters = 512;

/** Writes one entry. Call it inside the transaction of the act, so that neither exists without the other. */
export async function writeAudit(db: Db, actor: Actor, entry: AuditRecord): Promise<void> {
  await db.auditEntry.create({
    data: {
      organizationId: actor.organizationId,
      actorId: actor.userId,
      actorEmail: actor.email,
      ipAddress: actor.ipAddress,
      userAgent: actor.userAgent.slice(0, userAgentCharacters),
      ...(actor.clock && { timestamp: actor.clock.now() }),
      action: entry.action,
      resourceType: entry.resourceType,
      resourceId: entry.resourceId ?? null,
      accountId: entry.accountId ?? null,
      details: entry.details ?? {},
    },
    select: { id: true },
  });
}

/** Fields that the audit log can be sorted by, as REST spells them. */
export const auditSortFields = ['timestamp', 'action', 'resource_type'] as const;

/** Which entries a list shows; null means any. */
export interface AuditFilter {
  readonly actions: WordFilter | null;
  readonly actorIds: readonly string[] | null;
  /** The first instant. */
  readonly from: Date | null;
  /** The first instant after. */
  readonly until: Date | null;
  /** Entries that are alike, the newer one first; null: the newest first. */
  readonly sort: Sort<(typeof auditSortFields)[number]> | null;
}

/** One page of the entries that the scope may see, and their total number. */
export async function listEntries<Select extends Prisma.AuditEntrySelect>(
  db: Db,
  scope: OrgScope,
  filter: AuditFilter,
  { page, select }: { page: PageRequest; select: Select },
): Promise<{ rows: Prisma.AuditEntryGetPayload<{ select: Select }>[]; total: number }> {
  const where: Prisma.AuditEntryWhereInput = {
    organizationId: scope.organizationId,
    AND: [
      scope.accountIds ? { OR: [{ accountId: null }, { accountId: { in: [...scope.accountIds] } }] } : {},
      filter.actions ? { OR: actionsOf(filter.actions) } : {},
    ],
    ...(filter.actorIds && { actorId: { in: [...filter.actorIds] } }),
    timestamp: { ...(filter.from && { gte: filter.from }), ...(filter.until && { lt: filter.until }) },
  };
  const { skip, take } = page;
  const [rows, total] = await Promise.all([
    db.auditEntry.findMany({ where, select, orderBy: ordersOf(filter.sort), skip, take }),
    db.auditEntry.count({ where }),
  ]);
  return { rows, total };
}

function actionsOf({ among, outside }: WordFilter): Prisma.AuditEntryWhereInput[] {
  return [{ action: { in: [...among] } }, ...(outside ? [{ action: { notIn: [...outside] } }] : [])];
}

function ordersOf(sort: AuditFilter['sort']): Prisma.AuditEntryOrderByWithRelationInput[] {
  const { field, direction } = sort ?? { field: 'timestamp', direction: 'desc' };
  const newestFirst: Prisma.AuditEntryOrderByWithRelationInput[] = [{ timestamp: 'desc' }, { id: 'desc' }];
  if (field === 'timestamp') return [{ timestamp: direction }, { id: direction }];
  return [field === 'action' ? { action: direction } : { resourceType: direction }, ...newestFirst];
}

/** Deletes the entries of every organization that were written before an instant, by the index of each.
 *  @returns how many there were */
export function deleteEntriesBefore(db: Db, before: Date): Promise<number> {
  return db.$executeRaw`/* deleteEntriesBefore */
    DELETE FROM audit_entries entry USING organizations organization
    WHERE entry.organization_id = organization.id AND entry.timestamp < ${before}`;
}
