import type { FactParameter, FactValue } from './engine.ts';

/** Rows of an answer, by column: names are sent once, and values of one type stand together. */
export interface Batch {
  readonly names: readonly string[];
  readonly columns: readonly (readonly FactValue[])[];
  readonly isLast: boolean;
}

interface Statement {
  /** Number of the query, chosen by the server. */
  readonly query: number;
  readonly sql: string;
  readonly parameters: Readonly<Record<string, FactParameter>>;
}

/** The commands of the engine's process. */
export interface EngineCommands {
  open: {
    args: {
      /** Absolute folders that the process may read. */
      readonly folders: readonly string[];
      /** Absolute folder that it may write to. */
      readonly scratch: string;
      readonly memoryMiB: number;
      readonly threads: number;
    };
    result: null;
  };
  /** Runs a query to its end and returns the first rows. The others of a long answer can spill to the scratch folder. */
  run: { args: Statement & { readonly isLong: boolean }; result: Batch };
  /** The next rows of a query that has run. */
  next: { args: { readonly query: number }; result: Batch };
  /** Writes an answer to a file below the scratch folder.
   *  Returns the number of rows. */
  write: { args: Statement & { readonly path: string; readonly format: 'parquet' | 'csv' }; result: number };
  /** Interrupts a query, or drops the rest of its answer. */
  end: { args: { readonly query: number }; result: null };
}

/** What the process sends. */
export type EngineMessage =
  | { id: number; result: EngineCommands[keyof EngineCommands]['result'] }
  /** DuckDB's message. */
  | { id: number; failed: string };
