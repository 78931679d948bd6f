import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { fix, invalid } from '../../kit/errors.ts';
import type { FileMonth, LoaderFile } from './loader/protocol.ts';

/** Refuses two files with the same content, such as an export and its copy: both would be counted.
 *  @throws {AppError} VALIDATION_ERROR naming both */
export async function refuseCopies(parts: readonly FileMonth[], files: ReadonlyMap<string, LoaderFile>): Promise<void> {
  for (const twins of Map.groupBy(parts, fingerprint).values()) await refuseTwins(twins, files);
}

async function refuseTwins(twins: readonly FileMonth[], files: ReadonlyMap<string, LoaderFile>): Promise<void> {
  if (twins.length < 2) return;
  const seen = new Map<string, LoaderFile>();
  for (const { file, month } of twins) {
    const local = files.get(file);
    if (!local) continue;
    const digest = await contentDigest(local);
    const other = seen.get(digest);
    if (other)
      throw invalid`"${other.name}" and "${local.name}" hold the same charges of ${month}${fix}remove one of them, or its costs would count twice`;
    seen.set(digest, local);
  }
}

/** Files whose sums are the same to the last digit are looked at more closely. */
function fingerprint(part: FileMonth): string {
  return [part.month, part.currency, part.lineItems, part.billed, part.effective, part.list, part.contracted].join(' ');
}

async function contentDigest(file: LoaderFile): Promise<string> {
  const hash = createHash('sha256');
  const source = createReadStream(file.path);
  if (file.format === 'csv.gz') await pipeline(source, createGunzip(), hash);
  else await pipeline(source, hash);
  return hash.digest('hex');
}
