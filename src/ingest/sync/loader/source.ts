import type { Layout } from './layout.ts';
import type { LoaderFile } from './protocol.ts';

/** A file to be read. */
export interface Source {
  file: LoaderFile;
  layout: Layout;
  /** The file's number in the table. */
  no: number;
}

/** The files' numbers, as a list of SQL. */
export function numbers(sources: readonly Source[]): string {
  return sources.map((source) => source.no).join(',');
}
