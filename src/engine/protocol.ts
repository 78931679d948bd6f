import type { FactParameter, FactValue } from './engine.ts';

/** Rows by column: names are sent once, and values of one type are adjacent. */
export interface Batch {
  readonly names: readonly string[];
  readonly columns: readonly (readonly FactValue[])[];
  readonly isLast: boolean;
}

interface Statement {
  /** Query number, chosen by the server. */
  readonly query: number;
  readonly sql: string;
  readonly parameters: Readonly<Record<string, FactParameter>>;
}

/** Commands of the engine process. */
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
  /** Runs a query to completion and returns the first rows. The rest of a long result can spill to the scratch folder. */
  run: { args: Statement & { readonly isLong: boolean }; result: Batch };
  /** Returns the next rows of a completed query. */
  next: { args: { readonly query: number }; result: Batch };
  /** Writes the rows to a file in the scratch folder. Returns their number. */
  write: { args: Statement & { readonly path: string; readonly format: 'parquet' | 'csv' }; result: number };
  /** Interrupts a query, or drops the rest of its rows. */
  end: { args: { readonly query: number }; result: null };
}

/** Messages from the process. */
export type EngineMessage =
  | { id: number; result: EngineCommands[keyof EngineCommands]['result'] }
  /** DuckDB's message. */
  | { id: number; failed: string };
