import type { Detector, EvidenceValue, Finding } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import type { PricingKind } from '../../../../engine/codebook.ts';
import { usageOf, type Subject, type Window } from '../../subject.ts';

/** A kind of commitment, and what can be done about its unused part. */
interface Commitment {
  readonly type: string;
  readonly summary: string;
  readonly kind: PricingKind;
  readonly title: (name: string) => string;
  readonly advice: Readonly<Record<'aws' | 'azure' | 'gcp' | 'other', string>>;
  readonly scripts: (subject: Subject) => ReturnType<Finding['scripts']>;
}

/** A detector of the part of a commitment that nothing uses: FOCUS CommitmentDiscountStatus `Unused`. */
export function unusedCommitment(commitment: Commitment): Detector {
  return {
    type: commitment.type,
    summary: commitment.summary,
    provider: null,
    about: 'commitment',
    detect(subject, { window }) {
      const usage = usageOf(subject).filter(({ kind }) => kind === commitment.kind);
      const { endsAt } = subject.metadata;
      // Nothing can be done about what has ended.
      if (usage.length === 0 || (endsAt !== undefined && endsAt.slice(0, 10) < window.end)) return null;
      return {
        title: commitment.title(subject.name),
        description: 'Part of this commitment is unused but still billed. ' + adviceOf(subject, commitment),
        savings: wholeOf(usage, window),
        confidence: 'medium',
        method: 'upper_bound',
        evidence: evidenceOf(subject, usage, window),
        scripts: () => commitment.scripts(subject),
      };
    },
  };
}

function adviceOf({ provider }: Subject, { advice }: Commitment): string {
  return provider === 'aws' || provider === 'azure' || provider === 'gcp' ? advice[provider] : advice.other;
}

function evidenceOf(
  { commitmentType, metadata }: Subject,
  usage: Subject['usage'],
  window: Window,
): Record<string, EvidenceValue> {
  return {
    commitment_type: commitmentType,
    days_with_unused: Math.max(...usage.map(({ days }) => days)),
    days_in_window: window.days,
    ends_at: metadata.endsAt ?? null,
  };
}
