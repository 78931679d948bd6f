import { Prisma, type ReportSchedule as ScheduleRow } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { among, inOrderOf, pageOfIds, type PageRequest, type Rows } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { reportFormatOf, reportTypeOf, type ReportFormat, type ReportType } from '../reports/kinds.ts';
import { frequencies, type RunStatus, type Schedule, type ScheduleValues } from './schedule.ts';

/** Sort fields of schedules, in REST spelling. */
export const scheduleSortFields = ['name', 'next_run_at', 'last_run_at', 'created_at'] as const;

/** Filters of a schedule list; null means any. */
export interface ScheduleQuery {
  readonly type?: readonly ReportType[] | null;
  readonly format?: readonly ReportFormat[] | null;
  readonly enabled?: boolean | null;
  readonly sortBy?: SortBy<typeof scheduleSortFields> | null;
}

/** Restricts every read to the organization's schedules; callers with access to some accounts only see schedules of those. */
function visible({ organizationId, accountIds }: OrgScope): Prisma.Sql {
  const inScope =
    accountIds === null
      ? Prisma.empty
      : Prisma.sql`AND jsonb_typeof(filters->'account_id') = 'array'
        AND filters->'account_id' <@ ${JSON.stringify(accountIds)}::jsonb`;
  return Prisma.sql`organization_id = ${organizationId}::uuid ${inScope}`;
}

/** Returns a page of selected schedules that are entirely inside the caller's accounts, newest first by default. */
export async function pageSchedules(
  { db }: { readonly db: Db },
  scope: OrgScope,
  { type, format, enabled, sortBy }: ScheduleQuery,
  { select, ...page }: PageRequest & { select: { id: true } },
): Rows {
  const enabledOnly = typeof enabled === 'boolean' ? [Prisma.sql`enabled = ${enabled}`] : [];
  const where = [visible(scope), ...among('type', type), ...among('format', format), ...enabledOnly];
  const sort = parseSort(sortBy, scheduleSortFields);
  const { ids, total } = await pageOfIds(db, 'report_schedules', { where, sort }, page);
  const { organizationId } = scope;
  const rows = await db.reportSchedule.findMany({ where: { organizationId, id: { in: ids } }, select });
  return { rows: inOrderOf(ids, rows), total };
}

/** Returns selected schedules by id in the scope. */
export async function selectSchedulesById(
  db: Db,
  scope: OrgScope,
  ids: readonly string[],
  query: Pick<Prisma.ReportScheduleDefaultArgs, 'select' | 'include'>,
) {
  const { organizationId } = scope;
  const found = await db.$queryRaw<{ id: string }[]>`/* selectSchedulesById */
    SELECT id FROM report_schedules WHERE id = ANY(${[...ids]}::uuid[]) AND ${visible(scope)}`;
  return db.reportSchedule.findMany({ ...query, where: { organizationId, id: { in: found.map(({ id }) => id) } } });
}

/** Returns a schedule in the scope, or null. */
export async function findSchedule(db: Db, scope: OrgScope, id: string): Promise<Schedule | null> {
  const found = await db.$queryRaw<object[]>`/* findSchedule */
    SELECT 1 FROM report_schedules WHERE id = ${id}::uuid AND ${visible(scope)}`;
  return found.length === 0 ? null : loadSchedule(db, scope.organizationId, id);
}

/** Reads a schedule in the scope and locks it until the transaction ends, which serializes changes. */
export async function lockSchedule(db: Db, scope: OrgScope, id: string): Promise<Schedule | null> {
  await db.$executeRaw`/* lockSchedule */ SELECT 1 FROM report_schedules
    WHERE organization_id = ${scope.organizationId}::uuid AND id = ${id}::uuid FOR NO KEY UPDATE`;
  return findSchedule(db, scope, id);
}

/** Returns a schedule regardless of scope, for background jobs; null if it is gone. */
export async function loadSchedule(db: Db, organizationId: string, id: string): Promise<Schedule | null> {
  const row = await db.reportSchedule.findFirst({ where: { organizationId, id } });
  return row && scheduleOf(row);
}

/** Counts the organization's schedules, inside or outside the scope. */
export function countSchedules(db: Db, { organizationId }: OrgScope): Promise<number> {
  return db.reportSchedule.count({ where: { organizationId } });
}

export async function insertSchedule(db: Db, schedule: Schedule): Promise<void> {
  const { id, organizationId, createdById, createdAt } = schedule;
  await db.reportSchedule.create({ data: { id, organizationId, createdById, createdAt, ...columnsOf(schedule) } });
}

/** Writes a changed schedule. */
export async function updateScheduleRow(db: Db, schedule: Schedule): Promise<void> {
  const { id, organizationId } = schedule;
  await db.reportSchedule.updateMany({ where: { id, organizationId }, data: columnsOf(schedule) });
}

export async function deleteScheduleRow(db: Db, { id, organizationId }: Schedule): Promise<void> {
  await db.reportSchedule.deleteMany({ where: { id, organizationId } });
}

function columnsOf(schedule: Schedule) {
  const { name, type, format, filters, frequency, day, hour, timeZone, slack, enabled } = schedule;
  const { nextRunAt, inheritedScope, isInherited, recipients, updatedAt } = schedule;
  const values = { name, type, format, frequency, day, hour, timeZone, slack, enabled, nextRunAt, isInherited };
  return {
    ...values,
    updatedAt,
    recipients: [...recipients],
    inheritedScope: [...inheritedScope],
    // Filters were received as JSON and validated.
    filters: filters as Prisma.InputJsonObject,
  };
}

/** Lists due schedules of all organizations, longest overdue first. */
export async function listDue(db: Db, now: Date, most: number): Promise<Schedule[]> {
  const rows = await db.reportSchedule.findMany({
    where: { enabled: true, nextRunAt: { lte: now } },
    orderBy: [{ nextRunAt: 'asc' }, { id: 'asc' }],
    take: most,
  });
  return rows.map(scheduleOf);
}

/** The recorded state of a run. */
export interface RunMark {
  readonly nextRunAt: Date;
  readonly lastRunAt: Date;
  readonly lastStatus: RunStatus;
}

/** Claims a due run for exactly one worker.
 *  @returns false if another worker claimed it, or the schedule was changed in the meantime */
export async function claimRun(
  db: Db,
  { id, organizationId, nextRunAt: due, updatedAt }: Schedule,
  mark: RunMark,
): Promise<boolean> {
  const where = { id, organizationId, enabled: true, nextRunAt: due, updatedAt };
  const { count } = await db.reportSchedule.updateMany({ where, data: mark });
  return count > 0;
}

/** Records the status of the last run. */
export async function markRun(db: Db, { id, organizationId }: Schedule, lastStatus: RunStatus): Promise<void> {
  await db.reportSchedule.updateMany({ where: { id, organizationId }, data: { lastStatus } });
}

function scheduleOf({ type, format, frequency, filters, ...row }: ScheduleRow): Schedule {
  return {
    ...row,
    type: reportTypeOf(type),
    format: reportFormatOf(format),
    frequency: frequencyOf(frequency),
    filters: isObject(filters) ? filters : {},
  };
}

/** Parses the frequency column. */
function frequencyOf(frequency: string): Schedule['frequency'] {
  const known = frequencies.find((each) => each === frequency);
  if (!known) throw new Error(`No schedule runs ${frequency}`);
  return known;
}

function isObject(filters: Prisma.JsonValue): filters is Prisma.JsonObject & ScheduleValues['filters'] {
  return typeof filters === 'object' && filters !== null && !Array.isArray(filters);
}
