import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { refusal, type GoogleAnswer, type GoogleCall } from './call.ts';
import { structureOf, typeOf, type Field } from './tables.ts';

/** A table created by a test. */
export interface TestTable {
  /** `project.dataset.table` */
  readonly name: string;
  readonly fields: readonly Field[];
  readonly rows: readonly object[];
  /** `VIEW` or `EXTERNAL`; a table by default. */
  readonly type?: string;
  /** Partitioned by ingestion day: each row has `_PARTITIONTIME`. */
  readonly isPartitioned?: boolean;
}

/** BigQuery, with queries run by DuckDB. */
export interface FakeBigQuery {
  /** Location of all datasets. */
  location: string;
  /** Rows per page. */
  pageRows: number;
  /** The queries that ran, unchanged. */
  readonly queries: string[];
  put(table: TestTable): Promise<void>;
  add(name: string, rows: readonly object[]): Promise<void>;
  answer(call: GoogleCall): Promise<GoogleAnswer | null>;
  close(): void;
}

interface Held extends TestTable {
  modified: number;
  readonly created: number;
}

interface Job {
  readonly columns: readonly string[];
  readonly rows: readonly (string | null)[][];
}

/** GoogleSQL functions and types with another name in DuckDB. */
const macros = [
  'CREATE MACRO TO_JSON_STRING(x) AS to_json(x)::VARCHAR',
  'CREATE MACRO DATE(x) AS CAST(x AS DATE)',
  'CREATE MACRO UNIX_MICROS(x) AS epoch_us(x)',
  'CREATE MACRO TIMESTAMP_MICROS(x) AS make_timestamp(x)',
];

export async function openFakeBigQuery(denied: ReadonlySet<string>): Promise<FakeBigQuery> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const duck = await instance.connect();
  for (const macro of ["SET timezone='UTC'", ...macros]) await duck.run(macro);
  const tables = new Map<string, Held>();
  const jobs = new Map<string, Job>();
  let clock = Date.now();
  const fake: FakeBigQuery = {
    location: 'EU',
    pageRows: 1000,
    queries: [],
    async put(table) {
      const hidden = table.isPartitioned ? [{ name: '_PARTITIONTIME', type: 'TIMESTAMP' }] : [];
      const columns = [...table.fields, ...hidden].map((field) => `"${field.name}" ${typeOf(field)}`);
      await duck.run(`CREATE OR REPLACE TABLE "${table.name}" (${columns.join(', ')})`);
      tables.set(table.name, { ...table, rows: [], modified: 0, created: ++clock });
      await fake.add(table.name, table.rows);
    },
    async add(name, rows) {
      const table = tables.get(name);
      if (!table) throw new Error(`No table ${name}`);
      const hidden = table.isPartitioned ? [{ name: '_PARTITIONTIME', type: 'TIMESTAMP' }] : [];
      await insert(duck, name, [...table.fields, ...hidden], rows);
      tables.set(name, { ...table, rows: [...table.rows, ...rows], modified: ++clock });
    },
    async answer(call) {
      const [, project = '', rest = ''] = /^\/bigquery\/v2\/projects\/([^/]+)\/(.+)$/.exec(call.path) ?? [];
      const [, dataset, table] = /^datasets\/(\w+)\/tables(?:\/([\w-]+))?$/.exec(rest) ?? [];
      if (call.method === 'GET' && dataset !== undefined) {
        return table === undefined
          ? listTables(tables, `${project}.${dataset}`, denied)
          : getTable(tables.get(`${project}.${dataset}.${table}`), { project, dataset, table }, fake, denied);
      }
      if (call.method === 'POST' && rest === 'jobs') return insertJob(duck, call, { jobs, tables, fake, denied });
      const [, jobId] = /^queries\/([\w-]+)$/.exec(rest) ?? [];
      if (call.method === 'GET' && jobId !== undefined) return results(jobs.get(jobId), jobId, call, fake);
      return null;
    },
    close: () => duck.closeSync(),
  };
  return fake;
}

async function insert(
  duck: DuckDBConnection,
  name: string,
  fields: readonly Field[],
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return;
  const whole = rows.map((row) =>
    Object.fromEntries(fields.map(({ name: key }) => [key, null]).concat(Object.entries(row))),
  );
  const structure = JSON.stringify([structureOf(fields)]).replaceAll("'", "''");
  const names = fields.map((field) => `s."${field.name}"`).join(', ');
  await duck.run(
    `INSERT INTO "${name}" SELECT ${names} FROM (SELECT unnest(from_json($1::JSON, '${structure}')) AS s)`,
    [JSON.stringify(whole)],
  );
}

function listTables(tables: ReadonlyMap<string, Held>, dataset: string, denied: ReadonlySet<string>): GoogleAnswer {
  if (denied.has('bigquery.tables.list'))
    return refusal(
      403,
      'accessDenied',
      `Access Denied: Dataset ${dataset}: Permission bigquery.tables.list denied on dataset ${dataset} (or it may not exist).`,
    );
  const names = [...tables.keys()].filter((name) => name.startsWith(`${dataset}.`));
  if (names.length === 0) return refusal(404, 'notFound', `Not found: Dataset ${dataset.replace('.', ':')}`);
  const [projectId, datasetId] = dataset.split('.');
  const list = names.map((name) => ({
    kind: 'bigquery#table',
    id: name.replace('.', ':'),
    tableReference: { projectId, datasetId, tableId: name.split('.')[2] },
  }));
  return { json: { kind: 'bigquery#tableList', tables: list, totalItems: list.length } };
}

