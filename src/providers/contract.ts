/** How the content of a bill file is written. */
export type FileFormat = 'csv' | 'csv.gz' | 'parquet';

/** One file of a bill at its source. */
export interface SourceFile {
  /** Stable name inside the source, with `/` between folders. */
  readonly key: string;
  /** Changes when the content may have changed: size, modification time and inode of a local file, later an ETag. */
  readonly token: string;
  readonly sizeBytes: number;
  readonly format: FileFormat;
  /** Billing month `YYYY-MM` where a manifest or its path says so authoritatively; null: the rows say it. */
  readonly month: string | null;
  /** When the provider made this snapshot of the month, where a manifest says so. */
  readonly snapshotAt: Date | null;
  /** Line items the manifest promises for this file, where it does. */
  readonly expectedRows: number | null;
}

/** Where the bills of an account come from. It only fetches: it knows no database. */
export interface CostSource {
  /** The files that stand for the bills now, each charge in exactly one of them, ordered by key.
   *  @throws {AppError} VALIDATION_ERROR naming the file and the remedy. */
  list(signal: AbortSignal): Promise<SourceFile[]>;
  /** Brings a file onto the local disk and answers its absolute path; what it holds is what `list` saw.
   *  @param jobDir private folder of the sync; a source that must copy copies there, under a new name
   *  @throws {AppError} VALIDATION_ERROR when it changed since it was listed. */
  fetch(file: SourceFile, jobDir: string, signal: AbortSignal): Promise<string>;
  /** @throws {AppError} VALIDATION_ERROR when the file changed, or vanished, since it was listed. */
  verify(file: SourceFile): Promise<void>;
}
