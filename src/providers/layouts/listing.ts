import type { FileFormat, SourceFile } from '../contract.ts';

/** A file or object in the listing of a folder, bucket or container. */
export interface ListedFile {
  /** Name relative to the listed root, with `/` between folders. */
  readonly key: string;
  readonly token: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** Reads a small text file (a manifest) of the listing. */
export type ReadText = (key: string) => Promise<string>;

/** Files that a layout recognizes in a listing. */
interface LayoutPlan {
  /** Files that contain the bill. */
  readonly files: SourceFile[];
  /** Keys of this layout, read or superseded; other layouts ignore them. */
  readonly claimed: ReadonlySet<string>;
}

/** How to treat files without a manifest: for a copied folder, it may never come. */
export type Unfinished = 'refuse' | 'wait';

/** A layout that may still have deliveries in progress. */
export interface LivePlan extends LayoutPlan {
  /** What is not read yet, one sentence each. */
  readonly warnings: readonly string[];
}

/** File extensions of bills, for messages. */
export const acceptedEndings = '.csv, .csv.gz or .parquet';

/** Returns the format by a file's extension (any case), or null if it is not a bill. */
export function formatOf(key: string): FileFormat | null {
  const name = key.toLowerCase();
  if (name.endsWith('.csv.gz')) return 'csv.gz';
  if (name.endsWith('.csv')) return 'csv';
  return name.endsWith('.parquet') ? 'parquet' : null;
}

/** Returns the key without its format's extension: files that differ only in it contain the same bill. */
export function stemOf(key: string): string {
  return key.replace(/(\.csv(\.gz)?|(\.snappy|\.gz|\.zstd)?\.parquet)$/i, '');
}

// Spark and Delta keep unfinished and superseded Parquet files in these.
const privateFolders = new Set(['_temporary', '_delta_log']);

/** Returns whether a file or folder is omitted from listings: hidden names, and the private folders of table writers. */
export function isHidden(name: string): boolean {
  return name.startsWith('.') || privateFolders.has(name.toLowerCase());
}
