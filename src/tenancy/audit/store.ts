import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Clock } from '../../kit/time/clock.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import type { PageRequest } from '../../kit/page.ts';
import { endBeforeStart } from '../../kit/errors/refusals.ts';
import { isUuid } from '../../kit/ids.ts';
import { parseSort, type Sort, type SortBy } from '../../kit/sort.ts';
import { storable } from '../../kit/tag-key.ts';
import { wordFilter, type StoredWord, type WordFilter } from '../../kit/stored-word.ts';
import { addDays, instantOf, type Day } from '../../kit/time/period.ts';
import type { OrgScope } from '../auth/scope.ts';
import { auditActions, type AuditAction, type AuditResourceType } from './actions.ts';

/** The actor and origin of an action. */
export interface Actor {
  organizationId: string;
  /** Null without a signed-in user, or if the server acts by itself. */
  userId: string | null;
  email: string | null;
  ipAddress: string;
  userAgent: string;
  /** Determines the time of the action; by default, the database does. */
  clock?: Clock;
}

/** An action and its subject. */
export interface AuditRecord {
  action: AuditAction;
  /** Kind of the subject. */
  resourceType: StoredWord<AuditResourceType>;
  resourceId?: string | null;
  /** The cloud account it concerns, for members with restricted access. */
  accountId?: string | null;
  /** What changed; never a secret. Ids of cloud accounts must be below a key with `account` in its name, so that
   *  they can be hidden from readers without access: see details.ts. Default: no details. */
  details?: Prisma.InputJsonObject;
}

/** Maximum length of a user agent in audit entries and sessions, since clients choose it freely. */
export const userAgentCharacters = 512;

/** Writes one entry. Call it inside the transaction of the action, so that neither exists without the other. */
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
      details: withStorableTexts(entry.details ?? {}),
    },
    select: { id: true },
  });
}

/** Details can contain text from a caller, such as the filters of an export, and PostgreSQL cannot store every character. */
function withStorableTexts(details: Prisma.InputJsonObject): Prisma.InputJsonObject {
  const text = JSON.stringify(details, (_, value: unknown) => (typeof value === 'string' ? storable(value) : value));
  return JSON.parse(text) as Prisma.InputJsonObject;
}

/** Sortable fields of the audit log, in REST spelling. */
export const auditSortFields = ['timestamp', 'action', 'resource_type'] as const;

/** Filter of a list of entries; null means any. */
export interface AuditQuery {
  readonly action?: readonly StoredWord<AuditAction>[] | null;
  /** User ids. */
  readonly actorId?: readonly string[] | null;
  /** UTC days, both inclusive. */
  readonly startDate?: Day | null;
  readonly endDate?: Day | null;
  readonly sortBy?: SortBy<typeof auditSortFields> | null;
}

/** Returns a page of the audit log, newest first. A caller restricted to some accounts gets only entries about one
 *  of theirs or about none.
 *  @throws {AppError} VALIDATION_ERROR if the end is before the start */
export async function pageAuditLog<Select extends Prisma.AuditEntrySelect>(
  { db }: { readonly db: Db },
  { organizationId, accountIds }: OrgScope,
  { action, actorId, startDate = null, endDate = null, sortBy }: AuditQuery,
  { skip, take, select }: PageRequest & { select: Select },
) {
  if (startDate !== null && endDate !== null && endDate < startDate) throw endBeforeStart(endDate, startDate);
  const where: Prisma.AuditEntryWhereInput = {
    organizationId,
    AND: [
      accountIds ? { OR: [{ accountId: null }, { accountId: { in: [...accountIds] } }] } : {},
      action ? { OR: actionsOf(wordFilter(auditActions, action)) } : {},
    ],
    // Deduplicated: a client may repeat ids beyond the maximum number of query parameters.
    ...(actorId && { actorId: { in: [...new Set(actorId)].filter(isUuid) } }),
    timestamp: {
      ...(startDate && { gte: instantOf(startDate) }),
      ...(endDate && { lt: instantOf(addDays(endDate, 1)) }),
    },
  };
  const [rows, total] = await Promise.all([
    db.auditEntry.findMany({ where, select, orderBy: ordersOf(parseSort(sortBy, auditSortFields)), skip, take }),
    db.auditEntry.count({ where }),
  ]);
  return { rows, total };
}

function actionsOf({ among, outside }: WordFilter): Prisma.AuditEntryWhereInput[] {
  return [{ action: { in: [...among] } }, ...(outside ? [{ action: { notIn: [...outside] } }] : [])];
}

/** Equal entries are sorted newest first. */
function ordersOf(sort: Sort<(typeof auditSortFields)[number]> | null): Prisma.AuditEntryOrderByWithRelationInput[] {
  const { field, direction } = sort ?? { field: 'timestamp', direction: 'desc' };
  const newestFirst: Prisma.AuditEntryOrderByWithRelationInput[] = [{ timestamp: 'desc' }, { id: 'desc' }];
  if (field === 'timestamp') return [{ timestamp: direction }, { id: direction }];
  return [field === 'action' ? { action: direction } : { resourceType: direction }, ...newestFirst];
}

/** Retention from the specification, section "Limits". */
const retentionMs = 90 * 86_400_000;

/** Deletes entries older than 90 days, in all organizations, using the index of each. */
export async function deleteOldEntries({ db, log }: Pick<Deps, 'db' | 'log'>, now: Date): Promise<void> {
  const deleted = await db.$executeRaw`/* deleteOldEntries */
    DELETE FROM audit_entries entry USING organizations organization
    WHERE entry.organization_id = organization.id AND entry.timestamp < ${new Date(now.getTime() - retentionMs)}`;
  log.info({ deleted }, 'Audit entries older than 90 days were deleted');
}
