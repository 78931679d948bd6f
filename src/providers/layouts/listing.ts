import type { FileFormat, SourceFile } from '../contract.ts';

/** A file or object as a folder, bucket or container lists it. */
export interface ListedFile {
  /** Name from the listed root on, `/` between folders. */
  readonly key: string;
  readonly token: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** Reads a small text file (a manifest) of the listing. */
export type ReadText = (key: string) => Promise<string>;

/** What a layout makes of a listing. */
interface LayoutPlan {
  /** The files that stand for the bill. */
  readonly files: SourceFile[];
  /** Keys that belong to the layout, read or superseded: no other layout looks at them. */
  readonly claimed: ReadonlySet<string>;
}

/** What is to be done about files whose manifest is not there yet: of a copied folder nobody knows whether it will ever come. */
export type Unfinished = 'refuse' | 'wait';

/** A layout of which something may still be under way. */
export interface LivePlan extends LayoutPlan {
  /** What is not read yet, a sentence each. */
  readonly warnings: readonly string[];
}

/** The endings of bill files, as messages name them. */
export const acceptedEndings = '.csv, .csv.gz or .parquet';

/** The format that a file's name says it has (any case), or null for a name that is not a bill's. */
export function formatOf(key: string): FileFormat | null {
  const name = key.toLowerCase();
  if (name.endsWith('.csv.gz')) return 'csv.gz';
  if (name.endsWith('.csv')) return 'csv';
  return name.endsWith('.parquet') ? 'parquet' : null;
}

/** The key without its format's ending: two files that differ only there hold the same bill twice. */
export function stemOf(key: string): string {
  return key.replace(/(\.csv(\.gz)?|(\.snappy|\.gz|\.zstd)?\.parquet)$/i, '');
}

// Spark and Delta keep unfinished and superseded Parquet files in these.
const privateFolders = new Set(['_temporary', '_delta_log']);

/** Whether a file or folder name is left out of every listing: hidden ones, and the private folders of table writers. */
export function isHidden(name: string): boolean {
  return name.startsWith('.') || privateFolders.has(name.toLowerCase());
}
