import type { Metric } from 'prom-client';
import type { FactSet } from './fact-set.ts';

/** The priority of a query: an interactive request or a background job. Jobs leave the last free place to requests. */
export type Lane = 'request' | 'job';

/** A question to the facts. */
export interface FactQuery {
  /** For logs and metrics: `costs`, `readDrivers`. */
  readonly name: string;
  /** SQL of DuckDB that reads the relation `facts`: the rows of the fact set, scoped to its accounts and days. It begins with
   *  SELECT, or with WITH: `facts` is put before the first of its relations. */
  readonly sql: string;
  /** Values of the `$name` parameters in it: texts, numbers, booleans, null, lists of texts. Tables come as one JSON text. */
  readonly parameters?: Readonly<Record<string, FactParameter>>;
  /** Default: `request`. */
  readonly lane?: Lane;
  /** Cancels the query, for example when the client disconnects. */
  readonly signal?: AbortSignal;
}

/** A value that a query is given. */
export type FactParameter = string | number | boolean | null | readonly string[];

/** A value of a row: DECIMAL, BIGINT, HUGEINT, DATE, TIMESTAMP and UUID are texts, as `CAST(… AS VARCHAR)` writes them. */
export type FactValue = string | number | boolean | null | readonly FactValue[];

/** Runs queries over the facts in a separate process. */
export interface FactEngine {
  /** All rows of an answer.
   *  @throws {AppError} SERVICE_UNAVAILABLE when the question needs more memory or time than the engine has, or the engine is
   *    busy or died; the message says what to narrow. The same, with `Retry-After`, when a file was replaced and collected
   *    since `openFacts`: open the facts again. The signal's reason when it is aborted. */
  rows<Row extends object>(facts: FactSet, query: FactQuery): Promise<Row[]>;
  /** The same in batches of about 2,000 rows: memory holds one. The query has run to its end before the first batch, so that
   *  a slow reader takes neither time nor a place in the queue. */
  batches<Row extends object>(facts: FactSet, query: FactQuery): AsyncGenerator<Row[]>;
  /** Writes an answer to a file below the engine's scratch folder.
   *  @returns its path; the caller deletes it */
  write(facts: FactSet, query: FactQuery, format: 'parquet' | 'csv'): Promise<string>;
  /** Prometheus metrics, for a registry of the server's own. */
  readonly metrics: readonly Metric[];
  /** Ends the process. What is under way fails. */
  close(): Promise<void>;
}
