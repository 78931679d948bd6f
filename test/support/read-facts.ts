import { factColumns } from '../../src/engine/codebook.ts';
import { literal } from '../../src/engine/sql.ts';
import { openFacts, type FactRange } from '../../src/engine/fact-set.ts';
import type { Deps } from '../../src/kit/deps.ts';
import { orgScope } from '../../src/tenancy/auth/scope.ts';

/** Rows of a query on the fact files of an account, by day or by month. */
export async function readFacts<Row extends object>(
  { pool, engine }: Pick<Deps, 'pool' | 'engine'>,
  accountId: string,
  sql: string,
  grain: FactRange['grain'] = 'day',
): Promise<Row[]> {
  const { rows } = await pool.query<{ id: string }>('SELECT organization_id AS id FROM accounts WHERE id = $1', [
    accountId,
  ]);
  const scope = orgScope(rows[0]?.id ?? '', [accountId]);
  const facts = await openFacts(pool, scope, { accountIds: [accountId], start: null, end: null, grain });
  return engine.rows<Row>(facts, { name: 'test', sql });
}

/** SELECT of all rows in local fact files, whatever the types of their decimals. */
export function selectFacts(paths: readonly string[]): string {
  const columns = factColumns.map(({ name, type }) => `${name}::${type} AS ${name}`);
  return `SELECT ${columns.join(', ')} FROM read_parquet([${paths.map(literal).join(', ')}], union_by_name = true)`;
}

/** SQL that formats a decimal without trailing zeros. */
export function plain(decimal: string): string {
  return `regexp_replace((${decimal})::DECIMAL(38,12)::VARCHAR, '\\.?0+$', '')`;
}
