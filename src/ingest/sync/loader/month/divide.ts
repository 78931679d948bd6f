import { literal } from '../../../../engine/sql.ts';
import { measureNames, type MonthPart, tablesOf } from '../batch.ts';
import { amounts } from '../bill/columns.ts';
import type { Duck } from '../duck.ts';
import { part } from '../spread.ts';
import { unused } from './containers.ts';

// Divides the charges of instances among the containers that ran on them, by the costs that the bill states for its parts. Each
// cost of a charge is divided by the same shares, in whole units of its last decimal place: parts add up to the charge exactly
// on every basis, and totals by anything else stay as they are.

/** The sums of a month, with those of instances divided. */
export interface Division {
  /** FROM item: sums by file, charge (`sig`) and day. */
  readonly sums: string;
  /** SELECT of the charges that exist only as parts: `origin`, the sig of the whole, `sig`, `cluster`, `namespace` and
   *  `workload`; null if nothing was divided. */
  readonly charges: string | null;
  /** What of the parts did not count. */
  readonly warnings: readonly string[];
}

/** Meters of instances: their hours are what AWS divides, not their traffic, for example. */
const isInstance = `regexp_matches(SkuMeter, '(BoxUsage|SpotUsage|DedicatedUsage|HostUsage|SchedUsage|UnusedBox|UnusedDed|ReservedHostUsage)')`;

/** Shares are integers of ten decimal places, as in bills. */
const units = (amount: string) => `round((${amount})::DOUBLE * 1e10)::HUGEINT`;

/** Rounding in bills: sums of parts that differ from the cost by no more than this equal it. */
const tolerance = (cost: string) => `greatest(${cost} // 10000, 10000)`;

/** Creates the tables of a division, if the month's files have parts of charges. */
export async function divideSums(duck: Duck, month: MonthPart): Promise<Division> {
  const { sums, parts } = tablesOf(month.batch);
  const own = `period = ${literal(`${month.month}-01`)} AND file_no IN (${month.files})`;
  const whole: Division = { sums, charges: null, warnings: [] };
  if ((await duck.value(`SELECT 1 FROM ${parts} WHERE ${own} LIMIT 1`)) === null) return whole;
  await findParents(duck, month, own);
  const warnings = await warningsOf(duck, month, own);
  await shareOut(duck, own, parts);
  const columns = amounts.map((name) => `${part(name)} AS ${name}`).join(', ');
  await duck.run(`CREATE OR REPLACE TABLE divided AS
    SELECT file_no, s.sig AS origin, hash(s.sig, cluster, namespace, workload) AS sig, s.day, cluster, namespace, workload, ${columns},
      CASE WHEN before = 0 THEN x_LineItems ELSE 0 END AS x_LineItems, x_StartHours
    FROM ${sums} s JOIN parent_charge USING (sig) JOIN share USING (parent, day) WHERE file_no IN (${month.files})`);
  const measures = measureNames.join(', ');
  return {
    sums: `(SELECT file_no, sig, day, ${measures} FROM ${sums} s ANTI JOIN divided d ON s.sig = d.origin AND s.day = d.day
      UNION ALL SELECT file_no, sig, day, ${measures} FROM divided)`,
    charges: 'SELECT DISTINCT origin, sig, cluster, namespace, workload FROM divided',
    warnings,
  };
}

/** Creates `parent_charge` (the charges of instances that have parts) and `parent_day` (their cost by day). Discounts and credits
 *  of an instance are divided, too, but parts add up to the cost of its usage. */
async function findParents(duck: Duck, { batch, month, files }: MonthPart, own: string): Promise<void> {
  const { charges, sums, parts } = tablesOf(batch);
  await duck.run(`
    CREATE OR REPLACE TABLE parent_charge AS SELECT DISTINCT sig, ResourceId AS parent, ChargeCategory = 'Usage' AS is_usage FROM ${charges}
      WHERE period = ${literal(`${month}-01`)} AND ${isInstance} AND ResourceId IN (SELECT parent FROM ${parts} WHERE ${own});
    CREATE OR REPLACE TABLE parent_day AS
      SELECT parent, day, ${units('coalesce(sum(EffectiveCost) FILTER (is_usage), 0)')} AS cost
      FROM ${sums} JOIN parent_charge USING (sig) WHERE file_no IN (${files}) GROUP BY parent, day`);
}

