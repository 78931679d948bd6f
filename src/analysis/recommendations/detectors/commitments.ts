import type { PricingKind } from '../../../engine/codebook.ts';
import type { Detector } from './detector.ts';
import { sh, type Script } from './script.ts';
import { shortId, usageOf, wholeOf, type Subject } from './subject.ts';

/** A type of commitment, and the advice for its unused part. */
interface Commitment {
  readonly type: string;
  readonly summary: string;
  readonly kind: PricingKind;
  readonly noun: string;
  readonly advice: Readonly<Record<'aws' | 'azure' | 'gcp' | 'other', string>>;
  readonly scripts: (subject: Subject) => Script[];
}

const commitments: readonly Commitment[] = [
  {
    // Includes Google's resource-based commitments.
    type: 'reservation_unused',
    summary: 'Partly unused reservation',
    kind: 'unused_reservation',
    noun: 'reservation',
    advice: {
      aws:
        'Start instances that match it or resize others to match, modify its sizes and zone, share it with other ' +
        'accounts, or sell it on the Reserved Instance Marketplace. Make sure that it is not purchased again when it ends.',
      azure:
        'Set its scope to shared, exchange it for another size or region, or return it within the yearly limit. ' +
        'Turn off its renewal.',
      gcp: 'Share it with other projects, and merge or upgrade VMs so that they can use it. Turn off its renewal.',
      other: 'Move matching workloads onto it, or make sure that it is not purchased again.',
    },
    scripts: reservationScripts,
  },
  {
    // An hourly spend commitment that is not fully used.
    type: 'savings_plan_unused',
    summary: 'Partly unused savings plan',
    kind: 'unused_savings_plan',
    noun: 'savings plan',
    advice: {
      aws:
        'Share it with other accounts and move workloads onto what it covers. A plan purchased within the last 7 ' +
        'days and in this month can be returned. Purchase less next time.',
      azure:
        'Set its scope to shared and move workloads onto what it covers; it cannot be exchanged or returned. Turn ' +
        'off its renewal.',
      gcp: 'Share it across the billing account and move workloads onto what it covers. Turn off its renewal.',
      other: 'Move workloads onto what it covers, or make sure that it is not purchased again.',
    },
    // It can be neither changed nor cancelled.
    scripts: () => [],
  },
];

/** Detectors of the unused part of a commitment (FOCUS CommitmentDiscountStatus `Unused`), for every provider. */
export const commitmentDetectors: readonly Detector[] = commitments.map(
  ({ type, summary, kind, noun, advice, scripts }) => ({
    type,
    summary,
    provider: null,
    about: 'commitment',
    detect(subject, { window }) {
      const { provider, name, commitmentType, metadata } = subject;
      const usage = usageOf(subject).filter((each) => each.kind === kind);
      // An ended commitment cannot be changed.
      const hasEnded = metadata.endsAt !== undefined && metadata.endsAt.slice(0, 10) < window.end;
      if (usage.length === 0 || hasEnded) return null;
      const isKnown = provider === 'aws' || provider === 'azure' || provider === 'gcp';
      return {
        title: `Use the unused part of the ${noun} ${name}`,
        description: `Part of this commitment is unused but still billed. ${advice[isKnown ? provider : 'other']}`,
        savings: wholeOf(usage, window),
        confidence: 'medium',
        method: 'upper_bound',
        evidence: {
          commitment_type: commitmentType,
          days_with_unused: Math.max(...usage.map(({ days }) => days)),
          days_in_window: window.days,
          ends_at: metadata.endsAt ?? null,
        },
        scripts: () => scripts(subject),
      };
    },
  }),
);

function reservationScripts({ provider, nativeId, region }: Subject): Script[] {
  const [, order, reservation] = /\/reservationorders\/([^/]+)\/reservations\/([^/]+)$/i.exec(nativeId) ?? [];
  if (provider === 'azure' && order !== undefined && reservation !== undefined)
    return [
      {
        kind: 'azure_cli',
        title: 'Share it with all subscriptions',
        script: sh`az reservations reservation update --reservation-order-id=${order} --reservation-id=${reservation} --applied-scope-type=Shared`,
        reversible: true,
      },
    ];
  if (provider === 'aws' && /:ec2:.*:reserved-instances\//.test(nativeId))
    return [
      {
        kind: 'aws_cli',
        title: 'Show what it covers and when it ends',
        script: sh`aws ec2 describe-reserved-instances --region=${region} --reserved-instances-ids=${shortId(nativeId)}`,
        reversible: true,
      },
    ];
  return [];
}
