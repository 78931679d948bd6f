import type { SourceFile } from '../../../providers/contract.ts';
import type { Companions } from './companions.ts';
import type { Downloads } from './downloads.ts';
import type { Outcome } from './outcome.ts';
import type { SyncPlan } from './plan.ts';
import type { BatchReader } from './reader.ts';

/** Files read together because they share billing months, which are replaced as a whole. */
export interface Batch {
  /** Newest first. */
  readonly months: readonly string[];
  readonly changed: readonly SourceFile[];
  /** Changed files that are not in the loader yet. */
  readonly unread: readonly SourceFile[];
  /** Unchanged files with the same months. */
  readonly siblings: readonly SourceFile[];
  /** Files whose download has not started. */
  readonly toFetch: readonly SourceFile[];
}

/** Changed files with their months. */
interface Group {
  readonly files: readonly SourceFile[];
  readonly months: readonly string[];
  /** Its charges are in the loader. */
  readonly isRead: boolean;
  /** Its files are downloaded or being downloaded. */
  readonly isWanted: boolean;
}

/** Bytes on disk above which a file that was downloaded to inspect its months is deleted, and downloaded again to be read. */
const maxBytesAhead = 4 * 1024 ** 3;

interface Parts {
  readonly plan: SyncPlan;
  readonly companions: Companions;
  readonly downloads: Downloads;
  readonly reader: BatchReader;
  readonly outcome: Outcome;
}

/** Determines the billing months of each changed file, from its manifest, its month column or by reading it, and groups the
 *  files into batches. Records unreadable files as data errors. Batches already in the loader come first: the next read
 *  replaces them. */
export async function planBatches(parts: Parts): Promise<Batch[]> {
  const groups = [...(await readUnknownMonths(parts)), ...(await inspectKnownMonths(parts))];
  const isReadIn = (members: readonly Group[]) => members.some(({ isRead }) => isRead);
  return batchByMonth(groups.map((group) => ({ file: group, months: group.months })))
    .toSorted((a, b) => Number(isReadIn(b.files)) - Number(isReadIn(a.files)))
    .map(({ files: members, months: found }) => {
      const months = [...found].sort().toReversed();
      const siblings = siblingsOf(parts.plan, months);
      const toFetch = [...filesOf(members.filter(({ isWanted }) => !isWanted)), ...siblings];
      const unread = filesOf(members.filter(({ isRead }) => !isRead));
      return { months, changed: filesOf(members), unread, siblings, toFetch };
    });
}

function filesOf(groups: readonly Group[]): SourceFile[] {
  return groups.flatMap(({ files }) => files);
}

/** Returns a batch that rebuilds months that lost a file and are in no other batch, from the files that still contain them. If
 *  no file does, the last good load stays. */
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

/** Reads files whose months are only in their rows (CSV) immediately, one after another. */
async function readUnknownMonths(parts: Parts): Promise<Group[]> {
  const { plan, companions, downloads, reader, outcome } = parts;
  const files = plan.changed.filter((each) => !hasKnownMonths(each));
  downloads.want(files);
  // Wait for all before reading the first: the loader cannot stop with half a batch in it.
  await reader.await(files);
  const read: SourceFile[] = [];
  for (const file of files) {
    const kind = await outcome.attemptFile(
      file,
      async () => {
        if (await companions.take(file)) return 'companion';
        await reader.read([file], null);
        return 'bill';
      },
      () => guessMonths(parts, file),
    );
    if (kind === 'bill') read.push(file);
    if (kind === null) await downloads.release([file]);
  }
  return read.length > 0 ? [{ files: read, months: reader.monthsIn(read), isRead: true, isWanted: true }] : [];
}

async function inspectKnownMonths(parts: Parts): Promise<Group[]> {
  const groups: Group[] = [];
  for (const file of parts.plan.changed.filter(hasKnownMonths)) {
    const group = file.month
      ? { files: [file], months: [file.month], isRead: false, isWanted: false }
      : await parts.outcome.attemptFile(
          file,
          () => inspect(parts, file),
          () => guessMonths(parts, file),
        );
    if (group === null) await parts.downloads.release([file]);
    else if (group !== 'companion') groups.push(group);
  }
  return groups;
}

async function inspect({ companions, downloads, reader }: Parts, file: SourceFile): Promise<Group | 'companion'> {
  downloads.want([file]);
  await downloads.take(file);
  if (await companions.take(file)) return 'companion';
  const months = await reader.inspect(file);
  const isWanted = downloads.bytes <= maxBytesAhead;
  if (!isWanted) await downloads.release([file]);
  return { files: [file], months, isRead: false, isWanted };
}

/** Returns the months that a broken file may contain: those in its readable rows and, if some rows are unreadable, those it
 *  contained before. */
async function guessMonths({ plan, reader, outcome }: Parts, file: SourceFile): Promise<readonly string[]> {
  const { months, isComplete } = await reader.guess(file);
  const before = plan.monthsBefore.get(file.key);
  if (!isComplete && !before) outcome.holdBackAll();
  return [...months, ...(before ?? [])];
}

function hasKnownMonths(file: SourceFile): boolean {
  return file.month !== null || file.format === 'parquet';
}

interface Joined<F> {
  files: F[];
  months: Set<string>;
}

/** Groups files into as many batches as possible such that no month is in two of them. The newest month comes first, so that
 *  current costs are known early in a long sync. */
export function batchByMonth<F>(files: readonly { file: F; months: readonly string[] }[]): Joined<F>[] {
  let batches: Joined<F>[] = [];
  for (const { file, months } of files) {
    const touching = batches.filter((batch) => months.some((month) => batch.months.has(month)));
    const merged: Joined<F> = {
      files: [...touching.flatMap((batch) => batch.files), file],
      months: new Set([...touching.flatMap((batch) => [...batch.months]), ...months]),
    };
    batches = [...batches.filter((batch) => !touching.includes(batch)), merged];
  }
  return batches.sort((a, b) => newestOf(b.months).localeCompare(newestOf(a.months)));
}

function newestOf(months: ReadonlySet<string>): string {
  return [...months].sort().at(-1) ?? '';
}
