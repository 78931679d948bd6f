import type { ControlTotals, CostRepair, DictionaryTable, MonthTable } from '../../../engine/codebook.ts';
import type { FactFile } from '../../../engine/fact-set.ts';
import type { FileFormat } from '../../../providers/contract.ts';
import type { ListedAt } from '../../../providers/focus/in-place.ts';

/** Lowest useful value of LOADER_MEMORY_MIB: a loader needs two thirds of it besides DuckDB. */
export const leastLoaderMemoryMiB = 600;

/** A source file for the loader process. */
export interface LoaderFile {
  /** Key in the source. Files of one archive have the same. */
  key: string;
  /** Unique name for messages: the key, and in an archive the name there. */
  name: string;
  /** Absolute local path. */
  path: string;
  /** The file as it was listed, if it is read in place; absent: it is a copy. */
  listed?: ListedAt;
  /** By its content. */
  format: Exclude<FileFormat, 'zip'>;
  /** Number of rows of the key according to a manifest; null without one. */
  expectedRows: number | null;
  /** Which costs of its rows count. */
  speaksFor: 'all' | 'billed' | 'effective';
  /** The delivery that it is part of; absent: only the file. */
  delivery?: string;
}

/** A file that was not read, because it is not a bill. */
export interface PassedOver {
  /** Key in the source. */
  key: string;
  /** Its name for messages. */
  name: string;
  /** A short reason: `no columns of costs and times`. */
  because: string;
}

/** Totals of one file for one billing month. */
export interface FileMonth extends ControlTotals {
  /** Its key. */
  file: string;
  /** Its name for messages. */
  name: string;
  /** `YYYY-MM` */
  month: string;
  repairs: readonly CostRepair[];
}

/** A fact file in the job's folder. */
export interface WrittenFacts extends Omit<FactFile, 'key'> {
  /** Absolute path. */
  path: string;
}

/** A billing month: its fact files, the files for COPY, and the totals of both. */
export interface MonthExport {
  month: string;
  /** Changes with any figure, name or tag. */
  digest: string;
  /** Parts of charges that were scaled or not counted, and files that may restate each other. */
  repairs: readonly CostRepair[];
  lineItems: number;
  totals: ControlTotals[];
  /** First and last charge day, `YYYY-MM-DD`. */
  dataFrom: string;
  dataTo: string;
  /** In sort order: the charges of a file precede those of the next one of its grain. */
  facts: WrittenFacts[];
  /** Absolute path of each table's CSV file for COPY. */
  files: Record<MonthTable, string>;
  /** CSV files of new dictionary entries. */
  entries: Partial<Record<DictionaryTable, string>>;
}

/** A FOCUS dataset other than Cost and Usage: Contract Commitment since 1.3, the others since 1.4. */
export type Companion = 'invoice_detail' | 'contract_commitment' | 'billing_period';

/** An invoice in a billing month, as stated by its issuer. */
export interface StatedInvoice {
  invoiceId: string;
  /** FOCUS InvoiceIssuerName; empty if absent. */
  issuer: string;
  /** `YYYY-MM` */
  month: string;
  /** FOCUS BillingAccountId; empty if the invoice has several. */
  billingAccountId: string;
  currency: string;
  /** Decimal with 12 places: the sum of its details. */
  amount: string;
  /** The file that states it; the first one if several do. */
  file: string;
}

/** Terms of a commitment, under their FOCUS names where they are texts of the file. */
export interface StatedCommitment {
  /** FOCUS ContractCommitmentId. */
  id: string;
  /** Slug of its ServiceProviderName; null if absent, as in FOCUS 1.3. */
  provider: string | null;
  /** ISO 8601, UTC. The end is exclusive. */
  startsAt: string;
  endsAt: string;
  /** Decimals with 12 places. */
  cost: string | null;
  quantity: string | null;
  ContractId: string | null;
  ContractCommitmentCategory: string | null;
  ContractCommitmentType: string | null;
  ContractCommitmentDescription: string | null;
  ContractCommitmentUnit: string | null;
  ContractCommitmentLifecycleStatus: string | null;
  ContractCommitmentPaymentModel: string | null;
  BillingCurrency: string | null;
}

/** Whether an issuer's billing month is closed. */
export interface StatedPeriod {
  /** `YYYY-MM` */
  month: string;
  issuer: string;
  isClosed: boolean;
}

/** Statements in the companions of a delivery. */
export interface Statements {
  /** Datasets among the files. */
  datasets: Companion[];
  invoices: StatedInvoice[];
  commitments: StatedCommitment[];
  periods: StatedPeriod[];
}

/** The account that owns a month. */
export interface Owner {
  accountId: string;
  organizationId: string;
}

/** Commands of the loader process. They run one after another, except exports, which have their own queue. */
export interface LoaderCommands {
  /** Opens DuckDB for a job, with access only to these files and the job's folder. `memoryMiB` is the target for the process's resident
   *  memory. */
  open: {
    args: {
      jobDir: string;
      paths: string[];
      memoryMiB: number;
      threads: number;
    };
    result: null;
  };
  /** Ends a job and drops its data; another one may be opened.
   *  @returns the resident memory that the process keeps, in bytes */
  close: { args: null; result: { rss: number } };
  /** Reads the billing months (`YYYY-MM`) of a file, from that column only. */
  inspect: { args: { file: LoaderFile }; result: string[] };
  /** Returns the billing months found in a broken file, and whether every row has a readable one. */
  guess: { args: { file: LoaderFile }; result: { months: string[]; isComplete: boolean } };
  /** Returns which dataset other than Cost and Usage a file is, by its header; null: none. */
  recognize: { args: { file: LoaderFile }; result: Companion | null };
  /** Reads and checks the companions of a delivery. */
  state: { args: { files: LoaderFile[] }; result: Statements };
  /** Reads, checks and aggregates files into a batch, limited to `months` if given. Keeps the two newest batches. */
  read: {
    args: { batch: number; files: LoaderFile[]; months: string[] | null };
    result: FileMonth[];
  };
  /** Exports one month of a batch, limited to the files with these keys. Omits dictionary entries that an earlier export of this process
   *  wrote. */
  export: {
    args: Owner & {
      batch: number;
      month: string;
      files: string[];
      /** Those of the files that contain other months too. */
      spanning?: string[];
    };
    result: MonthExport;
  };
  /** Writes the fact files of a month from a CSV file of its normalized day rows in the job's folder, with the names of
   *  `factColumns` as header. */
  convert: {
    args: Owner & { path: string; month: string };
    result: Pick<MonthExport, 'facts' | 'totals'>;
  };
}

export type LoaderCommand = keyof LoaderCommands;

/** Messages from the loader process: a result, a data error, a table that is not a bill, an internal failure, a file of an archive
 *  that was not read, or progress. */
export type LoaderMessage =
  | { id: number; result: unknown }
  | { id: number; refused: string }
  | { id: number; unknown: { file: string; because: string } }
  | { passedOver: PassedOver }
  | { id: number; failed: string }
  | { rows: number; fraction: number };
