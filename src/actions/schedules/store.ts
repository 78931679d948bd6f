import { Prisma, type ReportSchedule as ScheduleRow } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { inOrderOf, type PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { reportFormatOf, reportTypeOf, type ReportFormat, type ReportType } from '../reports/kinds.ts';
import { frequencies, type RunStatus, type Schedule, type ScheduleValues } from './schedule.ts';

/** Fields that schedules can be sorted by, as REST spells them. */
export const scheduleSortFields = ['name', 'next_run_at', 'last_run_at', 'created_at'] as const;

/** Which schedules a list shows; null means any. */
export interface ScheduleFilter {
  readonly types: readonly ReportType[] | null;
  readonly formats: readonly ReportFormat[] | null;
  readonly enabled: boolean | null;
  /** Null: the newest first. */
  readonly sort: Sort<(typeof scheduleSortFields)[number]> | null;
}

/** In every read: the organization's schedules; of who sees some accounts only those that name no others. */
function visible({ organizationId, accountIds }: OrgScope): Prisma.Sql {
  const inScope =
    accountIds === null
      ? Prisma.empty
      : Prisma.sql`AND jsonb_typeof(filters->'account_id') = 'array'
        AND filters->'account_id' <@ ${JSON.stringify(accountIds)}::jsonb`;
  return Prisma.sql`organization_id = ${organizationId}::uuid ${inScope}`;
}

/** A page of the schedules that the scope sees, as far as they are selected, and how many there are. */
export async function selectSchedules(
  db: Db,
  scope: OrgScope,
  { types, formats, enabled, sort }: ScheduleFilter,
  page: PageRequest & { select: { id: true } },
): Promise<{ rows: { id: string }[]; total: number }> {
  const conditions = [
    visible(scope),
    ...(types ? [Prisma.sql`type = ANY(${[...types]}::text[])`] : []),
    ...(formats ? [Prisma.sql`format = ANY(${[...formats]}::text[])`] : []),
    ...(enabled === null ? [] : [Prisma.sql`enabled = ${enabled}`]),
  ];
  const where = Prisma.join(conditions, ' AND ');
  const { field, direction } = sort ?? { field: 'created_at', direction: 'desc' };
  const way = Prisma.raw(direction);
  const [found, counts] = await Promise.all([
    db.$queryRaw<{ id: string }[]>`/* selectSchedules */ SELECT id FROM report_schedules WHERE ${where}
      ORDER BY ${Prisma.raw(field)} ${way} NULLS LAST, id ${way} LIMIT ${page.take} OFFSET ${page.skip}`,
    db.$queryRaw<{ total: number }[]>`/* countSchedules */
      SELECT count(*)::int AS total FROM report_schedules WHERE ${where}`,
  ]);
  const ids = found.map(({ id }) => id);
  const { organizationId } = scope;
  const rows = await db.reportSchedule.findMany({ where: { organizationId, id: { in: ids } }, select: page.select });
  return { rows: inOrderOf(ids, rows), total: counts[0]?.total ?? 0 };
}

/** The schedules among some ids that the scope sees, as far as they are selected. */
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

/** A schedule that the scope sees, or null. */
export async function findSchedule(db: Db, scope: OrgScope, id: string): Promise<Schedule | null> {
  const found = await db.$queryRaw<object[]>`/* findSchedule */
    SELECT 1 FROM report_schedules WHERE id = ${id}::uuid AND ${visible(scope)}`;
  return found.length === 0 ? null : loadSchedule(db, scope.organizationId, id);
}

/** Reads a schedule that the scope sees and keeps it until the transaction ends: changes of it come one after another. */
export async function lockSchedule(db: Db, scope: OrgScope, id: string): Promise<Schedule | null> {
  await db.$executeRaw`/* lockSchedule */ SELECT 1 FROM report_schedules
    WHERE organization_id = ${scope.organizationId}::uuid AND id = ${id}::uuid FOR NO KEY UPDATE`;
  return findSchedule(db, scope, id);
}

/** A schedule whoever sees it, for what runs by itself; null when it is gone. */
export async function loadSchedule(db: Db, organizationId: string, id: string): Promise<Schedule | null> {
  const row = await db.reportSchedule.findFirst({ where: { organizationId, id } });
  return row && scheduleOf(row);
}

/** How many schedules the organization has, seen by the scope or not. */
export function countSchedules(db: Db, { organizationId }: OrgScope): Promise<number> {
  return db.reportSchedule.count({ where: { organizationId } });
}

/** Writes a new schedule. */
export async function insertSchedule(db: Db, schedule: Schedule): Promise<void> {
  const { id, organizationId, createdById, createdAt } = schedule;
  await db.reportSchedule.create({ data: { id, organizationId, createdById, createdAt, ...columnsOf(schedule) } });
}

/** Writes what a schedule has become. */
export async function updateScheduleRow(db: Db, schedule: Schedule): Promise<void> {
  const { id, organizationId } = schedule;
  await db.reportSchedule.updateMany({ where: { id, organizationId }, data: columnsOf(schedule) });
}

/** Takes a schedule away. */
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
    // Filters came as JSON and were checked.
    filters: filters as Prisma.InputJsonObject,
  };
}

/** Of every organization: what is due, the longest first. */
export async function listDue(db: Db, now: Date, most: number): Promise<Schedule[]> {
  const rows = await db.reportSchedule.findMany({
    where: { enabled: true, nextRunAt: { lte: now } },
    orderBy: [{ nextRunAt: 'asc' }, { id: 'asc' }],
    take: most,
  });
  return rows.map(scheduleOf);
}

/** How a run of a schedule is written down. */
export interface RunMark {
  readonly nextRunAt: Date;
  readonly lastRunAt: Date;
  readonly lastStatus: RunStatus;
}

/** Takes a run that is due, for one worker alone.
 *  @returns false when another has taken it, or the schedule was changed meanwhile */
export async function claimRun(
  db: Db,
  { id, organizationId, nextRunAt: due, updatedAt }: Schedule,
  mark: RunMark,
): Promise<boolean> {
  const where = { id, organizationId, enabled: true, nextRunAt: due, updatedAt };
  const { count } = await db.reportSchedule.updateMany({ where, data: mark });
  return count > 0;
}

/** Writes down how the last run ended. */
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

/** Reads how often a schedule runs from its column. */
export function frequencyOf(frequency: string): Schedule['frequency'] {
  const known = frequencies.find((each) => each === frequency);
  if (!known) throw new Error(`No schedule runs ${frequency}`);
  return known;
}

function isObject(filters: Prisma.JsonValue): filters is Prisma.JsonObject & ScheduleValues['filters'] {
  return typeof filters === 'object' && filters !== null && !Array.isArray(filters);
}
