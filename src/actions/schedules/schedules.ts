import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { invalid, fix, forbidden } from '../../kit/errors/errors.ts';
import { newId, requireById } from '../../kit/ids.ts';
import type { AuditAction } from '../../tenancy/audit/actions.ts';
import { auditAbout } from '../../tenancy/accounts/about.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { OrgScope, Viewer } from '../../tenancy/auth/scope.ts';
import { planReport } from '../reports/reports.ts';
import type { Filters } from '../reports/filters.ts';
import { changedSchedule, parseSchedule, scheduleLimits, type ScheduleChange, type ScheduleInput } from './input.ts';
import { namedAccounts, nextRun, periodBefore, type Schedule, type ScheduleValues, type Timing } from './schedule.ts';
import {
  countSchedules,
  deleteScheduleRow,
  findSchedule,
  insertSchedule,
  lockSchedule,
  selectSchedulesById,
  updateScheduleRow,
} from './store.ts';

export { pageSchedules } from './store.ts';

type ScheduleDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'engine'>;

/** Returns the selected fields of a schedule whose accounts are all in the caller's scope.
 *  @throws {AppError} NOT_FOUND for an unknown id and one outside the scope alike */
export function readSchedule(
  { db }: Pick<Deps, 'db'>,
  scope: OrgScope,
  id: string,
  query: Parameters<typeof selectSchedulesById>[3],
) {
  return requireById('Report schedule', id, async () => (await selectSchedulesById(db, scope, [id], query))[0]);
}

/** Creates a schedule owned by the caller, limited to their accounts.
 *  @throws {AppError} VALIDATION_ERROR naming the field or filter */
export async function createSchedule(
  deps: ScheduleDeps,
  viewer: Viewer,
  actor: Actor,
  input: ScheduleInput,
): Promise<Schedule> {
  const { scope, userId } = viewer;
  const parsed = parseSchedule(input);
  const values = { ...parsed, filters: await checkedFilters(deps, viewer, parsed) };
  const now = deps.clock.now();
  const schedule: Schedule = {
    ...values,
    id: newId(now),
    organizationId: scope.organizationId,
    createdById: userId,
    inheritedScope: [],
    isInherited: false,
    nextRunAt: nextRunOf(values, now),
    lastRunAt: null,
    lastStatus: null,
    createdAt: now,
    updatedAt: now,
  };
  await deps.db.$transaction(async (db) => {
    if ((await countSchedules(db, scope)) >= scheduleLimits.schedules)
      throw invalid`An organization can have at most ${scheduleLimits.schedules} report schedules${fix}delete one first`;
    await insertSchedule(db, schedule);
    await record(db, actor, 'report_schedule_created', { states: [schedule] });
  });
  return schedule;
}

/** Updates the given fields of a schedule. Setting its filters removes the one that was added when a former owner left.
 *  @throws {AppError} VALIDATION_ERROR when nothing is given, or naming the field or filter; NOT_FOUND; FORBIDDEN for a
 *    Member, of another's */
export async function updateSchedule(
  deps: ScheduleDeps,
  viewer: Viewer,
  actor: Actor,
  { id, ...change }: ScheduleChange & { readonly id: string },
): Promise<Schedule> {
  const { scope } = viewer;
  // Filters are validated before the schedule is locked; concurrent changes to other fields are preserved.
  const seen = await requireById('Report schedule', id, () => findSchedule(deps.db, scope, id));
  const planned = changedSchedule(seen, change);
  refuseOthers(viewer, seen);
  const isAsked = change.filters !== undefined || change.type !== undefined;
  const filters = isAsked ? await checkedFilters(deps, viewer, planned) : null;
  return deps.db.$transaction(async (db) => {
    const before = await requireById('Report schedule', id, () => lockSchedule(db, scope, id));
    const values = { ...changedSchedule(before, change), ...(filters && { filters }) };
    const now = deps.clock.now();
    const isRetimed = timed.some((field) => values[field] !== before[field]);
    const after: Schedule = {
      ...before,
      ...values,
      ...(change.filters !== undefined && { isInherited: false, inheritedScope: [] }),
      nextRunAt: isRetimed ? nextRunOf(values, now) : before.nextRunAt,
      updatedAt: new Date(Math.max(now.getTime(), before.updatedAt.getTime() + 1)),
    };
    const changed = Object.keys(change).filter((field) => change[field as keyof ScheduleChange] !== undefined);
    await updateScheduleRow(db, after);
    await record(db, actor, 'report_schedule_updated', { states: [before, after], changed });
    return after;
  });
}

/** Deletes a schedule; its reports stay.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN for a Member, of another's */
export async function deleteSchedule(deps: Pick<Deps, 'db'>, viewer: Viewer, actor: Actor, id: string): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const schedule = await requireById('Report schedule', id, () => lockSchedule(db, viewer.scope, id));
    refuseOthers(viewer, schedule);
    await deleteScheduleRow(db, schedule);
    await record(db, actor, 'report_schedule_deleted', { states: [schedule] });
  });
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

/** Audits an action on a schedule for each account that it covers or covered. */
async function record(
  db: Db,
  actor: Actor,
  action: AuditAction,
  { states, changed }: { states: readonly Schedule[]; changed?: readonly string[] },
): Promise<void> {
  const about = states.flatMap((state) =>
    (namedAccounts(state.filters) ?? [null]).map((accountId) => ({ ...state, accountId })),
  );
  const act = { action, resourceType: 'report_schedule', states: about, ...(changed && { changed }) } as const;
  await auditAbout(db, actor, act, ({ name, type, format, frequency, enabled, accountId }) => ({
    name,
    type,
    format,
    frequency,
    enabled,
    account_id: accountId,
  }));
}
