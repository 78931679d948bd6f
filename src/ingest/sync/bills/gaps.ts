import type { Db } from '../../../kit/db.ts';
import { AppError } from '../../../kit/errors/errors.ts';
import { firstDay, type Month, monthsIn } from '../../../kit/time/period.ts';
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
  readonly kept: readonly Month[];
  /** Months without charges between loaded ones, `YYYY-MM`; none if there are at least as many of them, as where charges are rare. */
  readonly missing: readonly Month[];
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
  return { isEmpty: loaded.length === 0, hasFaults: outcome?.hasFaults ?? false, kept, missing: missingAmong(loaded) };
}

/** @param loaded ascending */
function missingAmong(loaded: readonly Month[]): Month[] {
  const [first, last] = [loaded[0], loaded.at(-1)];
  if (first === undefined || last === undefined) return [];
  const known = new Set(loaded);
  const missing = monthsIn({ start: firstDay(first), end: firstDay(last) }).filter((month) => !known.has(month));
  return missing.length < loaded.length ? missing : [];
}

/** Returns warnings about months that are kept without files, months without charges between others, and files without charges. An
 *  account for uploads that has no file yet gets no warning. */
export function gapWarnings(
  { isEmpty, hasFaults, kept, missing }: Gaps,
  { files, isWhole = false }: Pick<SourceListing, 'files' | 'isWhole'>,
  passedOver: readonly PassedOver[],
): string[] {
  const warnings: string[] = [];
  if (kept.length > 0) warnings.push(`The source no longer has files of ${monthsText(kept)}: the last load is kept`);
  // The months of data errors are in the error.
  if (missing.length > 0 && !hasFaults)
    warnings.push(
      `No charges in ${monthsText(missing)}, between months with charges: if ${missing.length === 1 ? 'this month is' : 'they are'} missing, export or upload the bill files`,
    );
  if (warnings.length > 0) return warnings;
  if (!isEmpty || hasFaults || passedOver.length > 0) return [];
  if (files.length === 0) return isWhole ? [] : ['Nothing is loaded: the source has no bill files yet'];
  return [
    `Nothing is loaded: the source has ${files.length === 1 ? '1 bill file' : `${files.length} bill files`} without charges`,
  ];
}

function monthsText(months: readonly Month[]): string {
  return months.length === 1 ? String(months[0]) : `${months.length} months from ${months[0]} to ${months.at(-1)}`;
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
