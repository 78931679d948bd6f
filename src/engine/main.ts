import { rm } from 'node:fs/promises';
import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  DuckDBInstance,
  JsonDuckDBValueConverter,
  LIST,
  listValue,
  SQLNULL,
  VARCHAR,
  type DuckDBConnection,
  type DuckDBResult,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import '../kit/duckdb-text.ts';
import type { ProcessRequest } from '../kit/process/asked-process.ts';
import { keepCompiledCode } from '../kit/process/code-cache.ts';
import type { FactParameter, FactValue } from './engine.ts';
import type { Batch, EngineCommands, EngineMessage } from './protocol.ts';
import { literal } from './sql.ts';

// The engine process runs DuckDB apart from the server, so that neither a crash nor memory exhaustion takes the server down. It
// has no database connection, secrets or network; it reads the fact folders and writes to its scratch folder.

const batchRows = 2000;

/** Milliseconds. An interrupt before DuckDB starts executing is lost, so it is repeated. */
const interruptEveryMs = 50;

interface Query {
  /** Null until the query's first step. */
  connection: DuckDBConnection | null;
  isBusy: boolean;
  isEnded: boolean;
  /** Rows not sent yet. */
  rows: { readonly result: DuckDBResult; left: number; readonly isStaged: boolean } | null;
}

let instance: DuckDBInstance | null = null;
const queries = new Map<number, Query>();

type Handlers = {
  [C in keyof EngineCommands]: (args: EngineCommands[C]['args']) => Promise<EngineCommands[C]['result']>;
};

const handlers: Handlers = {
  async open({ folders, scratch, memoryMiB, threads }) {
    const opened = await DuckDBInstance.create(':memory:', {
      threads: String(threads),
      memory_limit: `${memoryMiB}MiB`,
      temp_directory: scratch,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
    });
    const connection = await opened.connect();
    const allowed = [...folders, scratch].map((folder) => literal(`${folder}/`)).join(',');
    for (const setting of [
      `timezone='UTC'`,
      'parquet_metadata_cache=true',
      `allowed_directories=[${allowed}]`,
      'enable_external_access=false',
      'lock_configuration=true',
    ]) {
      await connection.run(`SET GLOBAL ${setting}`);
    }
    connection.closeSync();
    instance = opened;
    keepCompiledCode();
    return null;
  },

  // Stages a long result in a temporary table: DuckDB bounds and spills it, while a stream of the query itself would end
  // without an error if the query failed midway (the bindings hide `duckdb_result_error`).
  run: ({ query, sql, parameters, isLong }) =>
    inQuery(query, async (one, connection) => {
      const made = await connection.run(isLong ? `CREATE TEMP TABLE answer AS ${sql}` : sql, ...bound(parameters));
      one.rows = isLong
        ? { result: await connection.stream('FROM answer'), left: await countOf(made), isStaged: true }
        : { result: made, left: made.rowCount, isStaged: false };
      return nextBatch(one);
    }),

  next: ({ query }) => inQuery(query, nextBatch),

  write: ({ query, sql, parameters, path, format }) =>
    inQuery(query, async (one, connection) => {
      const options = format === 'parquet' ? 'FORMAT parquet, COMPRESSION zstd' : 'FORMAT csv, HEADER true';
      try {
        const copied = await connection.run(`COPY (${sql}) TO ${literal(path)} (${options})`, ...bound(parameters));
        if (!one.isEnded) return await countOf(copied);
        throw new Error('The query was ended while it was written');
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      } finally {
        one.isEnded = true;
      }
    }),

  async end({ query }) {
    const one = queries.get(query);
    if (!one) return null;
    one.isEnded = true;
    if (one.isBusy) interrupt(one);
    else await close(query, one);
    return null;
  },
};

/** Runs one step of a query. Closes the query when it has ended or the step fails. */
async function inQuery<Result>(
  id: number,
  step: (query: Query, connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  if (!instance) throw new Error('The engine has not been opened');
  const query = queries.get(id) ?? { connection: null, isBusy: true, isEnded: false, rows: null };
  queries.set(id, query);
  query.isBusy = true;
  try {
    query.connection ??= await instance.connect();
    if (query.isEnded) throw new Error('The query was ended before it ran');
    return await step(query, query.connection);
  } catch (error) {
    query.isEnded = true;
    throw error;
  } finally {
    query.isBusy = false;
    // Not awaited, so the response is not delayed.
    if (query.isEnded) void close(id, query);
  }
}

function interrupt(query: Query): void {
  query.connection?.interrupt();
  const timer = setInterval(() => {
    if (query.isBusy) query.connection?.interrupt();
    else clearInterval(timer);
  }, interruptEveryMs);
}

/** Drops the table, because merely closing frees its memory only when the garbage collector finds the result. */
async function close(id: number, { connection, rows }: Query): Promise<void> {
  queries.delete(id);
  if (rows?.isStaged) await connection?.run('DROP TABLE answer').catch(() => {});
  connection?.closeSync();
}

async function nextBatch(query: Query): Promise<Batch> {
  const { rows } = query;
  if (!rows) throw new Error('The query has not run');
  const names = rows.result.columnNames();
  const columns: FactValue[][] = names.map(() => []);
  let count = 0;
  while (rows.left > 0 && count < batchRows) {
    const chunk = await rows.result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) throw new Error(`The answer ended ${rows.left} rows early`);
    for (const [index, values] of chunk.convertColumns(JsonDuckDBValueConverter).entries())
      columns[index]?.push(...(values as FactValue[]));
    count += chunk.rowCount;
    rows.left -= chunk.rowCount;
  }
  const isLast = rows.left === 0;
  if (isLast) query.isEnded = true;
  return { names, columns, isLast };
}

async function countOf(result: DuckDBResult): Promise<number> {
  const [[count] = []] = await result.getRowsJson();
  return Number(count);
}

type Bound = [values: Record<string, DuckDBValue>, types: Record<string, DuckDBType>];

function bound(parameters: Readonly<Record<string, FactParameter>>): Bound {
  const entries = Object.entries(parameters).map(([name, value]) => [name, ...typed(value)] as const);
  return [
    Object.fromEntries(entries.map(([name, value]) => [name, value])),
    Object.fromEntries(entries.map(([name, , type]) => [name, type])),
  ];
}

function typed(value: FactParameter): readonly [DuckDBValue, DuckDBType] {
  if (value === null) return [null, SQLNULL];
  if (typeof value === 'string') return [value, VARCHAR];
  if (typeof value === 'boolean') return [value, BOOLEAN];
  if (typeof value === 'number') return Number.isSafeInteger(value) ? [BigInt(value), BIGINT] : [value, DOUBLE];
  return [listValue([...value]), LIST(VARCHAR)];
}

/** Drops messages that the server no longer receives: the process ends when the channel closes. */
function send(message: EngineMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

async function answer(request: ProcessRequest<EngineCommands>): Promise<void> {
  try {
    const handler = handlers[request.command] as (
      args: unknown,
    ) => Promise<EngineCommands[keyof EngineCommands]['result']>;
    send({ id: request.id, result: await handler(request.args) });
  } catch (error) {
    send({ id: request.id, failed: error instanceof Error ? error.message : String(error) });
  }
}

process.on('message', (request: ProcessRequest<EngineCommands>) => void answer(request));
// The server is gone.
process.on('disconnect', () => process.exit(0));
