import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { shortId, usageOf } from '../../subject.ts';

/** Google bills an address under this SKU while nothing uses it. Catalogue 72. */
export const ipIdle: Detector = {
  type: 'gcp_ip_idle',
  summary: 'Static IP address that nothing uses',
  provider: 'gcp',
  about: 'resource',
  detect(subject, { window }) {
    const usage = usageOf(subject, /^Static Ip Charge/i);
    if (usage.length === 0) return null;
    const isGlobal = subject.nativeId.includes('/global/');
    return {
      title: `Release the idle IP address ${subject.name}`,
      description:
        'Nothing uses this reserved address. Once released it cannot be had back: look into DNS records and allow lists of ' +
        'partners first.',
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
            isGlobal ? '--global' : sh`--region=${subject.region}`,
          ].join(' '),
          reversible: false,
        },
      ],
    };
  },
};
