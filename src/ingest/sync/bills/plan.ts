import { createHash } from 'node:crypto';
import type { Conflict, EmptiedMonth, SourceFile, SourceListing } from '../../../providers/contract.ts';
import type { RememberedFile } from '../source-store.ts';

/** The work of a sync, planned before reading anything. */
export interface SyncPlan {
  /** New or changed since the last sync. */
  changed: SourceFile[];
  /** Unchanged files, with the billing months they contain. */
  unchanged: { file: SourceFile; months: readonly string[] }[];
  /** Months that lost a file, or a file's old content; rebuilt if another file still contains them. */
  lostMonths: string[];
  /** Months in each file of the last sync, by key. */
  monthsBefore: ReadonlyMap<string, readonly string[]>;
  /** Remembered keys that the source no longer has. */
  removed: string[];
  /** Files that are not read, because it is unknown which of them counts. */
  conflicts?: readonly Conflict[];
  /** Months without charges according to manifests, unless a file contains them. */
  emptied: readonly EmptiedMonth[];
  /** The listing is the whole bill. */
  isWhole: boolean;
}

/** Compares the source with the files of the last sync. */
export function planSync(
  listing: readonly SourceFile[],
  remembered: readonly RememberedFile[],
  { emptied = [], isWhole = false }: Pick<SourceListing, 'emptied' | 'isWhole'> = {},
): SyncPlan {
  const before = new Map(remembered.map((file) => [file.key, file]));
  const keys = new Set(listing.map((file) => file.key));
  const isSame = (file: SourceFile) => before.get(file.key)?.token === file.token;
  const changed = listing.filter((file) => !isSame(file));
  const removed = remembered.filter((file) => !keys.has(file.key));
  const lost = [...removed, ...changed.flatMap((file) => before.get(file.key) ?? [])];
  return {
    changed,
    unchanged: listing.filter(isSame).map((file) => ({ file, months: before.get(file.key)?.months ?? [] })),
    lostMonths: [...new Set(lost.flatMap((file) => file.months))].sort(),
    monthsBefore: new Map(remembered.map((file) => [file.key, file.months])),
    removed: removed.map((file) => file.key),
    emptied,
    isWhole,
  };
}

/** Returns the months that the delivery no longer contains: every file that contained them was read again without them, or belongs to
 *  an export whose manifest names no charges of them, or was removed from a source that is the whole bill. Any other removed file
 *  is inconclusive.
 *  @param read files read in this sync, with or without charges */
export function vanishedMonths(plan: SyncPlan, read: readonly RememberedFile[]): string[] {
  const present = new Set([...plan.unchanged, ...read].flatMap(({ months }) => months));
  const isRead = new Set(read.map(({ key }) => key));
  const removed = new Set(plan.removed);
  const exports = (month: string) => [
    ...plan.emptied.filter((emptied) => emptied.month === month).map(({ folder }) => folder),
    ...plan.changed.filter((file) => file.month === month && isRead.has(file.key)).map(({ key }) => topOf(key)),
  ];
  const isGone = (month: string, key: string) =>
    isRead.has(key) || (removed.has(key) && (plan.isWhole || exports(month).some((folder) => key.startsWith(folder))));
  const isKnownEmpty = (month: string) =>
    plan.monthsBefore.entries().every(([key, months]) => !months.includes(month) || isGone(month, key));
  return plan.lostMonths.filter((month) => !present.has(month) && isKnownEmpty(month));
}

/** Returns the first folder of a key. */
function topOf(key: string): string {
  return key.slice(0, key.indexOf('/') + 1);
}

/** Returns the plan without the months from manifests, for a source whose manifests are wrong: only the rows determine the
 *  months. */
export function withoutHints(plan: SyncPlan): SyncPlan {
  return { ...plan, changed: plan.changed.map((file) => ({ ...file, month: null })) };
}

/** Returns a fingerprint of a month's source files: the same files with the same tokens give the same text. */
export function sourceToken(files: readonly { key: string; token: string }[]): string {
  const lines = files.map((file) => `${file.key}\u001f${file.token}`).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
