import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { percentile } from './measure.ts';
import type { Running } from './server.ts';

/** The same query twice: through our API, and as SQL on the Parquet files of the bill in DuckDB. */
interface Question {
  readonly name: string;
  readonly path: string;
  readonly parquet: string;
  /** Uses other days each time, so that days are read in addition to whole months. */
  readonly isRagged?: true;
}

const parquet = (group: string, where = '') => `SELECT ${group}, sum(EffectiveCost::DECIMAL(38,12)) AS cost FROM bills
  WHERE ChargePeriodStart >= $start::DATE AND ChargePeriodStart < $end::DATE + 1 ${where} GROUP BY ALL ORDER BY cost DESC`;

/** Queries on rollups. */
const views: readonly Question[] = [
  { name: '/costs/summary', path: '/costs/summary?', parquet: parquet(`date_trunc('month', ChargePeriodStart)`) },
  { name: '/costs/by-service', path: '/costs/by-service?', parquet: parquet('ServiceName') },
  { name: '/costs/by-account', path: '/costs/by-account?', parquet: parquet('SubAccountId') },
  { name: '/costs/by-region', path: '/costs/by-region?', parquet: parquet('RegionId') },
  { name: '/costs/by-tag', path: '/costs/by-tag?tag_key=team&', parquet: parquet(`Tags['team']`) },
  { name: '/costs/daily', path: '/costs/daily?', parquet: parquet('ChargePeriodStart::DATE') },
  { name: '/costs/trend', path: '/costs/trend?', parquet: parquet(`date_trunc('month', ChargePeriodStart)`) },
  {
    name: '/costs/by-service of a tag',
    path: '/costs/by-service?tag_key=team&tag_value=team-1&',
    parquet: parquet('ServiceName', `AND Tags['team'] = 'team-1'`),
  },
];

/** Queries on fact files. */
const facts: readonly Question[] = [
  { name: '/costs by resource', path: '/costs?group_by=resource&', parquet: parquet('ResourceId') },
  { name: '/costs by meter', path: '/costs?group_by=meter&', parquet: parquet('SkuMeter') },
  {
    name: '/costs by a tag with a value per resource',
    path: '/costs?group_by=tag:Name&',
    parquet: parquet(`Tags['Name']`),
  },
  {
    name: '/costs by service, region, sub-account of a meter',
    path: '/costs?group_by=service,region,sub_account&meter=BoxUsage:1*&',
    parquet: parquet('ServiceName, RegionId, SubAccountId', `AND SkuMeter LIKE 'BoxUsage:1%'`),
  },
  {
    name: '/costs by service, meter, resource type',
    path: '/costs?group_by=service,meter,resource_type&',
    parquet: parquet('ServiceName, SkuMeter, ResourceType'),
  },
  {
    name: '/costs by resource of one service',
    path: '/costs?group_by=resource&service=Service%207&',
    parquet: parquet('ResourceId', `AND ServiceName = 'Service 7'`),
  },
];

/** The queries to measure. */
export type QuestionKind = 'views' | 'facts';

/** Queries of views with other start and end days, where days are read in addition to whole months. */
const ragged = views
  .filter(({ name }) => ['/costs/by-service', '/costs/by-tag'].includes(name))
  .map((question): Question => ({ ...question, name: `${question.name}, ragged ends`, isRagged: true }));

const rounds = 20;
const cachedRounds = 200;
const firstDay = Date.UTC(2025, 10, 1);

/** Twelve whole months; ragged ranges begin and end slightly earlier or later each time. */
function rangeOf(round: number, isRagged: boolean): { start: string; end: string } {
  const day = (offset: number) => new Date(firstDay + offset * 86_400_000).toISOString().slice(0, 10);
  return isRagged ? { start: day(round + 1), end: day(363 - (round % 7)) } : { start: day(0), end: day(364) };
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Measures every query cold and cached, and in DuckDB on the bill files: one row each. */
export async function measureQueries(
  server: Running,
  token: string,
  database: pg.ClientConfig,
  { accountId, folder, kind }: { accountId: string; folder: string; kind: QuestionKind },
) {
  const client = new pg.Client(database);
  // If a query fails, the server stops its database first.
  client.on('error', () => {});
  await client.connect();
  const duck = await (await DuckDBInstance.create(':memory:', { memory_limit: '2GB' })).connect();
  await duck.run(`CREATE VIEW bills AS SELECT * FROM read_parquet('${join(folder, '*.parquet')}')`);
  const ask = async (path: string) => {
    const response = await fetch(`${server.url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  const rows = [];
  for (const question of kind === 'views' ? [...views, ...ragged] : facts) {
    const times = { cold: [] as number[], cached: [] as number[], parquet: [] as number[] };
    const pathOf = ({ start, end }: { start: string; end: string }) =>
      `${question.path}${kind === 'facts' ? 'account' : 'account_id'}=${accountId}&start_date=${start}&end_date=${end}`;
    // Interleaved, so that noise affects both alike.
    for (let round = 0; round < rounds; round++) {
      const range = rangeOf(round, question.isRagged ?? false);
      // Invalidates cached results, like a sync.
      await client.query('UPDATE accounts SET version = version + 1 WHERE id = $1', [accountId]);
      times.cold.push(await milliseconds(() => ask(pathOf(range))));
      times.parquet.push(await milliseconds(() => duck.runAndReadAll(question.parquet, range)));
    }
    for (let round = 0; round < cachedRounds; round++)
      times.cached.push(await milliseconds(() => ask(pathOf(rangeOf(0, question.isRagged ?? false)))));
    rows.push({ name: question.name, ...times });
  }
  await client.end();
  duck.closeSync();
  return rows;
}

/** A printable row: percentiles, and the median speedup of the cold result. */
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
    'Parquet p50 ms': percentile(row.parquet, 0.5),
    'Parquet / cold': percentile(row.parquet, 0.5) / p50,
  };
}
