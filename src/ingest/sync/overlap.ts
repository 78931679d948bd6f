import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { invalid } from '../../kit/errors.ts';
import type { FileMonth, LoaderFile } from './loader/protocol.ts';

/** Refuses two files with the same content, such as an export and its copy: both would be counted.
 *  @throws {AppError} VALIDATION_ERROR naming both */
export async function refuseCopies(parts: readonly FileMonth[], files: ReadonlyMap<string, LoaderFile>): Promise<void> {
  const seen = new Map<string, FileMonth>();
  for (const part of parts) {
    const twin = seen.get(fingerprint(part));
    seen.set(fingerprint(part), part);
    const [one, other] = [files.get(twin?.file ?? ''), files.get(part.file)];
    if (!one || !other || one === other || !(await haveSameContent(one, other))) continue;
    throw invalid(
      `"${one.name}" and "${other.name}" hold the same charges of ${part.month}: remove one of them, or its costs would count twice`,
    );
  }
}

/** Files whose sums are the same to the last digit are looked at more closely. */
function fingerprint(part: FileMonth): string {
  return [part.month, part.currency, part.lineItems, part.billed, part.effective, part.list, part.contracted].join(' ');
}

async function haveSameContent(one: LoaderFile, other: LoaderFile): Promise<boolean> {
  const digests = await Promise.all([contentDigest(one), contentDigest(other)]);
  return digests[0] === digests[1];
}

async function contentDigest(file: LoaderFile): Promise<string> {
  const hash = createHash('sha256');
  const source = createReadStream(file.path);
  if (file.format === 'csv.gz') await pipeline(source, createGunzip(), hash);
  else await pipeline(source, hash);
  return hash.digest('hex');
}
