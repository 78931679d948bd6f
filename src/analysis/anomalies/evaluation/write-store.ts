import type { Pool } from 'pg';
import { Prisma } from '../../../../prisma/generated/client/client.ts';
import type { AnomalyStatus } from '../../../../prisma/generated/client/enums.ts';
import { accountLockKey } from '../../../kit/database/account-lock.ts';
import type { Db } from '../../../kit/db.ts';
import { newId } from '../../../kit/ids.ts';
import { microsToNumber } from '../../../kit/money.ts';
import type { Day } from '../../../kit/time/period.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { regionOf, type AnomalyFacts } from '../explanation/facts.ts';
import type { Finding, KeptAnomaly } from './finding.ts';

/** The fields of a stored anomaly that an evaluation needs. */
export interface KeptRow extends KeptAnomaly {
  readonly status: AnomalyStatus;
  /** Whether the service itself set the status. */
  readonly isByService: boolean;
  /** Cost from the first to the last day when it was written, as decimal text. */
  readonly rangeCost: string;
  /** Digest of its figures: changes with any of them. */
  readonly digest: string;
}

/** Columns derived from the bill. */
interface Figures {
  readonly region: string;
  readonly kind: string;
  readonly start_date: Day;
  readonly end_date: Day;
  readonly severity: string;
  readonly expected_cost: string;
  readonly actual_cost: string;
  readonly series: Finding['chart'];
  readonly facts: AnomalyFacts;
}

const kept = `SELECT id, provider, service, currency, start_date::text AS "startDate", end_date::text AS "endDate", status::text AS status,
  status_changed_by_id IS NULL AS "isByService",
  (SELECT coalesce(sum((d ->> 'cost')::numeric), 0) FROM jsonb_array_elements(series) d
    WHERE (d ->> 'date')::date BETWEEN start_date AND end_date)::text AS "rangeCost",
  concat_ws(' ', kind, start_date, end_date, severity, trim_scale(expected_cost), trim_scale(actual_cost)) AS digest
  FROM anomalies WHERE organization_id = $1::uuid AND account_id = $2::uuid AND start_date >= $3::date
  ORDER BY start_date, id`;

/** Reads an account's anomalies that start on or after a day. */
export async function readKept(pool: Pool, scope: OrgScope, accountId: string, since: Day): Promise<KeptRow[]> {
  const { rows } = await pool.query<KeptRow>(`/* readKept */ ${kept}`, [scope.organizationId, accountId, since]);
  return rows;
}

/** Same as `readKept`, but within the transaction that changes the anomalies.
 *  @param db an open transaction that holds the account's lock */
export function readKeptWithin(db: Db, scope: OrgScope, accountId: string, since: Day): Promise<KeptRow[]> {
  return db.$queryRawUnsafe<KeptRow[]>(`/* readKept */ ${kept}`, scope.organizationId, accountId, since);
}

/** Returns the digest of a finding's figures, for `KeptRow.digest`. */
export function digestOf(finding: Finding): string {
  const { kind, startDate, endDate, severity } = finding;
  const amounts = [finding.expected, finding.actual].map((micros) => trimmed(decimalOf(micros)));
  return [kind, startDate, endDate, severity, ...amounts].join(' ');
}

/** Locks the account against loads, purges and evaluations until the transaction ends.
 *  @returns the account's version; null if it is gone */
export async function holdAccount(db: Db, scope: OrgScope, accountId: string): Promise<number | null> {
  await db.$executeRaw`/* holdAccount */ SELECT pg_advisory_xact_lock(hashtextextended(${accountLockKey(accountId)}, 0))`;
  const where = { id: accountId, organizationId: scope.organizationId };
  return (await db.account.findFirst({ where, select: { version: true } }))?.version ?? null;
}

/** Inputs for writing a finding. */
export interface Writing {
  readonly accountId: string;
  readonly now: Date;
  readonly finding: Finding;
  readonly facts: AnomalyFacts;
}

/** Inserts an anomaly.
 *  @returns its id */
export async function createAnomaly(db: Db, scope: OrgScope, writing: Writing): Promise<string> {
  const { accountId, now, finding } = writing;
  const id = newId(now);
  const { provider, service, currency } = finding;
  const figures = figuresOf(writing);
  await db.$executeRaw`/* createAnomaly */ INSERT INTO anomalies (id, organization_id, account_id, provider, service, currency,
      region, kind, start_date, end_date, severity, expected_cost, actual_cost, series, facts, detected_at, updated_at)
    SELECT ${id}::uuid, ${scope.organizationId}::uuid, ${accountId}::uuid, ${provider}, ${service}, ${currency},
      region, kind, start_date, end_date, severity, expected_cost, actual_cost, series, facts, ${now}, ${now}
    FROM jsonb_populate_record(null::anomalies, ${JSON.stringify(figures)}::jsonb)`;
  return id;
}

/** Updates an anomaly's figures and drops prose about other facts. A status set by a user stays.
 *  @param known the anomaly, and whether it reopens if it is still resolved by the service itself
 *  @returns whether the facts changed */
