import { createHash } from 'node:crypto';
import type { SourceFile } from '../../../providers/contract.ts';
import type { Downloads } from './downloads.ts';
import type { Outcome } from './outcome.ts';
import type { BatchReader } from './reader.ts';

/** A file as the last sync left it. */
export interface RememberedFile {
  key: string;
  token: string;
  /** Billing months found in it, `YYYY-MM`. */
  months: readonly string[];
}

/** What a sync has to do, before anything is read. */
export interface SyncPlan {
  /** New or changed since the last sync. */
  changed: SourceFile[];
  /** As they were, with the billing months they are known to hold. */
  unchanged: { file: SourceFile; months: readonly string[] }[];
  /** Months that lost a file, or the old content of one: if another file still holds them, they are read anew. */
  lostMonths: string[];
  /** Months that each file of the last sync held, by key. */
  monthsBefore: ReadonlyMap<string, readonly string[]>;
  /** Remembered keys that the source no longer has. */
  removed: string[];
}

/** Compares the source with what the last sync read. */
export function planSync(listing: readonly SourceFile[], remembered: readonly RememberedFile[]): SyncPlan {
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
  };
}

interface Joined<F> {
  files: F[];
  months: Set<string>;
}

/** Groups files into the fewest batches such that no month is in two of them. */
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
  return batches.sort((a, b) => ([...a.months].sort()[0] ?? '').localeCompare([...b.months].sort()[0] ?? ''));
}

/** The plan again, for a source whose manifests are wrong about the months: its rows alone say them. */
export function withoutHints(plan: SyncPlan): SyncPlan {
  return { ...plan, changed: plan.changed.map((file) => ({ ...file, month: null })) };
}

/** What a month was read from: the same files with the same tokens give the same text. */
export function sourceToken(files: readonly { key: string; token: string }[]): string {
  const lines = files.map((file) => `${file.key}\u001f${file.token}`).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

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
