import { literal } from '../../../../engine/sql.ts';
import {
  chargeCategories,
  costColumns,
  costMetrics,
  grainCodes,
  idSql,
  pricingKinds,
  rollups,
} from '../../../../engine/codebook.ts';
import type { Duck } from '../duck.ts';

const sums = ['sum(line_items)::BIGINT AS line_items', ...costMetrics.map((name) => `sum(${name}) AS ${name}`)].join(
  ', ',
);
const costs = costMetrics.map((name) => `${costColumns[name]} AS ${name}`).join(', ');
const base = 'provider, currency, charge_category';
const all = Object.values(rollups);
const dimensions = [...new Set(all.flatMap((rollup) => rollup.holds))];

const codeOf = (names: readonly string[], column: string) =>
  `list_position([${names.map(literal).join(', ')}], ${column})::SMALLINT`;

/** Creates the table `dimension`: each charge's values of the rollup dimensions. */
export async function buildDimensions(duck: Duck): Promise<void> {
  await duck.run(`CREATE OR REPLACE TABLE dimension AS
    SELECT charge.id, x_Provider AS provider, BillingCurrency AS currency, ${codeOf(chargeCategories, 'ChargeCategory')} AS charge_category,
      ${codeOf(pricingKinds, 'x_PricingKind')} AS pricing_kind,
      ${idSql('x_Provider', 'ServiceName', 'ServiceCategory')} AS service_id, ${idSql('x_Provider', 'RegionId')} AS region_id,
      ${idSql('x_Provider', 'SubAccountId')} AS sub_account_id, coalesce(tag_reduced.id, 0) AS tag_set_id
    FROM charge LEFT JOIN tag_reduced ON set_id = ${idSql('Tags')}`);
}

/** Creates the table `rollup` from the tables `fact` and `dimension`: by day in one pass of grouping sets, and by month from
 *  the days. */
export async function buildRollups(duck: Duck): Promise<void> {
  const grain = (code: number, from: string) => `SELECT ${code}::SMALLINT AS grain, * FROM (${from})`;
  const monthly = (from: string, by: string) =>
    `SELECT ${by}date_trunc('month', date)::DATE AS date, ${base}, ${dimensions.join(', ')}, ${sums} FROM ${from} GROUP BY ALL`;
  await duck.run(`
    CREATE OR REPLACE VIEW dimensioned AS SELECT day AS date, dimension.* EXCLUDE (id), x_LineItems AS line_items, ${costs}
      FROM fact JOIN dimension USING (id);
    CREATE OR REPLACE TABLE rollup_days AS ${groupingSets('dimensioned', true)};
    CREATE OR REPLACE TABLE rollup_months AS ${monthly('dimensioned', '')};
    CREATE OR REPLACE TABLE rollup AS ${[
      grain(grainCodes.day, 'FROM rollup_days'),
      grain(grainCodes.month, monthly('rollup_days', 'rollup, ')),
      grain(grainCodes.month, groupingSets('rollup_months', false)),
    ].join(' UNION ALL BY NAME ')};
    DROP TABLE rollup_days; DROP TABLE rollup_months`);
}

function groupingSets(table: string, isDaily: boolean): string {
  const kept = all.filter((rollup) => rollup.isDaily === isDaily);
  const held = dimensions.filter((dimension) => kept.some(({ holds }) => holdsOf(holds).includes(dimension)));
  const sets = kept.map(({ holds }) => `(${['date', base, ...holds].join(', ')})`);
  // Bit mask of the dimensions that a grouping set omits.
  const code = kept.map(({ code: rollup, holds }) => {
    const absent = held.reduce((bits, dimension) => bits * 2 + (holdsOf(holds).includes(dimension) ? 0 : 1), 0);
    return `WHEN ${absent} THEN ${rollup}`;
  });
  const columns = dimensions.map((dimension) => (held.includes(dimension) ? dimension : `NULL AS ${dimension}`));
  return `SELECT (CASE GROUPING(${held.join(', ')}) ${code.join(' ')} END)::SMALLINT AS rollup, date, ${base},
    ${columns.join(', ')}, ${sums} FROM ${table} GROUP BY GROUPING SETS (${sets.join(', ')})`;
}

function holdsOf(holds: readonly string[]): readonly string[] {
  return holds;
}
