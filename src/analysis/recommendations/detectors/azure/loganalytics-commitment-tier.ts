import { sumAmounts } from '../../../../kit/money.ts';
import type { Detector } from '../../detector.ts';
import { numberOf, smaller } from '../../figures.ts';
import { shareOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { onDemandOf } from '../../subject.ts';
import { armType } from './arm.ts';

/** Days that the last 14 of the window are averaged over. */
const recentDays = 14n;
/** GB a day and what Azure takes off the pay-as-you-go price for them, in percent, the largest first. What is ingested beyond
 *  the tier has its price too. Azure Monitor's price list. */
const tiers = [
  { gb: 5000n, percent: 30 },
  { gb: 2000n, percent: 28 },
  { gb: 1000n, percent: 26 },
  { gb: 500n, percent: 25 },
  { gb: 400n, percent: 23 },
  { gb: 300n, percent: 22 },
  { gb: 200n, percent: 20 },
  { gb: 100n, percent: 15 },
] as const;

/** From 100 GB a day on, a workspace that commits to its volume pays less for it. Catalogue 68. */
export const logAnalyticsCommitmentTier: Detector = {
  type: 'azure_loganalytics_commitment_tier',
  summary: 'Log Analytics workspace that ingests enough for a commitment tier',
  provider: 'azure',
  about: 'resource',
  detect(subject, { window }) {
    if (armType(subject.nativeId) !== 'microsoft.operationalinsights/workspaces' || window.days < recentDays)
      return null;
    const usage = onDemandOf(subject, /\b(Pay-as-you-go|Analytics Logs) Data Ingestion\b/i);
    const average = sumAmounts(usage.map(({ quantity }) => quantity)) / BigInt(window.days);
    const recent = sumAmounts(usage.map(({ recentQuantity }) => recentQuantity)) / recentDays;
    // A volume that has fallen is no reason to commit to what it was.
    const daily = smaller(average, recent);
    const tier = tiers.find(({ gb }) => daily >= gb * 10n ** 24n);
    if (tier === undefined) return null;
    return {
      title: `Move ${subject.name} to the ${tier.gb} GB commitment tier`,
      description:
        `This workspace ingests ${Math.floor(numberOf(daily))} GB per day at the pay-as-you-go price. The tier of ` +
        `${tier.gb} GB per day costs ${tier.percent}% less per GB, is billed in full even if it is not used up, ` +
        'and can be left after 31 days.',
      savings: shareOf(usage, tier.percent, window),
      confidence: 'medium',
      method: 'factor',
      evidence: { gb_a_day: numberOf(daily), tier_gb_a_day: Number(tier.gb), percent: tier.percent },
      scripts: () => [
        {
          kind: 'azure_cli',
          title: 'Change the pricing tier of the workspace',
          script: sh`az monitor log-analytics workspace update --ids=${subject.nativeId} --sku=CapacityReservation --capacity-reservation-level=${String(tier.gb)}`,
          reversible: true,
        },
      ],
    };
  },
};
