import type { Metric } from 'prom-client';
import type { FactSet } from './fact-set.ts';

/** Query priority: interactive request or background job. Jobs leave the last free slot to requests. */
export type Lane = 'request' | 'job';

/** A query of the facts. */
export interface FactQuery {
  /** For logs and metrics, such as `costs` or `readDrivers`. */
  readonly name: string;
  /** DuckDB SQL that reads the relation `facts`: the rows of the fact set, limited to its accounts and days. Starts with SELECT
   *  or WITH; `facts` is inserted before the first common table expression. */
  readonly sql: string;
  /** Values of the `$name` parameters: strings, numbers, booleans, null, lists of strings. Pass tables as one JSON string. */
  readonly parameters?: Readonly<Record<string, FactParameter>>;
  /** Default: `request`. */
  readonly lane?: Lane;
  /** Cancels the query, for example when the client disconnects. */
  readonly signal?: AbortSignal;
}

/** Source of the answer to a cost query. */
export type AnswerPlan = 'rollups' | 'facts' | 'both';

/** A query parameter. */
export type FactParameter = string | number | boolean | null | readonly string[];

/** A value of a row: DECIMAL, BIGINT, HUGEINT, DATE, TIMESTAMP and UUID are strings, as `CAST(… AS VARCHAR)` writes them. */
export type FactValue = string | number | boolean | null | readonly FactValue[];

/** Runs queries over the facts in a separate process. */
export interface FactEngine {
  /** Returns all rows.
   *  @throws {AppError} SERVICE_UNAVAILABLE when the query exceeds the engine's memory or time, or the engine is busy or died;
   *  the message says what to narrow. The same, without `Retry-After`, when a fact file is missing or truncated. Throws the signal's
   *  reason when aborted. */
  rows<Row extends object>(facts: FactSet, query: FactQuery): Promise<Row[]>;
  /** Returns the rows in batches of about 2,000, one in memory at a time. The query completes before the first batch, so a slow
   *  reader uses neither query time nor a queue slot. */
  batches<Row extends object>(facts: FactSet, query: FactQuery): AsyncGenerator<Row[]>;
  /** Writes the rows to a file in the engine's scratch folder.
   *  @returns its path; the caller deletes it */
  write(facts: FactSet, query: FactQuery, format: 'parquet' | 'csv'): Promise<string>;
  /** Counts a computed answer to a cost query, by what it was read from. */
  countAnswer(plan: AnswerPlan): void;
  /** Prometheus metrics, for the server's own registry. */
  readonly metrics: readonly Metric[];
  /** Ends the process. Running queries fail. */
  close(): Promise<void>;
}
