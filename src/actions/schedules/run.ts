import { completeThroughs } from '../../facts/costs/compose.ts';
import { readLedger } from '../../facts/costs/ledger.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, conflict } from '../../kit/errors/errors.ts';
import { lastCompleteDay } from '../../kit/time/compared-days.ts';
import { addDays } from '../../kit/time/period.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import { ownerScope } from '../../tenancy/auth/owner-scope.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { announce } from '../notifications/announce.ts';
import type { Filters } from '../reports/filters.ts';
import { addReport, planReport } from '../reports/reports.ts';
import { accountsInScope, type Report } from '../reports/store.ts';
import { failureOf } from './notify.ts';
import { namedAccounts, latestRun, nextRun, periodBefore, type Period, type Schedule } from './schedule.ts';
import { claimRun, listDue, markStart } from './store.ts';

type RunDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'queue' | 'log' | 'engine'>;

/** Schedules read per batch. */
const batch = 100;

/** Runs every due schedule exactly once, even with concurrent workers: each creates its reports of the last period in its
 *  owner's current scope. Several missed runs are replaced by one run for the latest period.
 *  @throws {Error} when schedules were left for a later run */
export async function runDueSchedules(deps: RunDeps, now: Date): Promise<void> {
  const failed: unknown[] = [];
  const tried = new Set<string>();
  for (;;) {
    // Schedules that failed stay due, ahead of the others.
    const due = (await listDue(deps.db, now, batch + failed.length)).filter(({ id }) => !tried.has(id));
    if (due.length === 0) break;
    for (const schedule of due) {
      tried.add(schedule.id);
      await runSchedule(deps, schedule, now).catch((error: unknown) => failed.push(error));
    }
  }
  if (failed.length > 0) throw new AggregateError(failed, `Report schedules that could not be run: ${failed.length}`);
}

async function runSchedule(deps: RunDeps, schedule: Schedule, now: Date): Promise<void> {
  const { nextRunAt } = schedule;
  if (nextRunAt === null) return;
  const due = latestRun(schedule, nextRunAt, now);
  const plan = await planRun(deps, schedule, due);
  const lastStatus = 'failure' in plan ? 'failed' : 'pending';
  const mark = { nextRunAt: nextRun(schedule, now), lastRunAt: now, lastStatus } as const;
  await deps.db.$transaction(async (db) => {
    if (!(await claimRun(db, schedule, mark))) return;
    if ('failure' in plan) await notifyOfFailure(db, deps, schedule, { due, reason: plan.failure });
    else await addReports(deps, db, itself(schedule, deps), plan);
  }, manyReports);
}

/** Creates the reports of the last complete period now and sends them like those of a run, even while the schedule is disabled.
 *  The next run does not change.
 *  @returns the whole report
 *  @throws {AppError} CONFLICT if the owner has lost access to its accounts; VALIDATION_ERROR if a filter is no longer valid */
export async function runNow(deps: RunDeps, actor: Actor, schedule: Schedule): Promise<Report> {
  const now = deps.clock.now();
  const reports = await planReports(deps, schedule, now);
  if (!reports)
    throw conflict`The owner of report schedule "${schedule.id}" no longer has access to any of its accounts`;
  return deps.db.$transaction(async (db) => {
    await markStart(db, schedule, now);
    return addReports(deps, db, actor, { reports });
  }, manyReports);
}

/** Inserts the planned reports of a run.
 *  @returns the whole report */
async function addReports(deps: RunDeps, db: Db, actor: Actor, { reports }: PlannedReports): Promise<Report> {
  const [whole, ...ofValues] = reports;
  const added = await addReport(deps, db, actor, { planned: whole.report });
  for (const { report: planned, forValue } of ofValues) await addReport(deps, db, actor, { planned, forValue });
  return added;
}

/** Time limit of a transaction that creates up to 201 reports with an audit entry for each of their accounts, in ms. */
const manyReports = { timeout: 120_000, maxWait: 60_000 } as const;

