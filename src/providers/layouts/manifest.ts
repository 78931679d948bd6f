import { fix, invalid } from '../../kit/errors/errors.ts';
import type { SourceFile } from '../contract.ts';
import { formatOf, type ListedFile, type ReadText } from './listing.ts';

/** Manifests have a few kilobytes; a larger file of that name is something else. */
const maxManifestBytes = 16 * 1024 * 1024;

/** Reads and parses a JSON manifest.
 *  @throws {AppError} VALIDATION_ERROR when it has more than 16 MiB, or is not JSON: usually a truncated copy. */
export async function readManifest(file: ListedFile, readText: ReadText): Promise<unknown> {
  if (file.sizeBytes > maxManifestBytes) {
    throw invalid`Manifest "${file.key}" has ${file.sizeBytes} bytes, more than ${maxManifestBytes}: it is not an export manifest${fix}move it elsewhere`;
  }
  const text = await readText(file.key);
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw invalid`Manifest "${file.key}" is not valid JSON (${String(cause)})${fix}copy it again from the export`;
  }
}

/** Index of a listing by key, with a case-insensitive fallback. */
export class Listing {
  readonly #exact = new Map<string, ListedFile>();
  readonly #folded = new Map<string, ListedFile>();

  constructor(files: readonly ListedFile[]) {
    for (const file of files) {
      this.#exact.set(file.key, file);
      this.#folded.set(file.key.toLowerCase(), file);
    }
  }

  /** Finds the local copy of a manifest's file: the longest suffix of its remote path that exists in one of the bases.
   *  @param remotePath path in the bucket or container
   *  @param bases folders to search, each '' or ending with `/`, preferred one first */
  findTail(remotePath: string, bases: readonly string[]): ListedFile | null {
    const segments = remotePath.split('/').filter((segment) => segment !== '');
    for (let from = 0; from < segments.length; from++) {
      const tail = segments.slice(from).join('/');
      for (const base of bases) {
        const key = base + tail;
        const found = this.#exact.get(key) ?? this.#folded.get(key.toLowerCase());
        if (found) return found;
      }
    }
    return null;
  }
}

/** Converts a listed file to a source file, with data from its manifest.
 *  @throws {AppError} VALIDATION_ERROR when its extension is not a bill's. */
export function sourceFile(
  file: ListedFile,
  stated: Pick<SourceFile, 'month' | 'snapshotAt' | 'expectedRows'> &
    Partial<Pick<SourceFile, 'speaksFor' | 'delivery'>>,
): SourceFile {
  const format = formatOf(file.key);
  if (!format)
    throw invalid`File "${file.key}" is named by a manifest, but is neither CSV (plain, gzip, zstd or ZIP) nor Parquet${fix}set the export to one of them`;
  return { key: file.key, token: file.token, sizeBytes: file.sizeBytes, format, speaksFor: 'all', ...stated };
}

/** @param promised bytes according to the manifest, null if unknown
 *  @throws {AppError} VALIDATION_ERROR when the local copy differs in size. */
export function checkSize(file: ListedFile, promised: number | null, manifestKey: string): void {
  if (promised === null || promised === file.sizeBytes) return;
  throw invalid`File "${file.key}" has ${file.sizeBytes} bytes, but manifest "${manifestKey}" lists ${promised}: the copy is incomplete or of another run${fix}copy it again`;
}

/** Returns the folder of a key, '' or ending with `/`. */
export function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/') + 1);
}
