import { fix, invalid } from '../../kit/errors.ts';
import type { SourceFile } from '../contract.ts';
import { planAwsExports } from './aws-export.ts';
import { planAzureExports } from './azure-export.ts';
import type { ListedFile, ReadText, Unfinished } from './listing.ts';
import { folderOf } from './manifest.ts';
import { planPlainFiles, runWithoutManifest } from './plain.ts';

/** Picks from a listing the files that together hold each charge once: what the manifests of AWS Data Exports and of
 *  Azure Cost Management exports name, and every bill file outside their trees. Several trees may lie side by side.
 *  @param listing without hidden names
 *  @returns ordered by key
 *  @throws {AppError} VALIDATION_ERROR when a manifest and the files disagree, or when nothing says which copy counts. */
export async function planFiles(listing: readonly ListedFile[], readText: ReadText): Promise<SourceFile[]> {
  return (await plan(listing, readText, 'refuse')).files;
}

/** The same of a bucket or container that is written to while it is listed: what has no manifest yet comes with a later sync,
 *  and is a warning until then.
 *  @throws as `planFiles` */
export async function planLiveFiles(listing: readonly ListedFile[], readText: ReadText): Promise<PlannedFiles> {
  return plan(listing, readText, 'wait');
}

interface PlannedFiles {
  readonly files: SourceFile[];
  readonly warnings: readonly string[];
}

async function plan(listing: readonly ListedFile[], readText: ReadText, unfinished: Unfinished): Promise<PlannedFiles> {
  const aws = await planAwsExports(listing, readText, unfinished);
  const others = listing.filter((file) => !aws.claimed.has(file.key));
  const azure = await planAzureExports(others, readText, unfinished);
  const unclaimed = others.filter((file) => !azure.claimed.has(file.key));
  const underWay = unfinished === 'wait' ? unclaimed.filter(({ key }) => runWithoutManifest(key) !== null) : [];
  const plain = planPlainFiles(unclaimed.filter((file) => !underWay.includes(file)));
  const files = [...aws.files, ...azure.files, ...plain].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const twice = files.find((file, at) => at > 0 && files[at - 1]?.key === file.key);
  if (twice)
    throw invalid`File "${twice.key}" is named by two manifests and would count twice${fix}remove the older manifest`;
  return { files, warnings: [...aws.warnings, ...azure.warnings, ...awaitedRuns(underWay)] };
}

/** The first run of an export has no earlier manifest beside it that says what it is: its files look like it. */
function awaitedRuns(files: readonly ListedFile[]): string[] {
  const runs = new Map(files.map(({ key }) => [folderOf(key), runWithoutManifest(key)]));
  return [...runs].map(
    ([folder, vendor]) =>
      `Run "${folder}" has no manifest yet: ${vendor} writes it last, and the next sync reads it; files that were copied without it are not read`,
  );
}
