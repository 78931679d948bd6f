import { type Amount, sumAmounts } from '../../../kit/money.ts';
import { addDays } from '../../../kit/time/period.ts';
import { tagKeyName } from '../../../kit/tag-key.ts';
import type { Confidence, Context, Detector, Finding } from '../detectors/detector.ts';
import { amountOf, numberOf, perMonth, smaller } from '../detectors/figures.ts';
import { scriptsFor, type Script } from '../detectors/script.ts';
import { tagOf, type Subject, type Usage, type Window } from '../detectors/subject.ts';

/** Minimum monthly saving of a recommendation, in the currency of the bill. */
const leastSaving = amountOf('1');
/** Days since a resource's first charge before anything is recommended for it. */
const graceDays = 7;

/** A recommendation that is not stored yet. */
export interface Draft {
  /** Detector and subject: the key that preserves its status across syncs. */
  readonly fingerprint: string;
  readonly type: string;
  readonly subject: Subject;
  readonly title: string;
  readonly description: string;
  /** Per month of 30.4375 days, in the subject's currency. */
  readonly saving: Amount;
  readonly confidence: Confidence;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly scripts: readonly Script[];
}

/** A finding that is not recommended, with the reason. */
export interface Withheld {
  readonly fingerprint: string;
  readonly reason: string;
}

/** Returns the recommendations for a subject, with each usage claimed at most once. */
export function recommend(
  subject: Subject,
  detectors: readonly Detector[],
  context: Context,
): { drafts: Draft[]; withheld: Withheld[] } {
  if (subject.isGone) return { drafts: [], withheld: [] };
  const candidates = findAll(subject, detectors, context);
  if (candidates.length === 0) return { drafts: [], withheld: [] };
  const why = refusal(subject, context.window);
  if (why !== null) return { drafts: [], withheld: candidates.map((each) => withhold(subject, each.detector, why)) };
  const worthwhile = candidates.filter(({ finding }) => savingOf(finding) >= leastSaving);
  const { winners, losers } = settleClaims(worthwhile);
  const small = candidates.filter((each) => !worthwhile.includes(each));
  return {
    drafts: winners.map((winner) => draftOf(subject, winner, context.window)),
    withheld: [
      ...losers.map((each) =>
        withhold(
          subject,
          each.detector,
          `Another recommendation for the same charges saves more or is more certain: ${each.lostTo.type}.`,
        ),
      ),
      ...small.map((each) =>
        withhold(subject, each.detector, `The remaining saving is less than 1 ${subject.currency} per month.`),
      ),
    ],
  };
}

/** Returns the key of a recommendation. */
function fingerprintOf(type: string, subject: Pick<Subject, 'about' | 'id'>): string {
  return `${type}:${subject.about}:${subject.id}`;
}

function findAll(subject: Subject, detectors: readonly Detector[], context: Context): Candidate[] {
  return detectors.flatMap((detector) => {
    if (detector.about !== subject.about) return [];
    if (detector.provider !== null && detector.provider !== subject.provider) return [];
    const finding = detector.detect(subject, context);
    if (finding === null) return [];
    const savings = realisable(finding, context.window);
    return savings.length === 0 ? [] : [{ detector, finding: { ...finding, savings } }];
  });
}

/** Limits savings to the cost of each usage, and drops those of 0 or less. */
function realisable(finding: Finding, window: Window): Finding['savings'] {
  return finding.savings
    .map(({ usage, amount }) => ({ usage, amount: smaller(amount, perMonth(usage.cost, window.days)) }))
    .filter(({ amount }) => amount > 0n);
}

function refusal(subject: Subject, window: Window): string | null {
  if (isIgnored(subject)) return 'A tag excludes it from recommendations.';
  if (subject.unconverted !== null)
    return `Its costs in ${subject.unconverted} and ${subject.currency} cannot be compared without an exchange rate.`;
  if (subject.about === 'resource' && subject.firstSeen > addDays(window.end, -graceDays))
    return `It was first billed less than ${graceDays} days ago.`;
  return null;
}

function withhold(subject: Subject, detector: Detector, reason: string): Withheld {
  return { fingerprint: fingerprintOf(detector.type, subject), reason };
}

function draftOf(subject: Subject, { detector, finding, saving, losers }: Winner, window: Window): Draft {
  return {
    fingerprint: fingerprintOf(detector.type, subject),
    type: detector.type,
    subject,
    title: finding.title,
    description: finding.description,
    saving,
    confidence: finding.confidence,
    evidence: {
      ...finding.evidence,
      method: finding.method,
      window_start: window.start,
      window_end: addDays(window.end, -1),
      charges: finding.savings.map(({ usage, amount }) => chargeOf(usage, amount, window)),
      alternatives: losers.map((loser) => ({
        type: loser.detector.type,
        estimated_monthly_savings: numberOf(loser.saving),
      })),
    },
    scripts: scriptsFor(finding, subject, window),
  };
}

function chargeOf(usage: Usage, saved: Amount, window: Window) {
  return {
    meter: usage.meter,
    unit: usage.unit,
    quantity: numberOf(usage.quantity),
    monthly_cost: numberOf(perMonth(usage.cost, window.days)),
    monthly_savings: numberOf(saved),
  };
}

/** Returns whether a tag excludes it from recommendations: `finops:ignore` with any value except `false`, or Azure Site
 *  Recovery's tag on its disks. */
export function isIgnored(subject: Subject): boolean {
  const ignore = tagOf(subject, 'finops:ignore') ?? tagOf(subject, 'finops-ignore');
  if (ignore !== null && ignore.trim().toLowerCase() !== 'false') return true;
  return Object.keys(subject.tags).some((key) => /^(asr-replicadisk|asrseeddisk)$/i.test(tagKeyName(key)));
}

/** A finding with its detector. */
export interface Candidate {
  readonly detector: Detector;
  readonly finding: Finding;
}

/** A finding that was kept, with those it displaced. */
export interface Winner extends Candidate {
  readonly saving: Amount;
  readonly losers: readonly { readonly detector: Detector; readonly saving: Amount }[];
}

/** A finding that was displaced. */
export interface Loser extends Candidate {
  readonly lostTo: Detector;
}

/** Returns the monthly saving of a finding. */
export function savingOf(finding: Finding): Amount {
  return sumAmounts(finding.savings.map(({ amount }) => amount));
}

/** Resolves overlaps so that each usage is claimed once: largest saving first, then higher confidence, then name. A finding
 *  that shares a usage with a kept one is displaced completely: the rest would be a different recommendation. */
function settleClaims(candidates: readonly Candidate[]): { winners: Winner[]; losers: Loser[] } {
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

const confidenceRanks = { high: 0, medium: 1, low: 2 } as const;

function byPreference(a: Candidate, b: Candidate): number {
  const difference = savingOf(b.finding) - savingOf(a.finding);
  if (difference !== 0n) return difference > 0n ? 1 : -1;
  const surer = confidenceRanks[a.finding.confidence] - confidenceRanks[b.finding.confidence];
  return surer !== 0 ? surer : a.detector.type < b.detector.type ? -1 : 1;
}

function shareUsage(a: Finding, b: Finding): boolean {
  const claimed = new Set<Usage>(a.savings.map(({ usage }) => usage));
  return b.savings.some(({ usage }) => claimed.has(usage));
}
