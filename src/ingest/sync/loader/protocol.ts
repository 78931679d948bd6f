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
  /** Absolute path of each table's file for COPY: CSV, and PostgreSQL's binary format for the long ones. */
  files: Record<MonthTable, string>;
  /** The CSV files of the dictionaries that grew or changed. */
  entries: Partial<Record<DictionaryTable, string>>;
}

/** Tables whose rows belong to one billing month, named as in the database. */
export type MonthTable = 'cost_facts' | 'cost_rollups' | 'tag_keys';

/** Tables that all months share, named as in the database. */
export type DictionaryTable =
  | 'services'
  | 'regions'
  | 'sub_accounts'
  | 'skus'
  | 'commitments'
  | 'resources'
  | 'tag_sets'
  | 'tag_pairs'
  | 'tag_values';

/** The questions that the loading process answers: one after another, but for exports, which have a row of their own. */
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
  /** Reads, checks and aggregates files into a batch; `months` keeps those alone. The two newest batches are kept. */
  read: {
    args: { batch: number; files: LoaderFile[]; months: string[] | null };
    result: FileMonth[];
  };
  /** Writes one month of what was read from these files into a batch, ready for COPY. Of the dictionaries, what earlier
   *  exports of this process brought is left out. */
  export: {
    args: { accountId: string; organizationId: string; batch: number; month: string; files: string[] };
    result: MonthExport;
  };
}

export type LoaderCommand = keyof LoaderCommands;

/** What the loading process sends: an answer, a refusal of the data, a failure of its own, or how far it is. */
export type LoaderMessage =
  | { id: number; result: unknown }
  | { id: number; refused: string }
  | { id: number; failed: string }
  | { rows: number; fraction: number };