/** A report of a run; `forValue`: for the recipients of this value. */
interface PlannedReport {
  readonly report: Awaited<ReturnType<typeof planReport>>;
  readonly forValue?: string;
}

interface PlannedReports {
  /** The whole report, then those of the values. */
  readonly reports: readonly [PlannedReport, ...PlannedReport[]];
}

/** Plans the reports of a run, or returns why there is none. */
async function planRun(deps: RunDeps, schedule: Schedule, due: Date): Promise<PlannedReports | { failure: string }> {
  try {
    const reports = await planReports(deps, schedule, due);
    return reports ? { reports } : { failure: 'Its owner no longer has access to any of its accounts.' };
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return { failure: error.message };
    throw error;
  }
}

/** Plans the reports of a run: one, and for a showback one for each value with recipients; null if the owner has no access to any
 *  of its accounts.
 *  @throws {AppError} VALIDATION_ERROR if a filter is no longer valid */
async function planReports(deps: RunDeps, schedule: Schedule, due: Date): Promise<PlannedReports['reports'] | null> {
  const { organizationId, createdById: userId, type, format, id: scheduleId } = schedule;
  const scope = await ownerScope(deps.db, organizationId, schedule);
  const filters = scope && (await filtersNow(deps.db, scope, schedule));
  if (!scope || !filters) return null;
  const { start, end } = await periodOf(deps, scope, { ...schedule, filters }, due);
  const asked = { type, format, filters, startDate: start, endDate: end, scheduleId };
  // As of the due time: the period ended before it.
  const report = await planReport({ ...deps, clock: { now: () => due } }, { userId, scope }, asked);
  const byValue = schedule.valueRecipients.map(({ value }) => ({
    report: { ...report, filters: { ...report.filters, tag_value: [value] } },
    forValue: value,
  }));
  return [{ report }, ...byValue];
}

/** Returns the period of a report due at an instant. The bills of the previous day are not complete yet, so a daily report covers the
 *  last complete day of its accounts instead; without bills, the previous day. */
async function periodOf(
  { pool }: Pick<Deps, 'pool'>,
  scope: OrgScope,
  schedule: Pick<Schedule, 'frequency' | 'timeZone' | 'filters'>,
  due: Date,
): Promise<Period> {
  const period = periodBefore(schedule, due);
  if (schedule.frequency !== 'daily') return period;
  const named = namedAccounts(schedule.filters);
  const ledger = await readLedger(pool, scope);
  const accounts = ledger.accounts.filter(({ id }) => named === null || named.includes(id));
  const { start, end } = period;
  const day = lastCompleteDay(completeThroughs(accounts, { start, end: addDays(end, 1) }), end) ?? end;
  return { start: day, end: day };
}

/** Limits the filters to accounts that the owner can access; null if none is left. */
async function filtersNow(db: Db, scope: OrgScope, { filters }: Schedule): Promise<Filters | null> {
  const named = namedAccounts(filters);
  const seen = await accountsInScope(db, scope, named);
  if (named === null) return scope.accountIds !== null && seen.length === 0 ? null : filters;
  return seen.length === 0 ? null : { ...filters, account_id: seen };
}

/** Notifies only the owner of the reason for a missing report. */
async function notifyOfFailure(
  db: Db,
  deps: RunDeps,
  schedule: Schedule,
  { due, reason }: { due: Date; reason: string },
): Promise<void> {
  deps.log.warn({ scheduleId: schedule.id, reason }, 'A scheduled report could not be created');
  const announcement = failureOf(schedule, `report_schedule:${schedule.id}:${due.toISOString()}`, reason);
  // Mentions the schedule, which the owner knows, and no accounts.
  const recipients = {
    owner: schedule.createdById,
    addresses: [],
    slackOf: null,
    channelIds: [],
    about: { accountIds: [] },
  };
  await announce(db, deps, schedule.organizationId, { announcement, recipients });
}

/** Returns the actor of scheduled actions. */
function itself({ organizationId }: Schedule, { clock }: Pick<Deps, 'clock'>): Actor {
  return { organizationId, userId: null, email: null, ipAddress: '', userAgent: '', clock };
}
