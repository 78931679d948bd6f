import { fix, invalid } from '../../kit/errors.ts';
import type { ListedFile } from '../layouts/listing.ts';
import { followPages } from '../pages.ts';

/** Objects of a listing: a prefix beyond holds no export, or those of many. */
const maxObjects = 100_000;
/** Pages may be emptier than the largest. */
const maxPages = 1_000;

/** One page of a listing. */
export interface Page {
  readonly files: readonly ListedFile[];
  /** What asks for the next one; null after the last. */
  readonly next: string | null;
}

/** Reads a listing page by page. Placeholders of folders are left out.
 *  @param name of the bucket or container, for messages
 *  @returns ordered by key
 *  @throws {AppError} VALIDATION_ERROR beyond 100,000 objects, or when the paging has no end */
export async function listPages(
  name: string,
  pageAfter: (token: string | undefined) => Promise<Page>,
): Promise<ListedFile[]> {
  const files: ListedFile[] = [];
  const endless = () =>
    invalid`The listing of ${name} has no end (endless paging): its pages come again${fix}ask the store's operator`;
  for await (const page of followPages(pageAfter, ({ next }) => next, maxPages, endless)) {
    files.push(...page.files.filter((file) => !file.key.endsWith('/')));
    if (files.length > maxObjects)
      throw invalid`The prefix of ${name} holds more than ${maxObjects} objects${fix}name a longer prefix`;
  }
  return files.sort((a, b) => (a.key < b.key ? -1 : 1));
}
