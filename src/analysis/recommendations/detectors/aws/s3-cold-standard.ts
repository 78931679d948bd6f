import type { Detector } from '../../detector.ts';
import { amountOf, numberOf } from '../../figures.ts';
import { hasMeter, onDemandOf, quantityOf } from '../../subject.ts';
import { ageInDays } from './age.ts';
import { priceCut } from './price-cut.ts';
import { isBucket, tierBucket } from './s3-lifecycle.ts';

/** Saved on storage that nobody reads: AWS's Cloud Intelligence Dashboards. */
const factor = 30;
/** Days that a bucket must be known for. */
const leastAge = 60;
/** Requests in 30 days that scanners and consoles make on any bucket. */
const noise = amountOf('1000');

/** Standard storage is for what is read. Catalogue 23. */
export const s3ColdStandard: Detector = {
  type: 'aws_s3_cold_standard',
  summary: 'S3 bucket in Standard storage with almost no reads or writes',
  provider: 'aws',
  about: 'resource',
  detect(subject, context) {
    const usage = onDemandOf(subject, /^TimedStorage-ByteHrs$/);
    const requests = quantityOf(subject, /^Requests-Tier[12]$/);
    if (!isBucket(subject) || usage.length === 0 || hasMeter(subject, /^TimedStorage-(?!ByteHrs$)/)) return null;
    if (requests >= noise || ageInDays(subject.firstSeen, context.window) < leastAge) return null;
    const cut = priceCut(context, { subject, usage, meters: ['TimedStorage-SIA-ByteHrs'] }, factor);
    if (cut === null) return null;
    return {
      title: `Move ${subject.name} to Intelligent-Tiering`,
      description:
        'This bucket had almost no reads or writes, and all of its data is in Standard storage. ' +
        'Intelligent-Tiering moves unread objects to cheaper tiers without retrieval fees; moving each object ' +
        'costs a little.',
      ...cut,
      confidence: 'medium',
      evidence: {
        requests: numberOf(requests),
        gb_months: numberOf(quantityOf(subject, /^TimedStorage-ByteHrs$/)),
      },
      scripts: () => [tierBucket(subject)],
    };
  },
};
