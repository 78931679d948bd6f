import { invalid } from '../../kit/errors.ts';
import type { SourceFile } from '../contract.ts';
import { planAwsExports } from './aws-export.ts';
import { planAzureExports } from './azure-export.ts';
import type { ListedFile, ReadText } from './listing.ts';
import { planPlainFiles } from './plain.ts';

/** Picks from a listing the files that together hold each charge once: what the manifests of AWS Data Exports and of
 *  Azure Cost Management exports name, and every bill file outside their trees. Several trees may lie side by side.
 *  @param listing without hidden names
 *  @returns ordered by key
 *  @throws {AppError} VALIDATION_ERROR when a manifest and the files disagree, or when nothing says which copy counts. */
export async function planFiles(listing: readonly ListedFile[], readText: ReadText): Promise<SourceFile[]> {
  const aws = await planAwsExports(listing, readText);
  const others = listing.filter((file) => !aws.claimed.has(file.key));
  const azure = await planAzureExports(others, readText);
  const plain = planPlainFiles(others.filter((file) => !azure.claimed.has(file.key)));
  const files = [...aws.files, ...azure.files, ...plain].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const twice = files.find((file, at) => at > 0 && files[at - 1]?.key === file.key);
  if (twice)
    throw invalid(`File "${twice.key}" is named by two manifests and would count twice: remove the older manifest`);
  return files;
}
