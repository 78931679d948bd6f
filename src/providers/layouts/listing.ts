import type { EmptiedMonth, FileFormat, SourceFile } from '../contract.ts';

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
  /** Deliveries that are not read yet, one sentence each. */
  readonly warnings: readonly string[];
  /** Months whose manifest names no files. */
  readonly emptied: readonly EmptiedMonth[];
}

/** File extensions of bills, for messages. */
export const acceptedEndings = '.csv, .tsv or .txt (also with .gz or .zst), .parquet or .zip';

/** Returns the format by a file's extension (any case), or null if it is not a bill. */
export function formatOf(key: string): FileFormat | null {
  const name = key.toLowerCase();
  if (name.endsWith('.zip')) return 'zip';
  if (name.endsWith('.parquet')) return 'parquet';
  const [text, packed] = /\.(?:csv|tsv|txt)(\.gz|\.zstd?)?$/.exec(name) ?? [null];
  if (text === null || isCompanion(key)) return null;
  return packed === undefined ? 'csv' : packed === '.gz' ? 'csv.gz' : 'csv.zst';
}

/** Returns whether a file is a bill or a manifest by its name. */
export function isBillOrManifest(key: string): boolean {
  return formatOf(key) !== null || /manifest\.json$/i.test(key);
}

/** Returns the key without its format's extension: files that differ only in it contain the same bill. */
export function stemOf(key: string): string {
  return key.replace(/(\.([ct]sv|txt)(\.gz|\.zstd?|\.zip)?|(\.snappy|\.gz|\.zstd)?\.parquet|\.zip)$/i, '');
}

// Spark and Delta keep unfinished and superseded Parquet files in these.
const privateFolders = new Set(['_temporary', '_delta_log']);

/** Returns whether a file or folder is omitted from listings: hidden names, and the private folders of table writers. */
export function isHidden(name: string): boolean {
  return name.startsWith('.') || privateFolders.has(name.toLowerCase());
}

/** Names of files that are next to bills and contain none: manifests, markers and scripts of exports, checksums, notes. */
const companion =
  /^(_.*|.*manifest.*\.json|.*\.(crc|md5|sha\d+|sql|ya?ml|md|log)|readme.*|licen[cs]e.*|thumbs\.db|desktop\.ini|aws-programmatic-access-test-object)$/i;

/** Returns whether a file is known not to be a bill, so that it needs no warning. */
export function isCompanion(key: string): boolean {
  return companion.test(key.slice(key.lastIndexOf('/') + 1));
}
