import { z } from 'zod';
import type { SourceFile, SourceMemo } from '../../contract.ts';

/** What one manifest said when it was read. */
export interface ReadManifest {
  /** ETag of the manifest. */
  readonly token: string;
  readonly month: string;
  /** When AWS made the snapshot, in ms; of two manifests of a month the later one counts. */
  readonly madeAt: number;
  readonly files: readonly SourceFile[];
}

/** What a Data Export's last listing found. */
export interface ExportMemo {
  /** Where the bucket was found to be; null: not known yet. */
  readonly region: string | null;
  /** By the manifest's key. */
  readonly manifests: Readonly<Record<string, ReadManifest>>;
}

const fileShape = z.object({
  key: z.string(),
  token: z.string(),
  sizeBytes: z.number(),
  format: z.enum(['csv', 'csv.gz', 'parquet']),
  month: z.string().nullable(),
  snapshotAt: z.iso
    .datetime()
    .transform((text) => new Date(text))
    .nullable(),
  expectedRows: z.number().nullable(),
  speaksFor: z.enum(['all', 'billed', 'effective']),
});
const memoShape = z.object({
  of: z.string(),
  region: z.string().nullable(),
  manifests: z.record(
    z.string(),
    z.object({ token: z.string(), month: z.string(), madeAt: z.number(), files: z.array(fileShape) }),
  ),
});

/** Reads a memo back.
 *  @param of what it must be about: with other settings, what was remembered is of another export
 *  @returns an empty one of any that cannot be used */
export function readExportMemo(memo: SourceMemo, of: string): ExportMemo {
  const read = memoShape.safeParse(memo);
  return read.success && read.data.of === of ? read.data : { region: null, manifests: {} };
}

/** The memo as it is stored: JSON. */
export function writeExportMemo(memo: ExportMemo, of: string): SourceMemo {
  return JSON.parse(JSON.stringify({ of, ...memo }));
}
