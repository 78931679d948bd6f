import { fix, invalid } from '../../kit/errors.ts';
import type { SourceFile } from '../contract.ts';
import { isExecutionFolder } from './aws-export.ts';
import { formatOf, stemOf } from './format.ts';
import type { ListedFile } from './listing.ts';
import { sourceFile } from './manifest.ts';

/** Every bill file that no manifest speaks for. Its billing months are those of its rows: a month in the path
 *  (`billing_period=2026-05`) is only how someone filed it.
 *  @throws {AppError} VALIDATION_ERROR when the listing plainly holds the same bill twice. */
export function planPlainFiles(listing: readonly ListedFile[]): SourceFile[] {
  const files = listing.filter((file) => formatOf(file.key) !== null);
  refuseTwins(files);
  refuseSeveralRuns(files);
  return files.map((file) => sourceFile(file, { month: null, snapshotAt: null, expectedRows: null }));
}

function refuseTwins(files: readonly ListedFile[]): void {
  const seen = new Map<string, string>();
  for (const { key } of files) {
    const twin = seen.get(stemOf(key));
    if (twin)
      throw invalid`Files "${twin}" and "${key}" differ only in their format: they would count twice${fix}keep one of them`;
    seen.set(stemOf(key), key);
  }
}

const azurePeriod = /^\d{8}-\d{8}$/;
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whose export a file is a part of, by its name and folders: AWS's and Azure's come with a manifest, which is written last. Null
 *  of any other file. */
export function runWithoutManifest(key: string): 'AWS' | 'Azure' | null {
  const segments = key.split('/');
  const name = segments.pop() ?? '';
  if (/^part_\d+_\d+\./i.test(name)) return 'Azure';
  if (segments.some((each) => guid.test(each)) && segments.some((each) => azurePeriod.test(each))) return 'Azure';
  return segments.some(isExecutionFolder) ? 'AWS' : null;
}

/** Exports that keep every run write one folder a run; without their manifests nothing says which one counts. */
function refuseSeveralRuns(files: readonly ListedFile[]): void {
  const runs = new Map<string, string>();
  for (const { key } of files) {
    const segments = key.split('/').slice(0, -1);
    segments.forEach((segment, depth) => {
      const azure = guid.test(segment) && segments.some((other) => azurePeriod.test(other));
      if (!azure && !isExecutionFolder(segment)) return;
      const parent = segments.slice(0, depth).join('/');
      const other = runs.get(parent) ?? segment;
      runs.set(parent, other);
      if (other === segment) return;
      throw invalid`Folder "${parent}" holds several runs of one export ("${other}", "${segment}") and no manifest says which one counts${fix}copy the export's manifests too, or keep only the newest run`;
    });
  }
}
