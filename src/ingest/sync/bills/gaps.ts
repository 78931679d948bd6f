import type { Db } from '../../../kit/db.ts';
import { AppError } from '../../../kit/errors/errors.ts';
import type { SourceFile, SourceListing } from '../../../providers/contract.ts';
import { notRead } from '../../../providers/layouts/not-read.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import type { PassedOver } from '../loader/protocol.ts';
import type { Outcome } from './outcome.ts';
import { listSourceFiles, loadedPeriods } from '../source-store.ts';

/** Differences between the loaded months and the files of a source. */
interface Gaps {
  /** No month is loaded. */
  readonly isEmpty: boolean;
  /** The sync has data errors, which say why months are missing. */
  readonly hasFaults: boolean;
  /** Loaded months, `YYYY-MM`, that no file contains. */
  readonly kept: readonly string[];
}

/** Compares the loaded months with the files, after a sync.
 *  @param outcome of the sync: files of months with data errors are not remembered, but they are there */
export async function sourceGaps(
  { db }: { db: Db },
  scope: OrgScope,
  { accountId, outcome }: { readonly accountId: string; readonly outcome: Outcome | null },
): Promise<Gaps> {
  const present = new Set((await listSourceFiles(db, scope, accountId)).flatMap(({ months }) => months));
  const loaded = [...(await loadedPeriods(db, scope, accountId)).keys()].sort();
  const kept = loaded.filter((month) => !present.has(month) && !outcome?.isInFiles(month));
  return { isEmpty: loaded.length === 0, hasFaults: outcome?.hasFaults ?? false, kept };
}

/** Returns warnings about months that are kept without files, and about files without charges. An account
 *  for uploads that has no file yet gets no warning. */
export function gapWarnings(
  { isEmpty, hasFaults, kept }: Gaps,
  { files, isWhole = false }: Pick<SourceListing, 'files' | 'isWhole'>,
  passedOver: readonly PassedOver[],
): string[] {
  const [first, last] = [kept[0], kept.at(-1)];
  if (first !== undefined) {
    const months = kept.length === 1 ? first : `${kept.length} months from ${first} to ${last}`;
    return [`The source no longer has files of ${months}: the last load is kept`];
  }
  if (!isEmpty || hasFaults || passedOver.length > 0) return [];
  if (files.length === 0) return isWhole ? [] : ['Nothing is loaded: the source has no bill files yet'];
  return [
    `Nothing is loaded: the source has ${files.length === 1 ? '1 bill file' : `${files.length} bill files`} without charges`,
  ];
}

/** Maximum number of names besides the first one. */
const otherNames = 5;

/** Rejects a source without any bill among its files: a sync without any charge would count as a success.
 *  @throws {AppError} VALIDATION_ERROR naming the first file */
export function refuseNothing(files: readonly SourceFile[], passedOver: readonly PassedOver[]): void {
  const keys = new Set(passedOver.map(({ key }) => key));
  const [first] = passedOver;
  if (!first || !files.every(({ key }) => keys.has(key))) return;
  const others = passedOver.slice(1, 1 + otherNames).map(({ name }) => name);
  const more = passedOver.length - 1 - others.length;
  const also =
    others.length > 0
      ? `. Also not ${others.length === 1 ? 'a bill' : 'bills'}: ${others.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
      : '';
  throw new AppError('VALIDATION_ERROR', `Nothing was loaded: ${first.name} is not a bill: ${first.because}${also}`);
}

/** Returns a warning per reason. */
export function warnOfPassedOver(passedOver: readonly PassedOver[]): string[] {
  const byReason = Map.groupBy(passedOver, ({ because }) => because);
  return [...byReason].map(([because, files]) =>
    notRead(
      files.map(({ name }) => name),
      because,
    ),
  );
}
