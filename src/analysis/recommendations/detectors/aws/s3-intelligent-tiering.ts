import { sumAmounts } from '../../../../kit/money.ts';
import type { Context, Detector } from '../../detector.ts';
import { amountOf, numberOf, per, perMonth, times } from '../../figures.ts';
import { onDemandOf, quantityOf, type Subject } from '../../subject.ts';
import { isBucket, tierBucket } from './s3-lifecycle.ts';

/** Below this, in GB, the fees for watching small objects may be more than is saved. */
const leastGb = amountOf('1000');
/** Reads a month for each GB; more, and most of it is in use. */
const mostReads = amountOf('1');
const tiers = ['FA', 'IA', 'AIA'].map((tier) => `TimedStorage-INT-${tier}-ByteHrs`);

/** Where buckets of the account are in Intelligent-Tiering already, what they pay a GB tells what others would. Catalogue 24. */
export const s3IntelligentTiering: Detector = {
  type: 'aws_s3_intelligent_tiering',
  summary: 'Large S3 bucket in Standard storage with few reads',
  provider: 'aws',
  about: 'resource',
  detect(subject, context) {
    if (!isBucket(subject)) return null;
    const usage = onDemandOf(subject, /^TimedStorage-ByteHrs$/);
    const { days } = context.window;
    const gigabytes = perMonth(sumAmounts(usage.map(({ quantity }) => quantity)), days);
    const reads = perMonth(quantityOf(subject, /^Requests-Tier2$/), days);
    if (gigabytes < leastGb || reads > times(gigabytes, mostReads)) return null;
    const price = blend(subject, context);
    if (price === null) return null;
    const savings = usage.map((each) => ({
      usage: each,
      amount: perMonth(each.cost - times(price, each.quantity), days),
    }));
    if (sumAmounts(savings.map(({ amount }) => amount)) <= 0n) return null;
    return {
      title: `Move ${subject.name} to Intelligent-Tiering`,
      description:
        'This bucket is in Standard storage and rarely read. Intelligent-Tiering moves unread objects to cheaper ' +
        'tiers without retrieval fees; it charges a little for each object larger than 128 KB.',
      savings,
      confidence: 'medium',
      method: 'observed',
      evidence: { gb: numberOf(gigabytes), reads_a_month: numberOf(reads), blended_price: numberOf(price) },
      scripts: () => [tierBucket(subject)],
    };
  },
};

/** What the account pays a GB over all tiers; null where it has nothing there. */
function blend(subject: Subject, { prices }: Context): bigint | null {
  const parts = tiers.flatMap((meter) => {
    const price = prices.priceOf(subject, meter);
    const cost = prices.spendOn(subject, /./, new RegExp(`^${meter}$`));
    return price === null ? [] : [{ cost, quantity: per(cost, price) }];
  });
  const quantity = sumAmounts(parts.map((part) => part.quantity));
  return quantity === 0n ? null : per(sumAmounts(parts.map((part) => part.cost)), quantity);
}
