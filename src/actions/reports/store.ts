import { Prisma, type Report as ReportRow } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { argItem, type Statement } from '../../kit/errors/errors.ts';
import type { Deps } from '../../kit/deps.ts';
import { requireById } from '../../kit/ids.ts';
import { among, inOrderOf, pageOfIds, type PageRequest, type Rows } from '../../kit/page.ts';
import { dayOf, instantOf, type Day } from '../../kit/time/period.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import { jsonOf } from '../../kit/errors/stored-error.ts';
import { type OrgScope, unknownAccount } from '../../tenancy/auth/scope.ts';
import type { Fact } from './document.ts';
import type { Filters } from './filters.ts';
import { reportFormatOf, reportTypeOf, type ReportFormat, type ReportType } from './kinds.ts';

export type ReportStatus = ReportRow['status'];

/** A stored report. */
export interface Report {
  readonly id: string;
  readonly type: ReportType;
  readonly format: ReportFormat;
  readonly startDate: Day;
  /** The last day, inclusive. */
  readonly endDate: Day;
  readonly filters: Filters;
  /** Covered accounts; null: all of the organization. */
  readonly accountIds: readonly string[] | null;
  readonly status: ReportStatus;
  /** Reason of a failure, as parsed by `storedError`. */
  readonly failure: unknown;
  /** Set when the report is ready. */
  readonly keyFigures: readonly Fact[] | null;
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
  readonly scheduleId: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Sort fields of reports, in REST spelling. */
export const reportSortFields = ['created_at', 'expires_at', 'start_date', 'end_date', 'size_bytes'] as const;

/** Filters of a report list; null means any. */
export interface ReportQuery {
  readonly type?: readonly ReportType[] | null;
  readonly format?: readonly ReportFormat[] | null;
  readonly status?: readonly ReportStatus[] | null;
  readonly sortBy?: SortBy<typeof reportSortFields> | null;
}

/** Restricts every read to the organization's unexpired reports that are entirely inside the caller's accounts. */
function visible({ organizationId, accountIds }: OrgScope, now: Date): Prisma.Sql {
  const inScope =
    accountIds === null ? Prisma.empty : Prisma.sql`AND is_restricted AND account_ids <@ ${[...accountIds]}::uuid[]`;
  return Prisma.sql`organization_id = ${organizationId}::uuid AND expires_at > ${now} ${inScope}`;
}

const shown = Prisma.sql`id, type, format, to_char(start_date, 'YYYY-MM-DD') AS "startDate",
  to_char(end_date, 'YYYY-MM-DD') AS "endDate", filters, CASE WHEN is_restricted THEN account_ids::text[] END AS "accountIds",
  status::text AS status, failure, key_figures AS "keyFigures", size_bytes::float8 AS "sizeBytes", sha256,
  schedule_id AS "scheduleId", created_by_id AS "createdBy", created_at AS "createdAt", expires_at AS "expiresAt"`;

/** Returns a page of selected reports that are entirely inside the caller's accounts, newest first by default. */
export async function pageReports(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  scope: OrgScope,
  { type, format, status, sortBy }: ReportQuery,
  { select, ...page }: PageRequest & { select: { id: true } },
): Rows {
  const where = [
    visible(scope, clock.now()),
    ...among('type', type),
    ...among('format', format),
    ...among('status::text', status),
  ];
  const { ids, total } = await pageOfIds(db, 'reports', { where, sort: parseSort(sortBy, reportSortFields) }, page);
  const { organizationId } = scope;
  const rows = await db.report.findMany({ where: { organizationId, id: { in: ids } }, select });
  return { rows: inOrderOf(ids, rows), total };
}

/** Selected fields of reports. */
export type ReportSelection = Pick<Prisma.ReportDefaultArgs, 'select' | 'include'>;

/** Returns a report whose accounts are all in the caller's scope.
 *  @throws {AppError} NOT_FOUND for one that is unknown, expired, another organization's, or outside the scope alike */
export function requireReport({ db, clock }: Pick<Deps, 'db' | 'clock'>, scope: OrgScope, id: string): Promise<Report> {
  return requireById('Report', id, async () => {
    const rows = await db.$queryRaw<Report[]>`/* requireReport */ SELECT ${shown} FROM reports
      WHERE id = ${id}::uuid AND ${visible(scope, clock.now())}`;
    return rows[0];
  });
}

/** Returns the selected fields of such a report.
 *  @throws {AppError} NOT_FOUND */
export function readReport(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  scope: OrgScope,
  id: string,
  query: ReportSelection,
) {
  const { organizationId } = scope;
  return requireById('Report', id, async () => {
    const found = await db.$queryRaw<object[]>`/* readReport */
      SELECT 1 FROM reports WHERE id = ${id}::uuid AND ${visible(scope, clock.now())}`;
    return found.length === 0 ? null : db.report.findFirst({ ...query, where: { organizationId, id } });
  });
}

/** A schedule with the maximum number of its reports. */
export interface ScheduleReports {
  readonly scheduleId: string;
  readonly first: number;
}

/** Returns the newest selected reports of schedules in the scope, in request order. The limit per schedule is applied in the
 *  database. */
export async function selectReportsOfSchedules(
  db: Db,
  scope: OrgScope,
  { pages, now }: { pages: readonly ScheduleReports[]; now: Date },
  query: ReportSelection,
) {
  const schedules = [...new Set(pages.map(({ scheduleId }) => scheduleId))];
  const found = await db.$queryRaw<{ id: string; scheduleId: string }[]>`/* selectReportsOfSchedules */
    SELECT id, schedule_id AS "scheduleId" FROM (
      SELECT id, schedule_id, row_number() OVER (PARTITION BY schedule_id ORDER BY created_at DESC, id DESC) AS place
      FROM reports WHERE schedule_id = ANY(${schedules}::uuid[]) AND ${visible(scope, now)}
    ) r WHERE place <= ${Math.max(...pages.map(({ first }) => first))} ORDER BY place`;
  const { organizationId } = scope;
  const ids = found.map(({ id }) => id);
  const rows =
    ids.length === 0 ? [] : await db.report.findMany({ ...query, where: { organizationId, id: { in: ids } } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ofSchedule = Map.groupBy(found, (report) => report.scheduleId);
  return pages.map(({ scheduleId, first }) =>
    (ofSchedule.get(scheduleId) ?? []).slice(0, first).flatMap(({ id }) => byId.get(id) ?? []),
  );
}

/** Returns a report regardless of scope, for the job that writes it; null if it is gone. */
export async function loadReport(db: Db, organizationId: string, id: string): Promise<Report | null> {
  const rows = await db.$queryRaw<Report[]>`/* loadReport */ SELECT ${shown} FROM reports
    WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid`;
  return rows[0] ?? null;
}

/** Returns whether reports of a schedule are still being written. */
export async function hasPending(
  db: Db,
  { id: scheduleId, organizationId }: { readonly id: string; readonly organizationId: string },
): Promise<boolean> {
  return (await db.report.count({ where: { organizationId, scheduleId, status: 'pending' } })) > 0;
}

/** Returns the organization of a report, for the holder of a signed link; null if it is gone. */
export async function findOrganizationOf(db: Db, id: string): Promise<string | null> {
  const row = await db.report.findUnique({ where: { id }, select: { organizationId: true } });
  return row?.organizationId ?? null;
}

/** The values of a new report. */
export type NewReport = Pick<
  Report,
  'type' | 'format' | 'startDate' | 'endDate' | 'filters' | 'accountIds' | 'createdBy' | 'createdAt' | 'expiresAt'
> & { readonly scheduleId: string | null };

/** Inserts a new report, pending its file. */
export async function insertReport(db: Db, organizationId: string, report: NewReport): Promise<Report> {
  const { startDate, endDate, accountIds, createdBy, filters, ...rest } = report;
  const row = await db.report.create({
    data: {
      ...rest,
      organizationId,
      startDate: instantOf(startDate),
      endDate: instantOf(endDate),
      // Filters were received as JSON and validated.
      filters: filters as Prisma.InputJsonObject,
      accountIds: [...(accountIds ?? [])],
      isRestricted: accountIds !== null,
      createdById: createdBy,
    },
  });
  return {
    ...report,
    id: row.id,
    type: reportTypeOf(row.type),
    format: reportFormatOf(row.format),
    startDate: dayOf(row.startDate),
    endDate: dayOf(row.endDate),
    status: row.status,
    failure: null,
    keyFigures: null,
    sizeBytes: null,
    sha256: null,
  };
}

/** Returns the requested accounts that are in the scope; null requests all of them. */
export async function accountsInScope(db: Db, scope: OrgScope, asked: readonly string[] | null): Promise<string[]> {
  const rows = await db.account.findMany({
    where: {
      organizationId: scope.organizationId,
      AND: [
        scope.accountIds ? { id: { in: [...scope.accountIds] } } : {},
        asked === null ? {} : { id: { in: [...asked] } },
      ],
    },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ id }) => id);
}

/** The cover data of every report. */
export interface Masthead {
  readonly organization: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Accounts in the scope, by name. */
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
  /** Whether their bills have costs in another currency. */
  readonly hasOtherCurrencies: boolean;
}

/** Reads the organization and the accounts of a scope. */
export async function readMasthead(db: Db, scope: OrgScope): Promise<Masthead> {
  const { organizationId, accountIds } = scope;
  const [{ name, currency }, accounts, billed] = await Promise.all([
    db.organization.findUniqueOrThrow({ where: { id: organizationId }, select: { name: true, currency: true } }),
    db.account.findMany({
      where: { organizationId, ...(accountIds && { id: { in: [...accountIds] } }) },
      select: { id: true, name: true },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
    }),
    db.$queryRaw<{ currency: string }[]>`/* billed currencies */ SELECT DISTINCT t->>'currency' AS currency
      FROM billing_periods b, jsonb_array_elements(b.totals) t WHERE b.organization_id = ${organizationId}::uuid
      AND (${accountIds}::uuid[] IS NULL OR b.account_id = ANY(${accountIds}::uuid[]))`,
  ]);
  return {
    organization: name,
    currency,
    accounts,
    hasOtherCurrencies: billed.some((one) => one.currency !== currency),
  };
}

/** Marks a report's file as complete.
 *  @returns false if the report is gone or no longer pending */
export async function markReady(
  db: Db,
  id: string,
  done: Pick<Report, 'accountIds'> & { sizeBytes: number; sha256: string; keyFigures: readonly Fact[] },
): Promise<boolean> {
  const { count } = await db.report.updateMany({
    where: { id, status: 'pending' },
    data: {
      status: 'ready',
      sizeBytes: BigInt(done.sizeBytes),
      sha256: done.sha256,
      keyFigures: done.keyFigures.map(({ label, value }) => ({ label, value })),
      accountIds: [...(done.accountIds ?? [])],
      isRestricted: done.accountIds !== null,
    },
  });
  return count > 0;
}

/** Marks a report as failed.
 *  @returns false if the report is gone or no longer pending */
export async function markFailed(db: Db, id: string, failure: Statement): Promise<boolean> {
  const { count } = await db.report.updateMany({
    where: { id, status: 'pending' },
    data: { status: 'failed', failure: jsonOf(failure) },
  });
  return count > 0;
}

/** Deletes expired reports with their files, in all organizations.
 *  @returns the number deleted */
export async function deleteExpired(db: Db, now: Date): Promise<number> {
  return (await db.report.deleteMany({ where: { expiresAt: { lte: now } } })).count;
}

/** Keeps accounts from being deleted until the transaction ends.
 *  @throws {AppError} VALIDATION_ERROR if one is gone */
export async function holdAccounts(db: Db, organizationId: string, accountIds: readonly string[]): Promise<void> {
  const rows = await db.$queryRaw<{ id: string }[]>`/* holdAccounts */ SELECT id FROM accounts
    WHERE organization_id = ${organizationId}::uuid AND id = ANY(${accountIds}::uuid[]) ORDER BY id FOR KEY SHARE`;
  const held = new Set(rows.map(({ id }) => id));
  for (const [index, value] of accountIds.entries()) {
    if (!held.has(value))
      throw unknownAccount(argItem('filters.account_id', { index, count: accountIds.length, value }));
  }
}
