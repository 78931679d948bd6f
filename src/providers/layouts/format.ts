import type { FileFormat } from '../contract.ts';

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
