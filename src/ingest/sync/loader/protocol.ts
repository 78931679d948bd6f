/** One source file as the loading process sees it. */
export interface LoaderFile {
  /** Name shown to people: the key inside the source. */
  name: string;
  /** Absolute local path. */
  path: string;
  format: 'csv' | 'csv.gz' | 'parquet';
  /** Rows that a manifest promises, where there is one. */
  expectedRows: number | null;
}

/** Exact sums over some charges in one currency, as decimal strings with 12 decimals. */
export interface Totals {
  currency: string;
  lineItems: number;
  billed: string;
  effective: string;
  list: string;
  contracted: string;
}

/** What one file holds of one billing month. */
export interface FileMonth extends Totals {
  file: string;
  /** `YYYY-MM` */
  month: string;
}

/** Files ready for COPY, one per table, and the totals they must add up to. */
export interface MonthExport {
  month: string;
  /** Differs when a figure, a name or a tag does. */
  digest: string;
  lineItems: number;
  totals: Totals[];
  /** First and last charge day, `YYYY-MM-DD`. */
  dataFrom: string;
  dataTo: string;
  /** Absolute path of the CSV of each table. */
  files: Record<ExportTable, string>;
}

/** Tables that an export fills, named as in the database. */
export type ExportTable =
  | 'cost_facts'
  | 'cost_rollups'
  | 'services'
  | 'regions'
  | 'sub_accounts'
  | 'skus'
  | 'commitments'
  | 'resources'
  | 'tag_sets'
  | 'tag_pairs'
  | 'tag_keys'
  | 'tag_values';

/** The questions that the loading process answers, one after another. */
export interface LoaderCommands {
  /** Opens DuckDB, locked down to these files and the job's folder. */
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
  /** Reads, checks and aggregates the files; `months` keeps those alone; `append` keeps what was read before. */
  read: {
    args: { files: LoaderFile[]; months: string[] | null; append: boolean };
    result: FileMonth[];
  };
  /** Writes one month of what was read from these files, ready for COPY. */
  export: {
    args: { accountId: string; organizationId: string; month: string; files: string[] };
    result: MonthExport;
  };
}

export type LoaderCommand = keyof LoaderCommands;

export interface LoaderRequest<C extends LoaderCommand = LoaderCommand> {
  id: number;
  command: C;
  args: LoaderCommands[C]['args'];
}

/** What the loading process sends: an answer, a refusal of the data, a failure of its own, or how far it is. */
export type LoaderMessage =
  | { id: number; result: unknown }
  | { id: number; refused: string }
  | { id: number; failed: string }
  | { rows: number; fraction: number };
