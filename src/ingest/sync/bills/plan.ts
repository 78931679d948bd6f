import { createHash } from 'node:crypto';
import type { SourceFile } from '../../../providers/contract.ts';

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
