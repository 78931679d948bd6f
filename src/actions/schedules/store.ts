import type { Prisma, ReportSchedule as ScheduleRow } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import type { PageRequest, Rows } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import { Records } from '../../tenancy/accounts/about.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { reportFormatOf, reportTypeOf, type ReportFormat, type ReportType } from '../reports/kinds.ts';
import {
  frequencies,
  namedAccounts,
  storedValueRecipients,
  type RunStatus,
  type Schedule,
  type ScheduleValues,
} from './schedule.ts';

/** Sort fields of schedules, in REST spelling. */
export const scheduleSortFields = ['name', 'next_run_at', 'last_run_at', 'created_at'] as const;

/** Filters of a schedule list; null means any. */
export interface ScheduleQuery {
  readonly type?: readonly ReportType[] | null;
  readonly format?: readonly ReportFormat[] | null;
  readonly enabled?: boolean | null;
  readonly sortBy?: SortBy<typeof scheduleSortFields> | null;
}

/** Restricts every read to the organization's schedules; callers with access to only some accounts see only schedules of
 *  those. */
async function visible({ organizationId, accountIds }: OrgScope, db: Db): Promise<Prisma.ReportScheduleWhereInput> {
  if (accountIds === null) return { organizationId };
  const rows = await db.$queryRaw<{ id: string }[]>`/* visibleSchedules */
    SELECT id FROM report_schedules WHERE organization_id = ${organizationId}::uuid
      AND jsonb_typeof(filters->'account_id') = 'array'
      AND filters->'account_id' <@ ${JSON.stringify(accountIds)}::jsonb`;
  return { organizationId, id: { in: rows.map(({ id }) => id) } };
}

/** The schedules of organizations. */
export const schedules = new Records<ScheduleRow, Schedule>({
  noun: 'Report schedule',
  plural: 'report schedules',
  resourceType: 'report_schedule',
  limit: 200,
  model: (db) => db.reportSchedule,
  visible,
  parse: scheduleOf,
  details: ({ name, type, format, frequency, enabled, filters }) => ({
    name,
    type,
    format,
    frequency,
    enabled,
    account_ids: namedAccounts(filters),
  }),
  accountsOf: ({ filters }) => namedAccounts(filters) ?? [null],
});

/** Returns a page of selected schedules that are entirely inside the caller's accounts, newest first by default. */
export function pageSchedules(
  { db }: { readonly db: Db },
  scope: OrgScope,
  { type, format, enabled, sortBy }: ScheduleQuery,
  page: PageRequest & { select: { id: true } },
): Rows {
  const filters = [{ type: oneOf(type), format: oneOf(format), enabled: enabled ?? undefined }];
  const order = { sort: parseSort(sortBy, scheduleSortFields), nullable: ['next_run_at', 'last_run_at'] };
  return schedules.page(db, scope, { filters, ...order }, page);
}

function oneOf(words: readonly string[] | null | undefined) {
  return words ? { in: [...words] } : undefined;
}

/** Returns a schedule regardless of scope, for background jobs; null if it is gone. */
export async function loadSchedule(db: Db, organizationId: string, id: string): Promise<Schedule | null> {
  const row = await db.reportSchedule.findFirst({ where: { organizationId, id } });
  return row && scheduleOf(row);
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

/** Records a run on request; the next run does not change. */
export async function markStart(db: Db, { id, organizationId }: Schedule, lastRunAt: Date): Promise<void> {
  const data = { lastRunAt, lastStatus: 'pending' } as const;
  await db.reportSchedule.updateMany({ where: { id, organizationId }, data });
}

/** Records the status of the last run; a failure of one of its reports is kept. */
export async function markRun(db: Db, { id, organizationId }: Schedule, lastStatus: RunStatus): Promise<void> {
  const where = { id, organizationId, ...(lastStatus === 'ready' && { lastStatus: 'pending' as const }) };
  await db.reportSchedule.updateMany({ where, data: { lastStatus } });
}

function scheduleOf({ type, format, frequency, filters, valueRecipients, ...row }: ScheduleRow): Schedule {
  return {
    ...row,
    type: reportTypeOf(type),
    format: reportFormatOf(format),
    frequency: frequencyOf(frequency),
    valueRecipients: storedValueRecipients(valueRecipients),
    filters: isObject(filters) ? filters : {},
  };
}

/** Parses the frequency column. */
function frequencyOf(frequency: string): Schedule['frequency'] {
  const known = frequencies.find((each) => each === frequency);
  if (!known) throw new Error(`Unknown frequency ${frequency}`);
  return known;
}

function isObject(filters: Prisma.JsonValue): filters is Prisma.JsonObject & ScheduleValues['filters'] {
  return typeof filters === 'object' && filters !== null && !Array.isArray(filters);
}
