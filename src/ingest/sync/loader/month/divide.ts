import type { CostRepair } from '../../../../engine/codebook.ts';
import { literal } from '../../../../engine/sql.ts';
import { measureNames, type MonthPart, tablesOf } from '../batch.ts';
import { amounts } from '../bill/columns.ts';
import type { Duck } from '../duck.ts';
import { partOf } from '../spread.ts';
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
  /** Parts that were scaled or do not count. */
  readonly repairs: readonly CostRepair[];
}

/** Meters of instances: their hours are what AWS divides, not their traffic, for example. */
const isInstance = `regexp_matches(SkuMeter, '(BoxUsage|SpotUsage|DedicatedUsage|HostUsage|SchedUsage|UnusedBox|UnusedDed|ReservedHostUsage)')`;

/** Shares are integers in units of 1e-10, the precision of amounts in bills. */
const units = (amount: string) => `round((${amount})::DOUBLE * 1e10)::HUGEINT`;

/** Tolerance for rounding in bills: a sum of parts that differs from the cost by at most this counts as equal to it. */
const tolerance = (cost: string) => `greatest(${cost} // 10000, 10000)`;

/** Creates the tables of a division, if the month's files have parts of charges. */
export async function divideSums(duck: Duck, month: MonthPart): Promise<Division> {
  const { sums, parts } = tablesOf(month.batch);
  const own = `period = ${literal(`${month.month}-01`)} AND file_no IN (${month.files})`;
  const whole: Division = { sums, charges: null, repairs: [] };
  if ((await duck.value(`SELECT 1 FROM ${parts} WHERE ${own} LIMIT 1`)) === null) return whole;
  await findParents(duck, month, own);
  const repairs = await findRepairs(duck, parts, own);
  await shareOut(duck, own, parts);
  const columns = amounts.map((name) => `${partOf(name)} AS ${name}`).join(', ');
  await duck.run(`CREATE OR REPLACE TABLE divided AS
    SELECT file_no, s.sig AS origin, hash(s.sig, cluster, namespace, workload) AS sig, s.day, cluster, namespace, workload, ${columns},
      CASE WHEN before = 0 THEN x_LineItems ELSE 0 END AS x_LineItems, x_StartHours
    FROM ${sums} s JOIN parent_charge USING (sig) JOIN share USING (parent, day) WHERE file_no IN (${month.files})`);
  const measures = measureNames.join(', ');
  return {
    sums: `(SELECT file_no, sig, day, ${measures} FROM ${sums} s ANTI JOIN divided d ON s.sig = d.origin AND s.day = d.day
      UNION ALL SELECT file_no, sig, day, ${measures} FROM divided)`,
    charges: 'SELECT DISTINCT origin, sig, cluster, namespace, workload FROM divided',
    repairs,
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
 *  Unused cost is a separate part; cost that the parts do not explain stays with the cluster. */
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

/** One more than a warning names, to show whether there are more. */
const named = 4;

/** Returns the parts that do not count and those that exceed the cost of their instance, by currency. */
async function findRepairs(duck: Duck, parts: string, own: string): Promise<CostRepair[]> {
  const days = `(SELECT parent, day, currency, sum(used + unused) AS amount FROM ${parts} WHERE ${own} GROUP BY ALL)`;
  const excess = `${units('amount')} - cost`;
  const found = {
    lost_parts: `SELECT * FROM ${days} ANTI JOIN parent_day USING (parent, day) WHERE amount <> 0`,
    scaled_parts: `SELECT parent, currency, (${excess})::DECIMAL(38,0) * 0.0000000001 AS amount
      FROM ${days} JOIN parent_day USING (parent, day) WHERE ${excess} > ${tolerance('cost')}`,
  } as const;
  const repairs: CostRepair[] = [];
  for (const kind of ['lost_parts', 'scaled_parts'] as const) {
    const rows = await duck.rows(`SELECT currency, count(DISTINCT parent) AS charges, sum(amount) AS amount,
        array_to_string(list_sort(list(DISTINCT parent))[:${named}], ' ') AS names
      FROM (${found[kind]}) GROUP BY currency ORDER BY currency`);
    for (const { currency, charges, amount, names } of rows)
      repairs.push({
        kind,
        currency: currency ?? '',
        charges: Number(charges),
        amount: amount ?? '0',
        resources: names?.split(' ') ?? [],
      });
  }
  return repairs;
}
