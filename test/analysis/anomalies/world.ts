import { evaluateAnomalies, type AnomalyDeps } from '../../../src/analysis/anomalies/evaluation/run.ts';
import type { AnomaliesEvaluated } from '../../../src/analysis/anomalies/evaluation/save.ts';
import { explainedOf, seriesOf } from '../../../src/analysis/anomalies/store.ts';
import { addDays, dayOf, daysIn, type Day } from '../../../src/kit/time/period.ts';
import { testNow, type Bills } from '../../ingest/world.ts';
import { recordingQueue } from '../../support/jobs.ts';
import { aLine, focusColumns, type FocusRow } from '../../support/focus.ts';

/** The first day of the bills. */
const firstDay: Day = '2026-05-01';
/** The last complete day, by the clock of `bills`. */
export const lastDay: Day = '2026-08-08';

/** A machine's usage charge for each day of the bills. */
export function usage(costOf: (day: Day) => number, row: FocusRow = {}): FocusRow[] {
  return daysIn({ start: firstDay, end: addDays(lastDay, 1) }).flatMap((day) => {
    const cost = costOf(day);
    if (cost === 0) return [];
    const machine = {
      ServiceName: 'Amazon EC2',
      RegionId: 'eu-west-1',
      ResourceId: 'i-1',
      ResourceName: 'web',
      SkuMeter: 'BoxUsage',
    };
    return [aLine({ day, cost: cost.toFixed(2), ...machine, ...row })];
  });
}

/** A constant daily cost, except on the given days. */
export function steady(cost: number, others: Readonly<Record<Day, number>> = {}): (day: Day) => number {
  return (day) => others[day] ?? cost;
}

/** Replaces the bills, one file per month, and syncs. */
export async function load(bills: Bills, rows: readonly FocusRow[]): Promise<void> {
  const months = Map.groupBy(rows, (row) => String(row['BillingPeriodStart']).slice(0, 7));
  for (const [month, lines] of months) await bills.put(`${month}.csv`, lines, { columns: focusColumns['1.2'] });
  await bills.sync();
}

/** A queued job. */
export interface Job {
  readonly task: string;
  readonly payload: Record<string, unknown>;
}

/** Evaluates the account's anomalies as a job does.
 *  @param options overrides of time and configuration
 *  @returns what changed, and the queued jobs */
export async function evaluate(
  bills: Bills,
  options: { readonly now?: Date; readonly config?: Partial<AnomalyDeps['config']> } = {},
): Promise<AnomaliesEvaluated & { jobs: Job[] }> {
  const jobs: Job[] = [];
  const { deps } = bills;
  const done = await evaluateAnomalies(
    {
      ...deps,
      queue: recordingQueue(jobs),
      clock: { now: () => options.now ?? testNow },
      config: { ...deps.config, ...options.config },
    },
    bills.scope,
    bills.accountId,
  );
  return { ...done, jobs };
}

/** The account's anomalies with their explanation data, earliest first. */
export async function anomaliesOf({ deps, accountId }: Bills) {
  const rows = await deps.db.anomaly.findMany({ where: { accountId }, orderBy: { startDate: 'asc' } });
  return rows.map(({ expectedCost, actualCost, ...row }) => ({
    ...row,
    ...explainedOf(row),
    series: seriesOf(row.series),
    startDate: dayOf(row.startDate),
    endDate: dayOf(row.endDate),
    expected: expectedCost.toFixed(6),
    actual: actualCost.toFixed(6),
  }));
}
