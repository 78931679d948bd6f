import { type Amount, sumAmounts } from '../../kit/money.ts';
import type { Detector, Finding } from './detector.ts';
import type { Usage } from './subject.ts';

/** A finding with who made it. */
export interface Candidate {
  readonly detector: Detector;
  readonly finding: Finding;
}

/** A finding that was kept, and those that gave way to it. */
export interface Winner extends Candidate {
  readonly saving: Amount;
  readonly losers: readonly { readonly detector: Detector; readonly saving: Amount }[];
}

/** A finding that was not kept. */
export interface Loser extends Candidate {
  readonly lostTo: Detector;
}

/** What a finding saves in a month. */
export function savingOf(finding: Finding): Amount {
  return sumAmounts(finding.savings.map(({ amount }) => amount));
}

/** Lets each usage of a subject be claimed once: the largest saving first, and of equal ones the surer, then the first by
 *  name. A finding that shares a usage with one kept before gives way whole, since what remains of it would be another
 *  recommendation than the one that was found. */
export function settleClaims(candidates: readonly Candidate[]): { winners: Winner[]; losers: Loser[] } {
  const winners: (Candidate & { saving: Amount; losers: { detector: Detector; saving: Amount }[] })[] = [];
  const losers: Loser[] = [];
  for (const candidate of [...candidates].sort(byPreference)) {
    const rival = winners.find((winner) => shareUsage(winner.finding, candidate.finding));
    const saving = savingOf(candidate.finding);
    if (rival) {
      rival.losers.push({ detector: candidate.detector, saving });
      losers.push({ ...candidate, lostTo: rival.detector });
    } else winners.push({ ...candidate, saving, losers: [] });
  }
  return { winners, losers };
}

const sureness = { high: 0, medium: 1, low: 2 } as const;

function byPreference(a: Candidate, b: Candidate): number {
  const difference = savingOf(b.finding) - savingOf(a.finding);
  if (difference !== 0n) return difference > 0n ? 1 : -1;
  const surer = sureness[a.finding.confidence] - sureness[b.finding.confidence];
  return surer !== 0 ? surer : a.detector.type < b.detector.type ? -1 : 1;
}

function shareUsage(a: Finding, b: Finding): boolean {
  const claimed = new Set<Usage>(a.savings.map(({ usage }) => usage));
  return b.savings.some(({ usage }) => claimed.has(usage));
}
