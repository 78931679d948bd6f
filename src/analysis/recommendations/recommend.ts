import type { Amount } from '../../kit/money.ts';
import { addDays } from '../../kit/period.ts';
import { settleClaims, savingOf, type Candidate, type Winner } from './claims.ts';
import type { Confidence, Context, Detector, Finding } from './detector.ts';
import { isIgnored } from './environment.ts';
import { amountOf, numberOf, perMonth, smaller } from './figures.ts';
import { scriptsFor } from './facts-script.ts';
import type { Script } from './script.ts';
import type { Subject, Usage, Window } from './subject.ts';

/** A month's saving below this, in the currency of the bill, is not worth anybody's time. */
const leastSaving = amountOf('1');
/** Days that something must have been billed for before anything is recommended of it. */
const graceDays = 7;

/** A recommendation before it is kept. */
export interface Draft {
  /** What keeps its status over syncs: detector and subject. */
  readonly fingerprint: string;
  readonly type: string;
  readonly subject: Subject;
  readonly title: string;
  readonly description: string;
  /** A month of 30.4375 days, in the subject's currency. */
  readonly saving: Amount;
  readonly confidence: Confidence;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly scripts: readonly Script[];
}

/** What was found on a subject but is not recommended, and why. */
export interface Withheld {
  readonly fingerprint: string;
  readonly reason: string;
}

/** Everything that the detectors recommend of a subject, no usage of it claimed twice. */
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

/** What keeps a recommendation's status over syncs. */
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

/** No usage saves more than it costs, and none is counted that costs nothing. */
function realisable(finding: Finding, window: Window): Finding['savings'] {
  return finding.savings
    .map(({ usage, amount }) => ({ usage, amount: smaller(amount, perMonth(usage.cost, window.days)) }))
    .filter(({ amount }) => amount > 0n);
}

function refusal(subject: Subject, window: Window): string | null {
  if (isIgnored(subject)) return 'A tag excludes it from recommendations.';
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
