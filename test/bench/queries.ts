import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { percentile } from './measure.ts';
import type { Running } from './server.ts';

/** The same question in three languages: our path, SQL over the daily facts in PostgreSQL, SQL over the Parquet in DuckDB. */
interface Question {
  name: string;
  isRagged?: true;
  path: string;
  facts: string;
  parquet: string;
}

const fact = (group: string, tables: string) => `SELECT ${group} AS g, sum(cost) AS cost FROM (
  SELECT service_id, region_id, sub_account_id, tag_set_id, charge_date, sum(effective) AS cost FROM cost_facts
  WHERE account_id = $1 AND charge_date BETWEEN $2 AND $3 GROUP BY 1, 2, 3, 4, 5) f ${tables} GROUP BY 1 ORDER BY 2 DESC`;
const factBy = (column: string, group: string, tables: string) => `SELECT ${group} AS g, sum(cost) AS cost FROM (
  SELECT ${column}, sum(effective) AS cost FROM cost_facts WHERE account_id = $1 AND charge_date BETWEEN $2 AND $3 GROUP BY 1) f ${tables} GROUP BY 1 ORDER BY 2 DESC`;
const parquet = (group: string) => `SELECT ${group} AS g, sum(EffectiveCost::DECIMAL(38,12)) AS cost FROM bills
  WHERE ChargePeriodStart >= $start::DATE AND ChargePeriodStart < $end::DATE + 1 GROUP BY 1 ORDER BY 2 DESC`;

const dictionary = (table: string, column: string) => `JOIN ${table} d ON d.account_id = $1 AND d.id = f.${column}`;
const tag = `LEFT JOIN tag_pairs p ON p.account_id = $1 AND p.tag_set_id = f.tag_set_id
  AND p.key_id = (('x' || left(md5('team'), 16))::bit(64)::bigint >> 1 & 9223372036854775807) LEFT JOIN tag_values v ON v.account_id = $1 AND v.id = p.value_id`;

const questions: readonly Question[] = [
  {
    name: '/costs/summary',
    path: '/costs/summary?',
    facts: factBy('charge_date', `date_trunc('month', f.charge_date)`, ''),
    parquet: parquet(`date_trunc('month', ChargePeriodStart)`),
  },
  {
    name: '/costs/by-service',
    path: '/costs/by-service?',
    facts: factBy('service_id', 'd.name', dictionary('services', 'service_id')),
    parquet: parquet('ServiceName'),
  },
  {
    name: '/costs/by-account',
    path: '/costs/by-account?',
    facts: factBy('sub_account_id', 'd.code', dictionary('sub_accounts', 'sub_account_id')),
    parquet: parquet('SubAccountId'),
  },
  {
    name: '/costs/by-region',
    path: '/costs/by-region?',
    facts: factBy('region_id', 'd.code', dictionary('regions', 'region_id')),
    parquet: parquet('RegionId'),
  },
  {
    name: '/costs/by-tag',
    path: '/costs/by-tag?tag_key=team&',
    facts: factBy('tag_set_id', 'v.value', tag),
    parquet: parquet(`Tags['team']`),
  },
  {
    name: '/costs/daily',
    path: '/costs/daily?',
    facts: factBy('charge_date', 'f.charge_date', ''),
    parquet: parquet('ChargePeriodStart::DATE'),
  },
  {
    name: '/costs/trend',
    path: '/costs/trend?',
    facts: factBy('charge_date', `date_trunc('month', f.charge_date)`, ''),
    parquet: parquet(`date_trunc('month', ChargePeriodStart)`),
  },
  {
    name: '/costs/by-service of a tag',
    path: '/costs/by-service?tag_key=team&tag_value=team-1&',
    facts: fact('d.name', `${dictionary('services', 'service_id')} ${tag} WHERE v.value = 'team-1'`),
    parquet: parquet('ServiceName').replace('GROUP BY', `AND Tags['team'] = 'team-1' GROUP BY`),
  },
];

/** The same at any ends, where days are read beside whole months. */
const ragged = questions
  .filter(({ name }) => ['/costs/by-service', '/costs/by-tag'].includes(name))
  .map((question): Question => ({ ...question, name: `${question.name}, ragged ends`, isRagged: true }));

const rounds = 20;
const cachedRounds = 200;
const firstDay = Date.UTC(2025, 10, 1);

/** Twelve whole months; ragged, they begin and end a little later or earlier each time. */
function rangeOf(round: number, isRagged: boolean): { start: string; end: string } {
  const day = (offset: number) => new Date(firstDay + offset * 86_400_000).toISOString().slice(0, 10);
  return isRagged ? { start: day(round + 1), end: day(363 - (round % 7)) } : { start: day(0), end: day(364) };
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Opens PostgreSQL and DuckDB, asks every question cold and cached, and answers a row for each. */
export async function measureQueries(
  server: Running,
  token: string,
  database: pg.ClientConfig,
  { accountId, folder }: { accountId: string; folder: string },
) {
  const client = new pg.Client(database);
  await client.connect();
  await client.query("ANALYZE cost_facts; ANALYZE cost_rollups; SET work_mem = '64MB'");
  const duck = await (await DuckDBInstance.create(':memory:', { memory_limit: '2GB' })).connect();
  await duck.run(`CREATE VIEW bills AS SELECT * FROM read_parquet('${join(folder, '*.parquet')}')`);
  const ask = async (path: string) => {
    const response = await fetch(`${server.url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  const rows = [];
  for (const question of [...questions, ...ragged]) {
    const times = { cold: [] as number[], cached: [] as number[], facts: [] as number[], parquet: [] as number[] };
    // Interleaved, so that a noisy minute hits all three alike.
    for (let round = 0; round < rounds; round++) {
      const { start, end } = rangeOf(round, question.isRagged ?? false);
      // As after a sync: no answer of before is good any more.
      await client.query('UPDATE accounts SET version = version + 1 WHERE id = $1', [accountId]);
      const path = `${question.path}account_id=${accountId}&start_date=${start}&end_date=${end}`;
      times.cold.push(await milliseconds(() => ask(path)));
      times.facts.push(await milliseconds(() => client.query(question.facts, [accountId, start, end])));
      times.parquet.push(await milliseconds(() => duck.runAndReadAll(question.parquet, { start, end })));
    }
    const { start, end } = rangeOf(0, question.isRagged ?? false);
    for (let round = 0; round < cachedRounds; round++) {
      times.cached.push(
        await milliseconds(() => ask(`${question.path}account_id=${accountId}&start_date=${start}&end_date=${end}`)),
      );
    }
    rows.push({ name: question.name, ...times });
  }
  await client.end();
  duck.closeSync();
  return rows;
}

/** A printable row: percentiles, and how many times faster the cold answer is at the median. */
export function queryRow(row: Awaited<ReturnType<typeof measureQueries>>[number]) {
  const p50 = percentile(row.cold, 0.5);
  return {
    question: row.name,
    'cold p50 ms': p50,
    p95: percentile(row.cold, 0.95),
    p99: percentile(row.cold, 0.99),
    'cached p50 ms': percentile(row.cached, 0.5),
    'p95 ': percentile(row.cached, 0.95),
    'p99 ': percentile(row.cached, 0.99),
    'facts p50 ms': percentile(row.facts, 0.5),
    'Parquet p50 ms': percentile(row.parquet, 0.5),
    'facts / cold': percentile(row.facts, 0.5) / p50,
    'Parquet / cold': percentile(row.parquet, 0.5) / p50,
  };
}
