import type { Duck } from './duck.ts';

const sums =
  'sum(line_items)::BIGINT AS line_items, sum(billed) AS billed, sum(effective) AS effective, sum(list) AS list, sum(contracted) AS contracted';
const base = 'provider, currency, charge_category';

/** Codes of the rollups, by the dimensions that each holds beside provider, currency and charge category. The crossed ones
 *  are kept by month alone: by day they are nearly as long as the facts, which answer for the days at a range's ends.
 *  `src/facts/costs/rollup.ts` picks among them. */
const rollups = [
  { code: 1, holds: [], daily: true },
  { code: 2, holds: ['service_id'], daily: true },
  { code: 3, holds: ['sub_account_id'], daily: true },
  { code: 4, holds: ['region_id'], daily: true },
  { code: 5, holds: ['service_id', 'region_id', 'pricing_kind'], daily: true },
  {
    code: 6,
    holds: ['sub_account_id', 'service_id', 'region_id'],
    daily: false,
  },
  { code: 7, holds: ['tag_set_id'], daily: true },
  { code: 8, holds: ['tag_set_id', 'service_id', 'region_id'], daily: false },
] as const;
const dimensions = ['pricing_kind', 'service_id', 'region_id', 'sub_account_id', 'tag_set_id'] as const;

/** Makes the table `rollups` from the facts `f`: by day in one pass of grouping sets, and by month from the days. Tag sets
 *  are those that `tag_reduced` leaves. */
export async function buildRollups(duck: Duck): Promise<void> {
  await duck.run(`CREATE OR REPLACE VIEW reduced AS SELECT f.* REPLACE (coalesce(r.reduced_id, 0) AS tag_set_id)
    FROM f LEFT JOIN tag_reduced r ON r.id = f.tag_set_id`);
  await duck.run(`CREATE OR REPLACE TABLE days AS ${groupingSets('reduced', 'charge_date', true)}`);
  await duck.run(`CREATE OR REPLACE TABLE crossed_months AS
    SELECT date_trunc('month', charge_date)::DATE AS month, ${base}, ${dimensions.join(', ')}, ${sums} FROM reduced GROUP BY ALL`);
  await duck.run(`CREATE OR REPLACE TABLE rollups AS
    SELECT 1::SMALLINT AS grain, * FROM days
    UNION ALL SELECT 2::SMALLINT AS grain, * FROM (
      SELECT rollup, date_trunc('month', date)::DATE AS date, ${base}, ${dimensions.join(', ')}, ${sums} FROM days GROUP BY ALL)
    UNION ALL SELECT 2::SMALLINT AS grain, * FROM (${groupingSets('crossed_months', 'month', false)})`);
}

function groupingSets(table: string, date: string, daily: boolean): string {
  const kept = rollups.filter((rollup) => rollup.daily === daily);
  const held = dimensions.filter((dimension) =>
    kept.some(({ holds }) => (holds as readonly string[]).includes(dimension)),
  );
  const sets = kept.map(({ holds }) => `(${[date, base, ...holds].join(', ')})`);
  // Which dimensions a row's set leaves out, one bit each.
  const code = kept.map(({ code: rollup, holds }) => {
    const absent = held.reduce(
      (bits, dimension) => bits * 2 + ((holds as readonly string[]).includes(dimension) ? 0 : 1),
      0,
    );
    return `WHEN ${absent} THEN ${rollup}`;
  });
  const columns = dimensions.map((dimension) => (held.includes(dimension) ? dimension : `NULL AS ${dimension}`));
  return `SELECT (CASE GROUPING(${held.join(', ')}) ${code.join(' ')} END)::SMALLINT AS rollup, ${date} AS date, ${base},
    ${columns.join(', ')}, ${sums} FROM ${table} GROUP BY GROUPING SETS (${sets.join(', ')})`;
}
