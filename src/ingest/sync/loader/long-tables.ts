import { join } from 'node:path';
import { dateField, joinFields, textFields, uuidFields, writeBinaryCopy, type PlainColumn } from './binary-copy.ts';
import { lit, type Duck } from './duck.ts';

type Column = readonly [sql: string, kind: PlainColumn | 'currencies'];

const columns = (kind: PlainColumn, ...names: readonly string[]) => names.map((name): Column => [name, kind]);
const costs = ['billed', 'effective', 'list', 'contracted'];
/** Provider and currency: few pairs, so that each is written once. */
const currencies: Column = ['currencies', 'currencies'];

/** The tables whose rows are many, with the columns of their COPY (`src/facts/costs/replace-columns.ts`), less the owner's. */
const longTables = {
  cost_facts: {
    columns: [
      ...columns('date', 'charge_date'),
      currencies,
      ...columns('int2', 'charge_category', 'charge_class', 'pricing_kind'),
      ...columns('int8', 'service_id', 'region_id', 'sub_account_id', 'resource_id', 'sku_id', 'commitment_id'),
      ...columns('int8', 'tag_set_id', 'line_items'),
      ...columns('numeric', ...costs, 'pricing_quantity', 'consumed_quantity'),
      ...columns('int4', 'start_hours'),
    ],
    from: 'f',
    order: 'charge_date',
  },
  cost_rollups: {
    columns: [
      ...columns('int2', 'rollup', 'grain'),
      ...columns('date', 'date'),
      currencies,
      ...columns('int2', 'charge_category', 'pricing_kind'),
      ...columns('int8', 'service_id', 'region_id', 'sub_account_id', 'tag_set_id', 'line_items'),
      ...columns('numeric', ...costs),
    ],
    from: 'rollups',
    order: 'rollup, grain, date',
  },
} as const;

const sqlTypes = {
  date: 'DATE',
  int2: 'SMALLINT',
  int4: 'INTEGER',
  int8: 'BIGINT',
  numeric: 'DECIMAL(38,12)',
} as const;

/** Writes one of the long tables for a binary COPY.
 *  @returns the file's path */
export async function writeLongTable(
  duck: Duck,
  table: keyof typeof longTables,
  owner: { accountId: string; organizationId: string; month: string },
  jobDir: string,
): Promise<string> {
  const { columns: list, from, order } = longTables[table];
  const pairs = await currencyPairs(duck);
  const kinds = list.map(([, kind]) =>
    kind === 'currencies' ? { runs: pairs.map(([p, c]) => textFields(p, c)) } : kind,
  );
  const select = list.map(([name, kind]) => (kind === 'currencies' ? pairNumber(pairs) : `${name}::${sqlTypes[kind]}`));
  const path = join(jobDir, `${owner.month}-${table}.copy`);
  const leading = joinFields(uuidFields(owner.accountId, owner.organizationId), dateField(`${owner.month}-01`));
  await writeBinaryCopy(duck, `SELECT ${select.join(', ')} FROM ${from} ORDER BY ${order}`, kinds, { path, leading });
  return path;
}

type Pair = readonly [provider: string, currency: string];

async function currencyPairs(duck: Duck): Promise<Pair[]> {
  const rows = await duck.rows('SELECT DISTINCT provider, currency FROM f ORDER BY ALL');
  return rows.map((row) => [row['provider'] ?? '', row['currency'] ?? '']);
}

/** Which of the pairs a row has, from 1. */
function pairNumber(pairs: readonly Pair[]): string {
  const cases = pairs.map(([provider, currency], index) => {
    return `WHEN provider = ${lit(provider)} AND currency = ${lit(currency)} THEN ${index + 1}`;
  });
  return `(CASE ${cases.join(' ')} END)::USMALLINT`;
}
