import type { SourceFile } from '../../../providers/contract.ts';
import type { Downloads } from './downloads.ts';
import type { Outcome } from './outcome.ts';
import { batchByMonth, type SyncPlan } from './plan.ts';
import type { BatchReader } from './reader.ts';

/** Files that are read together, because they share billing months, which are replaced whole. */
export interface Batch {
  readonly months: readonly string[];
  readonly changed: readonly SourceFile[];
  /** Changed files that are not in the loader yet. */
  readonly unread: readonly SourceFile[];
  /** Unchanged files that share the months. */
  readonly siblings: readonly SourceFile[];
  /** Files that are not on their way yet. */
  readonly toFetch: readonly SourceFile[];
}

/** Changed files with the months that they belong to. */
interface Group {
  readonly files: readonly SourceFile[];
  readonly months: readonly string[];
  /** Its charges are in the loader. */
  readonly isRead: boolean;
  /** Its files are fetched or on their way. */
  readonly isWanted: boolean;
}

/** A file that is inspected to learn its months stays on the disk until it is read, unless there are more bytes than this. */
const maxBytesAhead = 4 * 1024 ** 3;

interface Parts {
  readonly plan: SyncPlan;
  readonly downloads: Downloads;
  readonly reader: BatchReader;
  readonly outcome: Outcome;
}

/** Finds the billing months of each changed file, by its manifest, from that one column, or by reading it, and makes batches of
 *  them. Files that cannot be read are noted as faults. What is in the loader already comes first: the next reading replaces it. */
export async function planBatches(parts: Parts): Promise<Batch[]> {
  const groups = [...(await readUnknownMonths(parts)), ...(await inspectKnownMonths(parts))];
  const isReadIn = (members: readonly Group[]) => members.some(({ isRead }) => isRead);
  return batchByMonth(groups.map((group) => ({ file: group, months: group.months })))
    .toSorted((a, b) => Number(isReadIn(b.files)) - Number(isReadIn(a.files)))
    .map(({ files: members, months: found }) => {
      const months = [...found].sort();
      const siblings = siblingsOf(parts.plan, months);
      const toFetch = [...filesOf(members.filter(({ isWanted }) => !isWanted)), ...siblings];
      const unread = filesOf(members.filter(({ isRead }) => !isRead));
      return { months, changed: filesOf(members), unread, siblings, toFetch };
    });
}

function filesOf(groups: readonly Group[]): SourceFile[] {
  return groups.flatMap(({ files }) => files);
}

/** Months that lost a file and are in no batch are made anew of the files that still hold them. Where none does, the last good
 *  load stays. */
export function lostMonths(
  plan: SyncPlan,
  batches: readonly Batch[],
  isHeldBack: (month: string) => boolean,
): Batch | undefined {
  const handled = new Set(batches.flatMap(({ months }) => months));
  const months = plan.lostMonths.filter(
    (month) => !handled.has(month) && !isHeldBack(month) && siblingsOf(plan, [month]).length > 0,
  );
  const siblings = siblingsOf(plan, months);
  return months.length > 0 ? { months, changed: [], unread: [], siblings, toFetch: siblings } : undefined;
}

function siblingsOf(plan: SyncPlan, months: readonly string[]): SourceFile[] {
  return plan.unchanged
    .filter(({ months: held }) => held.some((month) => months.includes(month)))
    .map(({ file }) => file);
}

/** CSV files say their months only in their rows, so they are read at once, one after another. */
async function readUnknownMonths(parts: Parts): Promise<Group[]> {
  const { plan, downloads, reader, outcome } = parts;
  const files = plan.changed.filter((each) => !hasKnownMonths(each));
  downloads.want(files);
  // All are here before the first is read: the loader cannot rest with half a batch in it.
  await reader.await(files);
  const read: SourceFile[] = [];
  for (const file of files) {
    const isRead = await outcome.attempt(
      async () => {
        await reader.read([file], null);
        return true;
      },
      () => guessMonths(parts, file),
    );
    if (isRead) read.push(file);
  }
  return read.length > 0 ? [{ files: read, months: reader.monthsIn(read), isRead: true, isWanted: true }] : [];
}

async function inspectKnownMonths(parts: Parts): Promise<Group[]> {
  const groups: Group[] = [];
  for (const file of parts.plan.changed.filter(hasKnownMonths)) {
    const group = file.month
      ? { files: [file], months: [file.month], isRead: false, isWanted: false }
      : await parts.outcome.attempt(
          () => inspect(parts, file),
          () => guessMonths(parts, file),
        );
    if (group) groups.push(group);
  }
  return groups;
}

async function inspect({ downloads, reader }: Parts, file: SourceFile): Promise<Group> {
  downloads.want([file]);
  const months = await reader.inspect(file);
  const isWanted = downloads.bytes <= maxBytesAhead;
  if (!isWanted) await downloads.release([file]);
  return { files: [file], months, isRead: false, isWanted };
}

/** Months that a broken file may hold: those that its rows show and, where some cannot be read, those it held before. */
async function guessMonths({ plan, reader, outcome }: Parts, file: SourceFile): Promise<readonly string[]> {
  const { months, isComplete } = await reader.guess(file);
  const before = plan.monthsBefore.get(file.key);
  if (!isComplete && !before) outcome.holdBackAll();
  return [...months, ...(before ?? [])];
}

function hasKnownMonths(file: SourceFile): boolean {
  return file.month !== null || file.format === 'parquet';
}