function getTable(
  held: Held | undefined,
  { project, dataset, table }: { project: string; dataset: string; table: string },
  { location }: FakeBigQuery,
  denied: ReadonlySet<string>,
): GoogleAnswer {
  if (denied.has('bigquery.tables.get'))
    return refusal(
      403,
      'accessDenied',
      `Access Denied: Table ${project}:${dataset}.${table}: Permission bigquery.tables.get denied on table ${project}:${dataset}.${table} (or it may not exist).`,
    );
  if (!held) return refusal(404, 'notFound', `Not found: Table ${project}:${dataset}.${table}`);
  return {
    json: {
      kind: 'bigquery#table',
      tableReference: { projectId: project, datasetId: dataset, tableId: table },
      schema: { fields: held.fields },
      location,
      type: held.type ?? 'TABLE',
      creationTime: String(held.created),
      lastModifiedTime: String(held.modified),
      numRows: String(held.rows.length),
      ...(held.isPartitioned && { timePartitioning: { type: 'DAY' } }),
    },
  };
}

interface JobBody {
  jobReference: { projectId: string; jobId: string; location?: string };
  configuration: {
    dryRun?: boolean;
    query: { query: string; queryParameters?: { name: string; parameterValue: { value: string } }[] };
  };
}

interface World {
  readonly jobs: Map<string, Job>;
  readonly tables: ReadonlyMap<string, Held>;
  readonly fake: FakeBigQuery;
  readonly denied: ReadonlySet<string>;
}

async function insertJob(
  duck: DuckDBConnection,
  call: GoogleCall,
  { jobs, tables, fake, denied }: World,
): Promise<GoogleAnswer> {
  const { jobReference, configuration } = call.body as JobBody;
  const { query, queryParameters = [] } = configuration.query;
  const refused = refusalOf(query, jobReference, { tables, fake, denied });
  if (refused) return refused;
  const done = { kind: 'bigquery#job', jobReference, configuration, status: { state: 'DONE' } };
  const sql = translated(query);
  const values = Object.fromEntries(queryParameters.map(({ name, parameterValue }) => [name, parameterValue.value]));
  try {
    if (configuration.dryRun) {
      await duck.prepare(sql);
      return { json: { ...done, statistics: { query: { totalBytesProcessed: '1' } } } };
    }
    fake.queries.push(query);
    const reader = await duck.runAndReadAll(sql, values);
    const rows = reader.getRows().map((row) => row.map((value) => (value === null ? null : String(value))));
    jobs.set(jobReference.jobId, { columns: reader.columnNames(), rows });
    return { json: done };
  } catch (error) {
    return refusal(400, 'invalidQuery', error instanceof Error ? error.message : String(error));
  }
}

function refusalOf(
  query: string,
  { projectId, location }: JobBody['jobReference'],
  { tables, fake, denied }: Omit<World, 'jobs'>,
): GoogleAnswer | null {
  const [, table = ''] = /`([^`]+)`/.exec(query) ?? [];
  const [project, dataset] = table.split('.');
  if (denied.has('bigquery.jobs.create'))
    return refusal(
      403,
      'accessDenied',
      `Access Denied: Project ${projectId}: User does not have bigquery.jobs.create permission in project ${projectId}.`,
    );
  if (denied.has('bigquery.tables.getData'))
    return refusal(
      403,
      'accessDenied',
      `Access Denied: Table ${table}: User does not have permission to query table ${table}, or perhaps it does not exist.`,
    );
  if (location !== fake.location)
    return refusal(404, 'notFound', `Not found: Dataset ${project}:${dataset} was not found in location ${location}`);
  return tables.has(table) ? null : refusal(404, 'notFound', `Not found: Table ${table}`);
}

/** Translates GoogleSQL to DuckDB. */
function translated(query: string): string {
  return query
    .replaceAll(/`([^`]+)`/g, '"$1"')
    .replaceAll(/UNNEST\((\w+)\) AS (\w+)/g, '(SELECT unnest($1) AS $2)')
    .replaceAll('AS NUMERIC)', 'AS DECIMAL(38,9))')
    .replaceAll('AS BIGNUMERIC)', 'AS DECIMAL(38,18))')
    .replaceAll('AS INT64)', 'AS BIGINT)')
    .replaceAll(/@(\w+)/g, '$$$1');
}

function results(job: Job | undefined, jobId: string, call: GoogleCall, { pageRows }: FakeBigQuery): GoogleAnswer {
  if (!job) return refusal(404, 'notFound', `Not found: Job ${jobId}`);
  const from = Number(call.query.get('pageToken') ?? 0);
  const until = from + Math.min(pageRows, Number(call.query.get('maxResults') ?? pageRows));
  return {
    json: {
      kind: 'bigquery#getQueryResultsResponse',
      jobComplete: true,
      jobReference: { jobId },
      schema: { fields: job.columns.map((name) => ({ name, type: 'STRING', mode: 'NULLABLE' })) },
      totalRows: String(job.rows.length),
      rows: job.rows.slice(from, until).map((row) => ({ f: row.map((v) => ({ v })) })),
      ...(until < job.rows.length && { pageToken: String(until) }),
    },
  };
}
