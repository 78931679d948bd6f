import type { Detector } from '../../detector.ts';
import { sh } from '../../script.ts';
import { hasMeter, onDemandOf, shortId } from '../../subject.ts';
import { repriced } from '../repriced.ts';

/** What Nearline costs less than Standard, in percent: 0.010 instead of 0.020 USD a GiB in a region, 0.015 instead of 0.026 in
 *  several, rounded down (Google's price list, US and EU). */
const nearlineSaving = 50;
const nearlineSavingInSeveral = 40;
const several = /\b(Multi|Dual)-region/i;
/** Days of usage from which on something can be said of reads. */
const leastDays = 28;

/** `Standard Storage Belgium`, `Standard Storage EU Multi-region`. */
const standard = /^Standard Storage\b/i;
/** Reading is billed as Class B operations and as traffic. */
const reading = /Class B (Operations|Request)|Data Transfer|Egress|Download/i;
const writing = /Class A (Operations|Request)/i;

/** Data that nobody reads costs half in Nearline, and Autoclass brings it there by itself. Catalogue 80. */
export const gcsStandardCold: Detector = {
  type: 'gcp_gcs_standard_cold',
  summary: 'Standard class bucket without reads',
  provider: 'gcp',
  about: 'resource',
  detect(subject, context) {
    if (!subject.nativeId.startsWith('//storage.googleapis.com/')) return null;
    if (subject.metadata.hasLifecyclePolicy === true || hasMeter(subject, reading)) return null;
    const usage = onDemandOf(subject, standard).filter(({ days }) => days >= leastDays);
    const percent = usage.some(({ meter }) => several.test(meter)) ? nearlineSavingInSeveral : nearlineSaving;
    const { savings, method } = repriced(
      usage,
      context,
      ({ meter }) => context.prices.priceOf(subject, meter.replace(standard, 'Nearline Storage')),
      percent,
    );
    if (savings.length === 0) return null;
    const isWritten = hasMeter(subject, writing);
    return {
      title: `Turn on Autoclass for ${subject.name}`,
      description:
        'Nothing was read from this bucket in the evaluated period, and its data is in the Standard class. ' +
        'Autoclass moves data that has not been read for 30 days to Nearline, and back when it is read, without ' +
        'retrieval fees; it costs a little for each object.',
      savings,
      // What was written lately stays in Standard for a month.
      confidence: isWritten ? 'low' : 'medium',
      method,
      evidence: { reads: 0, is_written: isWritten, percent: method === 'factor' ? percent : null },
      scripts: () => [
        {
          kind: 'gcloud',
          title: 'Turn on Autoclass',
          script: sh`gcloud storage buckets update ${`gs://${shortId(subject.nativeId)}`} --enable-autoclass`,
          reversible: true,
        },
      ],
    };
  },
};
