import { fix, invalid } from '../../kit/errors.ts';
import type { SourceFile } from '../contract.ts';
import type { AzureRun } from './azure-export.ts';

/** A run whose rows count, and for which costs. */
export interface ChosenRun {
  readonly run: AzureRun;
  readonly speaksFor: SourceFile['speaksFor'];
}

type Kind = 'focus' | 'actual' | 'amortized' | 'other';

/** Of all runs in a tree those that together hold each charge once: of each scope and span of days the newest one. A FOCUS
 *  export goes before those of actual and amortized costs, which repeat its charges in other columns; they count for days that
 *  no FOCUS run holds. Where both cover a scope's month, billed costs are the actual ones and effective costs the amortized.
 *  @throws {AppError} VALIDATION_ERROR when runs overlap so that no choice is right, or none is of costs */
export function chooseRuns(runs: readonly AzureRun[]): ChosenRun[] {
  const kinds = Map.groupBy(runs, kindOf);
  const focus = newestRuns(kinds.get('focus') ?? []);
  const uncovered = (kind: Kind) =>
    newestRuns(kinds.get(kind) ?? []).filter((run) => !focus.some((each) => overlaps(each, run)));
  const chosen = [...focus.map(alone), ...paired(uncovered('actual'), uncovered('amortized'))];
  const [other] = kinds.get('other') ?? [];
  if (chosen.length === 0 && other)
    throw invalid`Manifest "${other.file.key}" is of an export of type ${other.type}${fix}create one of type "Cost and usage details (FOCUS)"`;
  return chosen;
}

/** The run's billing month; null when it spans several, or does not say. */
export function monthOf({ days }: AzureRun): string | null {
  return days && days.first.slice(0, 7) === days.last.slice(0, 7) ? days.first.slice(0, 7) : null;
}

/** Manifests of 2021 name no type: what they hold shows in the files' own columns. */
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

function alone(run: AzureRun): ChosenRun {
  return { run, speaksFor: 'all' };
}

/** Both halves of a bill, month by month; one that stands alone speaks for all. */
function paired(actual: readonly AzureRun[], amortized: readonly AzureRun[]): ChosenRun[] {
  const rivals = (run: AzureRun, others: readonly AzureRun[]) =>
    others.filter((other) => other.subject === run.subject && other.blobs.length > 0 && overlaps(other, run));
  const choose = (run: AzureRun, others: readonly AzureRun[], half: 'billed' | 'effective'): ChosenRun => {
    const [rival, second] = rivals(run, others);
    if (!rival) return alone(run);
    if (second || monthOf(run) === null || monthOf(run) !== monthOf(rival)) throw unpaired(run, rival);
    return { run, speaksFor: half };
  };
  return [
    ...actual.map((run) => choose(run, amortized, 'billed')),
    ...amortized.map((run) => choose(run, actual, 'effective')),
  ];
}

function unpaired(run: AzureRun, rival: AzureRun): Error {
  return invalid`Runs ${spanOf(run)} and ${spanOf(rival)} hold actual and amortized costs of one scope for different days, so they cannot be put together${fix}export whole months of both, or a FOCUS export alone`;
}

/** Newest first, leaving out every run whose days a newer one of the same scope already holds. */
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
  // Without days, the run's own folder is all there is to go by: two runs side by side are the same snapshot, remade.
  if (!a.days || !b.days) return true;
  return a.days.first <= b.days.last && b.days.first <= a.days.last;
}

/** A newer run stands for an older one when it starts on the same day (month to date grows) or covers all its days. */
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