/** Creates `share`: the part of each container in a parent's cost of a day, as the integers from `before` to `after` of `whole`.
 *  What nothing used is a part of its own; what the parts do not explain stays with the cluster. */
async function shareOut(duck: Duck, own: string, parts: string): Promise<void> {
  await duck.run(`
    CREATE OR REPLACE TABLE part_day AS
      SELECT parent, day, cluster, namespace, workload, ${units('sum(used)')} AS weight, ${units('sum(unused)')} AS idle
      FROM ${parts} WHERE ${own} GROUP BY ALL;
    CREATE OR REPLACE TABLE share AS WITH weighted AS (
      SELECT parent, day, cluster, namespace, workload, weight FROM part_day
      UNION ALL SELECT parent, day, cluster, ${literal(unused)}, ${literal(unused)}, sum(idle) FROM part_day GROUP BY ALL
    ), explained AS (
      SELECT parent, day, sum(weight)::HUGEINT AS of FROM weighted WHERE weight > 0 GROUP BY ALL
    ), complete AS (
      FROM weighted WHERE weight > 0
      UNION ALL SELECT parent, day, CASE WHEN count(DISTINCT cluster) = 1 THEN any_value(cluster) END, NULL, NULL, any_value(cost - of)
      FROM part_day JOIN parent_day USING (parent, day) JOIN explained USING (parent, day)
      WHERE cost - of > ${tolerance('cost')} GROUP BY parent, day
    )
    SELECT * EXCLUDE (weight), (sum(weight) OVER upto)::HUGEINT AS after, after - weight AS before,
      (sum(weight) OVER (PARTITION BY parent, day))::HUGEINT AS whole
    FROM (SELECT parent, day, cluster, namespace, workload, sum(weight)::HUGEINT AS weight FROM complete GROUP BY ALL)
    WINDOW upto AS (PARTITION BY parent, day ORDER BY namespace NULLS LAST, workload NULLS LAST, cluster NULLS LAST ROWS UNBOUNDED PRECEDING)`);
}

const named = 3;

/** Returns what of the parts does not count, with count and sum. */
async function warningsOf(duck: Duck, { batch, month }: MonthPart, own: string): Promise<string[]> {
  const { parts } = tablesOf(batch);
  const byDay = `SELECT parent, day, any_value(currency) AS currency, sum(used + unused) AS amount FROM ${parts} WHERE ${own} GROUP BY parent, day`;
  const list = `array_to_string(list_sort(list(DISTINCT parent))[:${named}], ', ')`;
  const [orphans] =
    await duck.rows(`SELECT count(DISTINCT parent) AS count, ${list} AS names, round(sum(amount), 2) AS amount,
      any_value(currency) AS currency FROM (${byDay}) ANTI JOIN parent_day USING (parent, day) WHERE amount <> 0`);
  const excess = `${units('amount')} - cost`;
  const [above] =
    await duck.rows(`SELECT count(*) AS count, ${list} AS names, round(sum(${excess})::DOUBLE / 1e10, 2)::DECIMAL(18,2) AS amount,
      any_value(currency) AS currency FROM (${byDay}) JOIN parent_day USING (parent, day) WHERE ${excess} > ${tolerance('cost')}`);
  const text = (
    row: Record<string, string | null> | undefined,
    say: (count: number, names: string, sum: string) => string,
  ) => {
    const count = Number(row?.['count'] ?? 0);
    const names = `${row?.['names'] ?? ''}${count > named ? ', …' : ''}`;
    return count === 0
      ? []
      : [`${month}: ${say(count, names, `${row?.['amount'] ?? '0'} ${row?.['currency'] ?? ''}`)}`];
  };
  return [
    ...text(
      orphans,
      (count, names, sum) =>
        `Split cost allocation has ${sum} of ${count === 1 ? 'an instance' : `${count} instances`} without a charge on the same day (${names}): not counted`,
    ),
    ...text(
      above,
      (count, names, sum) =>
        `Split cost allocation exceeds the cost of instances on ${count === 1 ? 'a day' : `${count} instance days`} by ${sum} (${names}): scaled down to it`,
    ),
  ];
}
