import { Prisma, type UnitMetric } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, arg, conflict, fix, invalid, message } from '../../kit/errors/errors.ts';
import { endBeforeStart } from '../../kit/errors/refusals.ts';
import { parseChange, parseRecord } from '../../kit/record-fields.ts';
import type { Day } from '../../kit/time/period.ts';
import { writeAudit, type Actor, type AuditRecord } from '../../tenancy/audit/store.ts';
import { type OrgScope, requireAllAccounts, type Viewer } from '../../tenancy/auth/scope.ts';
import { listNamesByMetric } from '../allocation/store.ts';
import { metricFields, type MetricChange, type MetricInput } from './metric.ts';
import { findMetricByKey, metrics } from './store.ts';
import { parseValues, type ValueInput } from './values.ts';
import { bumpValuesVersion, countValues, deleteValues, upsertValues } from './values-store.ts';

type MetricDeps = Pick<Deps, 'db' | 'clock' | 'queue'>;

/** Maximum number of values of a metric: fifty label sets per day for ten years. */
const valuesPerMetric = 200_000;

/** Outcome of setting values. */
export interface ValuesSet {
  /** Number of given values. */
  readonly received: number;
  /** Number of new or different values. */
  readonly changed: number;
}

/** Creates a metric.
 *  @throws {AppError} VALIDATION_ERROR naming the field; FORBIDDEN without access to all accounts; CONFLICT if another metric has
 *    the key */
export async function createMetric(
  deps: MetricDeps,
  viewer: Viewer,
  actor: Actor,
  input: MetricInput,
): Promise<UnitMetric> {
  const data = parseRecord(metricFields, input);
  requireAll(viewer.scope);
  return withOwnKey(deps.db, viewer.scope, data.key, () =>
    deps.db.$transaction((db) => metrics.add(db, { viewer, actor, now: deps.clock.now() }, data)),
  );
}

/** Updates the given fields of a metric.
 *  @throws {AppError} as `createMetric`; NOT_FOUND; VALIDATION_ERROR when nothing is given */
export async function updateMetric(
  deps: MetricDeps,
  viewer: Viewer,
  actor: Actor,
  { id, ifUnmodifiedSince, ...change }: MetricChange & { readonly id: string },
): Promise<UnitMetric> {
  const data = parseChange(metricFields, change);
  requireAll(viewer.scope);
  return withOwnKey(deps.db, viewer.scope, data.key ?? null, () =>
    deps.db.$transaction(async (db) => {
      const before = await metrics.lock(db, viewer.scope, id);
      const by = { viewer, actor, now: deps.clock.now() };
      return metrics.change(db, by, before, { data, changed: Object.keys(data), ifUnmodifiedSince });
    }),
  );
}

/** Deletes a metric with its values.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN without access to all accounts; CONFLICT while alert rules or splits of virtual tags
 *  use it */
export async function deleteMetric(deps: Pick<Deps, 'db'>, viewer: Viewer, actor: Actor, id: string): Promise<void> {
  requireAll(viewer.scope);
  try {
    await deps.db.$transaction(async (db) => {
      const metric = await metrics.lock(db, viewer.scope, id);
      const tags = await listNamesByMetric(db, viewer.scope, id);
      if (tags.length > 0)
        throw conflict`The unit metric is used by splits of virtual tags: ${tags.join(', ')}${fix}give these splits another method or metric first`;
      await metrics.remove(db, viewer.scope, actor, metric);
    });
  } catch (error) {
    if (!isDatabaseError(error, 'P2003')) throw error;
    throw conflict`The unit metric is used by alert rules${fix}delete these rules first, or give them another metric`;
  }
}

function requireAll(scope: OrgScope): void {
  requireAllAccounts(scope, 'Unit metrics apply to all accounts');
}

/** Returns whether an error is a database error with a code.
 *  @param code of Prisma: P2002 for a value that must be unique, P2003 for a row that others refer to */
function isDatabaseError(error: unknown, code: 'P2002' | 'P2003'): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === code;
}

/** Runs a write of a metric with a key.
 *  @throws {AppError} CONFLICT if another metric has it */
async function withOwnKey<Result>(
  db: Db,
  scope: OrgScope,
  key: string | null,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isDatabaseError(error, 'P2002') || key === null) throw error;
    const other = await findMetricByKey(db, scope, key);
    throw new AppError(
      'CONFLICT',
      message`${arg('key', key)} is the key of the metric "${other?.name ?? key}"; keys are case-insensitive${fix}choose another key, or change that metric`,
      { cause: error, ...(other && { resourceId: other.id }) },
    );
  }
}

/** Replaces the quantities of the given days and sets of labels, all or none of them; all others stay. Sending the same values
 *  again changes nothing.
 *  @throws {AppError} VALIDATION_ERROR naming the value; NOT_FOUND; FORBIDDEN without access to all accounts */
export async function setMetricValues(
  deps: MetricDeps,
  { scope }: Viewer,
  actor: Actor,
  { id, values }: { readonly id: string; readonly values: readonly ValueInput[] },
): Promise<ValuesSet> {
  const parsed = parseValues(values);
  requireAll(scope);
  const changed = await deps.db.$transaction(async (db) => {
    const { key } = await metrics.lockRow(db, scope, id);
    const count = await upsertValues(db, scope, id, parsed);
    if (count === 0) return 0;
    if ((await countValues(db, scope, id)) > valuesPerMetric)
      throw invalid`${arg('values')} would exceed the ${valuesPerMetric} values that a metric can have${fix}delete old ones first`;
    const days = parsed.map(({ date }) => date).toSorted();
    const details = { key, changed: count, start_date: days[0] ?? null, end_date: days.at(-1) ?? null };
    await noteChange(deps, db, { scope, id, actor }, { action: 'unit_metric_values_set', details });
    return count;
  });
  return { received: parsed.length, changed };
}

/** Deletes the quantities of a range of days, both inclusive.
 *  @throws {AppError} VALIDATION_ERROR if the days are in the wrong order; NOT_FOUND; FORBIDDEN without access to all accounts */
export async function deleteMetricValues(
  deps: MetricDeps,
  { scope }: Viewer,
  actor: Actor,
  { id, startDate, endDate }: { readonly id: string; readonly startDate: Day; readonly endDate: Day },
): Promise<void> {
  if (endDate < startDate) throw endBeforeStart(endDate, startDate);
  requireAll(scope);
  await deps.db.$transaction(async (db) => {
    const { key } = await metrics.lockRow(db, scope, id);
    const count = await deleteValues(db, scope, id, { startDate, endDate });
    if (count === 0) return;
    const details = { key, deleted: count, start_date: startDate, end_date: endDate };
    await noteChange(deps, db, { scope, id, actor }, { action: 'unit_metric_values_deleted', details });
  });
}

/** Expires cached answers, queues a check of the alert rules, and audits a change of a metric's values. */
async function noteChange(
  deps: MetricDeps,
  db: Db,
  { scope, id, actor }: { readonly scope: OrgScope; readonly id: string; readonly actor: Actor },
  entry: Pick<AuditRecord, 'action' | 'details'>,
): Promise<void> {
  await bumpValuesVersion(db, scope, id);
  await deps.queue.add('check_alert_rules', { organizationId: scope.organizationId }, { within: db });
  await writeAudit(db, actor, { ...entry, resourceType: 'unit_metric', resourceId: id });
}
