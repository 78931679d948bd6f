import type { ControlTotals, DictionaryTable, MonthTable } from '../../../engine/codebook.ts';
import type { FactFile } from '../../../engine/fact-set.ts';

/** One source file as the loading process sees it. */
export interface LoaderFile {
  /** Name shown to people: the key inside the source. */
  name: string;
  /** Absolute local path. */
  path: string;
  format: 'csv' | 'csv.gz' | 'parquet';
  /** Rows that a manifest promises, where there is one. */
  expectedRows: number | null;
  /** Which costs count of its rows. */
  speaksFor: 'all' | 'billed' | 'effective';
}

/** What one file holds of one billing month. */
export interface FileMonth extends ControlTotals {
  file: string;
  /** `YYYY-MM` */
  month: string;
  /** The same for files with the same charges, whatever their order, quoting or compression. */
  content: string;
}

/** A fact file in the job's folder. */
export interface WrittenFacts extends Omit<FactFile, 'key'> {
  /** Absolute path. */
  path: string;
}

/** A billing month: its fact files, the files for COPY, and the totals that both add up to. */
export interface MonthExport {
  month: string;
  /** Differs when a figure, a name or a tag does. */
  digest: string;
  lineItems: number;
  totals: ControlTotals[];
  /** First and last charge day, `YYYY-MM-DD`. */
  dataFrom: string;
  dataTo: string;
  /** Sorted alike: charges of a file come before those of the next one of its grain. */
  facts: WrittenFacts[];
  /** Absolute path of each table's CSV file for COPY. */
  files: Record<MonthTable, string>;
  /** CSV files with the new entries of dictionaries. */
  entries: Partial<Record<DictionaryTable, string>>;
}

/** The account that a month belongs to. */
export interface Owner {
  accountId: string;
  organizationId: string;
}

/** Commands of the loading process. They run one after another, except exports, which have a queue of their own. */
export interface LoaderCommands {
  /** Opens DuckDB, locked down to these files and the job's folder.
   *  `memoryMiB` is the resident memory that the process should keep to. */
  open: {
    args: {
      jobDir: string;
      files: LoaderFile[];
      memoryMiB: number;
      threads: number;
    };
    result: null;
  };
  /** Billing months (`YYYY-MM`) of a file, from that one column. */
  inspect: { args: { file: LoaderFile }; result: string[] };
  /** The billing months that a broken file shows, and whether every row of it does. */
  guess: { args: { file: LoaderFile }; result: { months: string[]; isComplete: boolean } };
  /** Reads, checks and aggregates files into a batch; `months` keeps those alone. The two newest batches are kept. */
  read: {
    args: { batch: number; files: LoaderFile[]; months: string[] | null };
    result: FileMonth[];
  };
  /** Writes one month of what was read from these files into a batch. Dictionary entries that an earlier export of this
   *  process wrote are left out. */
  export: {
    args: Owner & { batch: number; month: string; files: string[] };
    result: MonthExport;
  };
  /** Writes the fact files of a month whose normalised day rows are in a CSV file of the job's folder, with the names of
   *  `factColumns` as header. */
  convert: {
    args: Owner & { path: string; month: string };
    result: Pick<MonthExport, 'facts' | 'totals'>;
  };
}

export type LoaderCommand = keyof LoaderCommands;

/** What the loading process sends: a result, a refusal of the data, a failure of its own, or its progress. */
export type LoaderMessage =
  | { id: number; result: unknown }
  | { id: number; refused: string }
  | { id: number; failed: string }
  | { rows: number; fraction: number };
