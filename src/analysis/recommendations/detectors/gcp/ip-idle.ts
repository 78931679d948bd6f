import type { Detector } from '../../detector.ts';
import { amountOf } from '../../figures.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { recentQuantityOf, shortId, usageOf } from '../../subject.ts';
import { placeOption } from './full-name.ts';

const idleAddress = /^Static Ip Charge/i;
/** Of the 336 hours of 14 days, less two days that are not billed yet or were spent on a move. */
const idleHours = amountOf('288');

/** Google bills an address under this SKU while nothing uses it. Catalogue 72. */
export const ipIdle: Detector = {
  type: 'gcp_ip_idle',
  summary: 'Unused static IP address',
  provider: 'gcp',
  about: 'resource',
  detect(subject, { window }) {
    const usage = usageOf(subject, idleAddress);
    // An address that is in use by now has idle hours in the window all the same.
    if (usage.length === 0 || subject.metadata.attachedTo || recentQuantityOf(subject, idleAddress) < idleHours)
      return null;
    return {
      title: `Release the idle IP address ${subject.name}`,
      description:
        'This reserved address is not in use. A released address cannot be recovered: check DNS records and ' +
        'partner allow lists first.',
      savings: wholeOf(usage, window),
      confidence: 'high',
      method: 'observed',
      evidence: { sku: usage[0]?.meter ?? '' },
      scripts: () => [
        {
          kind: 'gcloud',
          title: 'Release the address',
          script: [
            sh`gcloud compute addresses delete ${shortId(subject.nativeId)} --project=${subject.subAccount}`,
            placeOption(subject.nativeId) ?? sh`--region=${subject.region}`,
          ].join(' '),
          reversible: false,
        },
      ],
    };
  },
};
