import { literal } from '../../../../engine/sql.ts';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  costMetrics,
  factColumns,
  factNames,
  factVersion,
  totalsOf,
  type ControlTotals,
  type FactColumn,
} from '../../../../engine/codebook.ts';
import { costSums, measureSums } from '../batch.ts';
import type { Duck } from '../duck.ts';
import type { Owner, WrittenFacts } from '../protocol.ts';

/** Bytes of a file's charges in memory while it is written, besides a row group per thread. */
const fileBytes = 64 << 20;
/** Bytes of the texts in a row group; the writer holds them three times at worst. */
const groupBytes = 16 << 20;
/** Bytes per row in memory, besides its texts. */
const rowBytes = 800;
/** Maximum rows of a row group: small ones let readers skip more. */
const rowGroups = { day: 20_480, month: 8192 } as const;
const vectorRows = 2048;
/** Bytes that the writer allocates per column and thread. */
const dictionaryBytes = 512 << 10;

/** Writes the fact files of a month from the tables `charge` and `fact`.
 *  @param totals expected sums of each grain
 *  @throws {Error} when the files, read back, do not match */
export async function writeFacts(
  duck: Duck,
  owner: Owner & { month: string },
  totals: readonly ControlTotals[],
  jobDir: string,
): Promise<WrittenFacts[]> {
  const length = `strlen(concat(${factNames('key', 'name').join(', ')}))`;
  const [size] = await duck.rows(`SELECT count(*) AS charges, ceil(avg(${length}))::INTEGER AS bytes FROM charge`);
  const bytes = Number(size?.['bytes']);
  const perFile = Math.max(1, Math.floor(fileBytes / (rowBytes + bytes)));
  const perGroup = Math.max(1, Math.floor(groupBytes / (bytes + 1) / vectorRows)) * vectorRows;
  const written: WrittenFacts[] = [];
  await duck.run(`
    CREATE OR REPLACE VIEW fact_day AS SELECT *, day AS first_day, day AS last_day FROM fact;
    CREATE OR REPLACE TABLE fact_month AS SELECT id, min(day) AS first_day, max(day) AS last_day, ${measureSums}
      FROM fact GROUP BY id, date_trunc('month', day) ORDER BY id, first_day`);
  for (const grain of ['day', 'month'] as const) {
    const types = await decimalTypes(duck, grain === 'day' ? 'fact' : 'fact_month');
    const rowGroup = Math.min(perGroup, rowGroups[grain]);
    for (let first = 1; first <= Number(size?.['charges']); first += perFile) {
      const path = join(jobDir, `${owner.month}-${grain}-${written.length}.parquet`);
      const range = `id BETWEEN ${first} AND ${first + perFile - 1}`;
      const rows = Number(
        await duck.value(`COPY (${rowsOf(owner, types, `fact_${grain}`, range)}) TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd,
          ROW_GROUP_SIZE ${rowGroup}, PARQUET_VERSION V2, STRING_DICTIONARY_PAGE_SIZE_LIMIT ${dictionaryBytes})`),
      );
      written.push({
        path,
        grain,
        rows,
        bytes: statSync(path).size,
        decimals: Object.values(types).join(' '),
        version: factVersion,
      });
    }
    const paths = written.filter((file) => file.grain === grain).map((file) => literal(file.path));
    await compareTotals(duck, paths, totals);
  }
  await duck.run('DROP TABLE fact_month');
  return written;
}

/** Values are cast to 18 digits first: casting from 38, DuckDB takes twenty times as long. */
const shortest = 'DECIMAL(18,8)';
const decimals = factColumns.filter(({ type }) => type === 'DECIMAL(38,12)');

/** Returns the narrowest type that holds all values of each decimal column exactly: 18 digits take half the bytes of 38 and
 *  read twice as fast, and most bills have at most 8 decimal places. */
async function decimalTypes(duck: Duck, table: string): Promise<Record<string, string>> {
  const fits = ({ name }: FactColumn) => {
    const narrow = `TRY_CAST(${name} AS DECIMAL(18,12))`;
    return `bool_and(${name} IS NULL OR coalesce(${narrow} % 0.00000001::DECIMAL(18,12) = 0, false)) AS short_${name},
      count(${name}) = count(${narrow}) AS small_${name}`;
  };
  const [is] = await duck.rows(`SELECT ${decimals.map(fits).join(', ')} FROM ${table}`);
  const typeOf = ({ name, type }: FactColumn) => {
    if (is?.[`short_${name}`] === 'true') return shortest;
    return is?.[`small_${name}`] === 'true' ? 'DECIMAL(18,12)' : type;
  };
  return Object.fromEntries(decimals.map((column) => [column.name, typeOf(column)]));
}

/** Streams the presorted narrow rows through a join with the texts: sorting in the same query takes five times as long. Rows
 *  within a row group are sorted; adjacent row groups may be swapped. */
function rowsOf(
  owner: Owner & { month: string },
  types: Readonly<Record<string, string>>,
  table: string,
  range: string,
): string {
  const start = `TIMESTAMP '${owner.month}-01'`;
  const made: Readonly<Record<string, string>> = {
    x_OrganizationId: literal(owner.organizationId),
    x_AccountId: literal(owner.accountId),
    BillingPeriodStart: start,
    BillingPeriodEnd: `${start} + INTERVAL 1 MONTH`,
    ChargePeriodStart: 'first_day',
    ChargePeriodEnd: 'last_day + 1',
  };
  const columns = factColumns.map(
    ({ name, type }) =>
      `(${made[name] ?? name})::${(types[name] ?? type).replace(shortest, `DECIMAL(18,12)::${shortest}`)} AS ${name}`,
  );
  return `SELECT ${columns.join(', ')} FROM (SELECT * FROM ${table} WHERE ${range}) JOIN (SELECT * FROM charge WHERE ${range}) USING (id)`;
}

async function compareTotals(duck: Duck, paths: readonly string[], totals: readonly ControlTotals[]): Promise<void> {
  const rows = await duck.rows(`SELECT BillingCurrency AS currency, sum(x_LineItems) AS line_items, ${costSums}
    FROM read_parquet([${paths.join(', ')}]) GROUP BY BillingCurrency ORDER BY BillingCurrency`);
  const text = (each: ControlTotals) =>
    [each.currency, each.lineItems, ...costMetrics.map((name) => each[name])].join(' ');
  const found = rows.map(totalsOf).map(text).join(', ');
  const expected = totals.map(text).join(', ');
  if (found !== expected)
    throw new Error(`the fact files contain ${found}, but the bill has ${expected}: nothing was loaded`);
}
