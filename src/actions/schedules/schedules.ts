import { requireChannels } from '../../analysis/budgets/channels.ts';
import type { Deps } from '../../kit/deps.ts';
import { fix, forbidden } from '../../kit/errors/errors.ts';
import { freed } from '../../tenancy/accounts/about.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { planReport } from '../reports/reports.ts';
import type { Filters } from '../reports/filters.ts';
import { changedSchedule, parseSchedule, type ScheduleChange, type ScheduleInput } from './input.ts';
import { namedAccounts, nextRun, periodBefore, type Schedule, type ScheduleValues, type Timing } from './schedule.ts';
import { holdAccounts, type Report } from '../reports/store.ts';
import { runNow } from './run.ts';
import { schedules } from './store.ts';

export { pageSchedules } from './store.ts';

type ScheduleDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'engine'>;

/** Creates a schedule owned by the caller, limited to their accounts.
 *  @throws {AppError} VALIDATION_ERROR naming the field or filter */
export async function createSchedule(
  deps: ScheduleDeps,
  viewer: Viewer,
  actor: Actor,
  input: ScheduleInput,
): Promise<Schedule> {
  const parsed = parseSchedule(input);
  const values = { ...parsed, filters: await checkedFilters(deps, viewer, parsed) };
  const now = deps.clock.now();
  const data = { ...values, nextRunAt: nextRunOf(values, now) };
  return deps.db.$transaction(async (db) => {
    await holdAccounts(db, viewer.scope.organizationId, namedAccounts(values.filters) ?? []);
    await requireChannels(db, viewer.scope, values.channelIds);
    return schedules.add(db, { viewer, actor, now }, data);
  });
}

/** Updates the given fields of a schedule. Setting its filters removes the one that was added when a former owner left.
 *  @throws {AppError} VALIDATION_ERROR when nothing is given, or naming the field or filter; NOT_FOUND; FORBIDDEN for a
 *    Member who does not own it */
export async function updateSchedule(
  deps: ScheduleDeps,
  viewer: Viewer,
  actor: Actor,
  { id, ifUnmodifiedSince, ...change }: ScheduleChange & { readonly id: string },
): Promise<Schedule> {
  const { scope } = viewer;
  // Filters are validated before the schedule is locked; concurrent changes to other fields are preserved.
  const seen = await schedules.find(deps.db, scope, id);
  const planned = changedSchedule(seen, change);
  refuseOthers(viewer, seen);
  const isAsked = change.filters !== undefined || change.type !== undefined;
  const filters = isAsked ? await checkedFilters(deps, viewer, planned) : null;
  return deps.db.$transaction(async (db) => {
    // Before the schedule, as in a deletion of the account: otherwise each could wait for the other.
    if (filters) await holdAccounts(db, scope.organizationId, namedAccounts(filters) ?? []);
    const before = await schedules.lock(db, scope, id);
    const values = { ...changedSchedule(before, change), ...(filters && { filters }) };
    if (change.channelIds !== undefined) await requireChannels(db, scope, values.channelIds);
    const now = deps.clock.now();
    const isRetimed = timed.some((field) => values[field] !== before[field]);
    const data = {
      ...values,
      ...(change.filters !== undefined && freed),
      ...(isRetimed && { nextRunAt: nextRunOf(values, now) }),
    };
    const changed = Object.keys(change).filter((field) => Reflect.get(change, field) !== undefined);
    return schedules.change(db, { viewer, actor, now }, before, { data, changed, ifUnmodifiedSince });
  });
}

/** Deletes a schedule; its reports stay.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN for a Member who does not own it */
export async function deleteSchedule(deps: Pick<Deps, 'db'>, viewer: Viewer, actor: Actor, id: string): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const schedule = await schedules.lock(db, viewer.scope, id);
    refuseOthers(viewer, schedule);
    await schedules.remove(db, viewer.scope, actor, schedule);
  });
}

/** Creates and sends the reports of a schedule now.
 *  @returns the whole report
 *  @throws {AppError} NOT_FOUND; FORBIDDEN for a Member who does not own it; see `runNow` */
export async function sendSchedule(
  deps: Parameters<typeof runNow>[0],
  viewer: Viewer,
  actor: Actor,
  id: string,
): Promise<Report> {
  const schedule = await schedules.find(deps.db, viewer.scope, id);
  refuseOthers(viewer, schedule);
  return runNow(deps, actor, schedule);
}

const timed = ['frequency', 'day', 'hour', 'timeZone', 'enabled'] as const;

function nextRunOf(timing: Timing & { readonly enabled: boolean }, now: Date): Date | null {
  return timing.enabled ? nextRun(timing, now) : null;
}

function refuseOthers({ role, userId }: Viewer, { id, createdById }: Schedule): void {
  if (role !== 'member' || createdById === userId) return;
  throw forbidden`Report schedule "${id}" belongs to another member${fix}ask them or an Admin`;
}

/** Returns the filters that a schedule's reports would have if created now.
 *  @throws {AppError} VALIDATION_ERROR naming the filter */
async function checkedFilters(deps: ScheduleDeps, { scope, userId }: Viewer, values: ScheduleValues): Promise<Filters> {
  const { type, format, filters } = values;
  const { start, end } = periodBefore(values, deps.clock.now());
  const asked = { type, format, filters, startDate: start, endDate: end };
  const planned = await planReport(deps, { userId, scope }, asked);
  return planned.accountIds === null ? planned.filters : { ...planned.filters, account_id: planned.accountIds };
}