export async function reviseAnomaly(
  db: Db,
  scope: OrgScope,
  { id, isBack }: { readonly id: string; readonly isBack: boolean },
  writing: Writing,
): Promise<boolean> {
  const figures = figuresOf(writing);
  const reopened = Prisma.sql`(${isBack} AND a.status = 'resolved' AND a.status_changed_by_id IS NULL)`;
  const rows = await db.$queryRaw<{ changed: boolean }[]>`/* reviseAnomaly */ UPDATE anomalies a SET
      region = f.region, kind = f.kind, start_date = f.start_date, end_date = f.end_date, severity = f.severity,
      expected_cost = f.expected_cost, actual_cost = f.actual_cost, series = f.series, facts = f.facts,
      prose = CASE WHEN a.facts = f.facts THEN a.prose END,
      status = CASE WHEN ${reopened} THEN 'open' ELSE a.status END,
      status_changed_at = CASE WHEN ${reopened} THEN ${writing.now} ELSE a.status_changed_at END,
      status_reason = CASE WHEN ${reopened} THEN null ELSE a.status_reason END,
      updated_at = ${writing.now}
    FROM jsonb_populate_record(null::anomalies, ${JSON.stringify(figures)}::jsonb) f, anomalies before
    WHERE a.organization_id = ${scope.organizationId}::uuid AND a.id = ${id}::uuid AND before.id = a.id
      AND (${reopened} OR a.facts <> f.facts OR a.series <> f.series OR a.severity <> f.severity)
    RETURNING before.facts <> f.facts AS changed`;
  return rows[0]?.changed ?? false;
}

/** Resolves an anomaly that no longer holds, unless it is already resolved or a user reopened it. If its costs have changed, the
 *  reason of one that the service has already resolved is replaced, too.
 *  @returns whether it was changed */
export async function endAnomaly(
  db: Db,
  scope: OrgScope,
  { id, reason, isRestated, now }: { id: string; reason: string; isRestated: boolean; now: Date },
): Promise<boolean> {
  const { count } = await db.anomaly.updateMany({
    where: {
      id,
      organizationId: scope.organizationId,
      OR: [
        { status: 'acknowledged' },
        { status: 'open', statusChangedById: null },
        ...(isRestated
          ? [{ status: 'resolved' as const, statusChangedById: null, NOT: { statusReason: reason } }]
          : []),
      ],
    },
    data: { status: 'resolved', statusReason: reason, statusChangedAt: now, statusChangedById: null, updatedAt: now },
  });
  return count > 0;
}

/** Same as `endAnomaly`, for all anomalies of an account without a complete day.
 *  @returns how many were changed */
export function endWithoutBills(
  db: Db,
  scope: OrgScope,
  { accountId, reason, now }: { accountId: string; reason: string; now: Date },
): Promise<number> {
  return db.$executeRaw`/* endWithoutBills */ UPDATE anomalies n SET status = 'resolved', status_reason = ${reason},
      status_changed_at = ${now}, status_changed_by_id = null, updated_at = ${now}
    FROM accounts a WHERE a.organization_id = ${scope.organizationId}::uuid AND a.id = ${accountId}::uuid
      AND (a.data_from <= a.complete_through) IS NOT TRUE AND n.organization_id = a.organization_id AND n.account_id = a.id
      AND (n.status = 'acknowledged' OR n.status_changed_by_id IS NULL AND n.status_reason IS DISTINCT FROM ${reason})`;
}

/** Resolves anomalies that are over. One that a user reopened stays open, and one that a user acknowledged when it was over
 *  stays acknowledged.
 *  @param over.end the last complete day
 *  @param over.overDays an anomaly is over once more complete days than these have followed its last one */
export async function closeOver(
  db: Db,
  scope: OrgScope,
  { accountId, end, overDays, now }: { accountId: string; end: Day; overDays: number; now: Date },
): Promise<void> {
  await db.$executeRaw`/* closeOver */ UPDATE anomalies SET status = 'resolved',
      status_reason = 'Costs have been back in the expected range since ' || to_char(end_date + 1, 'YYYY-MM-DD') || '.',
      status_changed_at = ${now}, status_changed_by_id = null, updated_at = ${now}
    WHERE organization_id = ${scope.organizationId}::uuid AND account_id = ${accountId}::uuid
      AND end_date + ${overDays}::int < ${end}::date
      AND (status = 'open' AND status_changed_by_id IS NULL
        OR status = 'acknowledged' AND (status_changed_by_id IS NULL
          OR status_changed_at < (end_date + ${overDays + 1}::int)::timestamp AT TIME ZONE 'UTC'))`;
}

function figuresOf({ finding, facts }: Writing): Figures {
  return {
    region: regionOf(facts) ?? '',
    kind: finding.kind,
    start_date: finding.startDate,
    end_date: finding.endDate,
    severity: finding.severity,
    expected_cost: decimalOf(finding.expected),
    actual_cost: decimalOf(finding.actual),
    series: finding.chart,
    facts,
  };
}

function decimalOf(micros: bigint): string {
  return microsToNumber(micros).toFixed(6);
}

function trimmed(decimal: string): string {
  return decimal.replace(/\.?0+$/, '');
}
