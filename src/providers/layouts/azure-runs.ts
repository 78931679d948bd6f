import { fix, invalid } from '../../kit/errors/errors.ts';
import type { SourceFile } from '../contract.ts';
import type { ListedFile } from './listing.ts';

/** One run of an Azure export: a complete snapshot of its days. */
export interface AzureRun {
  readonly file: ListedFile;
  /** Billed subject: the scope of the export, otherwise its name, otherwise the folder above the run. */
  readonly subject: string;
  /** `FocusCost`, `ActualCost` …; null in old manifests whose folders do not contain it either. */
  readonly type: string | null;
  readonly submittedAt: Date;
  /** First and last day, inclusive; null if neither manifest nor path has them. */
  readonly days: { readonly first: string; readonly last: string } | null;
  readonly blobs: readonly AzureBlob[];
}

/** One part of a run. Null: not in the manifest. */
interface AzureBlob {
  readonly name: string;
  readonly byteCount: number | null;
  readonly rowCount: number | null;
}

/** A run whose rows count, and for which costs. */
export interface ChosenRun {
  readonly run: AzureRun;
  readonly speaksFor: SourceFile['speaksFor'];
}

type Kind = 'focus' | 'actual' | 'amortized' | 'other';

/** Selects runs that together have each charge once: for each scope and range of days the newest one. A FOCUS export takes
 *  precedence over exports of actual and amortized costs, which repeat its charges in other columns and count only for days
 *  without a FOCUS run. If both cover a scope's month, billed costs come from actual costs and effective costs from amortized
 *  costs.
 *  @throws {AppError} VALIDATION_ERROR when runs overlap ambiguously, or none contains costs */
export function chooseRuns(runs: readonly AzureRun[]): ChosenRun[] {
  const kinds = Map.groupBy(runs, kindOf);
  const focus = newestRuns(kinds.get('focus') ?? []);
  const uncovered = (kind: Kind) =>
    newestRuns(kinds.get(kind) ?? []).filter((run) => !focus.some((each) => overlaps(each, run)));
  const chosen = [...focus.map(forAllCosts), ...paired(uncovered('actual'), uncovered('amortized'))];
  const [other] = kinds.get('other') ?? [];
  if (chosen.length === 0 && other)
    throw invalid`Manifest "${other.file.key}" is of an export of type ${other.type}${fix}create one of type "Cost and usage details (FOCUS)"`;
  return chosen;
}

/** Returns the run's billing month; null if it spans several, or has no days. */
export function monthOf({ days }: AzureRun): string | null {
  return days && days.first.slice(0, 7) === days.last.slice(0, 7) ? days.first.slice(0, 7) : null;
}

/** Manifests of 2021 have no type; the files' own columns show what they contain. */
function kindOf({ type }: AzureRun): Kind {
  switch (type?.toLowerCase()) {
    case undefined:
    case 'focuscost':
      return 'focus';
    case 'actualcost':
    case 'usage':
      return 'actual';
    case 'amortizedcost':
      return 'amortized';
    default:
      return /^focus/i.test(type ?? '') ? 'focus' : 'other';
  }
}

function forAllCosts(run: AzureRun): ChosenRun {
  return { run, speaksFor: 'all' };
}

/** Pairs both halves of a bill by month; an unpaired one counts for all costs. */
function paired(actual: readonly AzureRun[], amortized: readonly AzureRun[]): ChosenRun[] {
  const rivals = (run: AzureRun, others: readonly AzureRun[]) =>
    others.filter((other) => other.subject === run.subject && other.blobs.length > 0 && overlaps(other, run));
  const choose = (run: AzureRun, others: readonly AzureRun[], half: 'billed' | 'effective'): ChosenRun => {
    const [rival, second] = rivals(run, others);
    if (!rival) return forAllCosts(run);
    if (second || monthOf(run) === null || monthOf(run) !== monthOf(rival)) throw unpaired(run, rival);
    return { run, speaksFor: half };
  };
  return [
    ...actual.map((run) => choose(run, amortized, 'billed')),
    ...amortized.map((run) => choose(run, actual, 'effective')),
  ];
}

function unpaired(run: AzureRun, rival: AzureRun): Error {
  return invalid`Runs ${spanOf(run)} and ${spanOf(rival)} have actual and amortized costs of one scope for different days, so they cannot be combined${fix}export whole months of both, or only a FOCUS export`;
}

/** Returns runs newest first, without those whose days are in a newer one of the same scope. */
function newestRuns(runs: readonly AzureRun[]): AzureRun[] {
  const kept: AzureRun[] = [];
  const newestFirst = runs.toSorted(
    (a, b) => b.submittedAt.getTime() - a.submittedAt.getTime() || (a.file.key < b.file.key ? -1 : 1),
  );
  for (const run of newestFirst) {
    const rivals = kept.filter((other) => other.subject === run.subject && overlaps(other, run));
    const [rival] = rivals;
    if (!rival) kept.push(run);
    else if (!rivals.some((other) => replaces(other, run))) throw overlapping(rival, run);
  }
  return kept;
}

function overlaps(a: AzureRun, b: AzureRun): boolean {
  // Without days, only the run's own folder identifies it: runs side by side are versions of the same snapshot.
  if (!a.days || !b.days) return true;
  return a.days.first <= b.days.last && b.days.first <= a.days.last;
}

/** Returns whether a newer run replaces an older one: it starts on the same day (month to date grows) or covers all its
 *  days. */
function replaces(newer: AzureRun, older: AzureRun): boolean {
  if (!newer.days || !older.days || newer.days.first === older.days.first) return true;
  return newer.days.first <= older.days.first && older.days.last <= newer.days.last;
}

function overlapping(newer: AzureRun, older: AzureRun): Error {
  return invalid`Runs ${spanOf(newer)} and ${spanOf(older)} of one scope overlap without one covering the other, so some days would count twice${fix}export whole months, and remove one of the two`;
}

function spanOf(run: AzureRun): string {
  return `"${run.file.key}" (${run.days?.first} to ${run.days?.last})`;
}
