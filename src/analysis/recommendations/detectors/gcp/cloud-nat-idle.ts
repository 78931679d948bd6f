import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { recentQuantityOf, usageOf } from '../../subject.ts';
import { placeOption } from './full-name.ts';

/** Days without a byte after which a gateway counts as idle. */
const idleDays = 14;
/** `Networking Cloud Nat Gateway Uptime`, `Networking Cloud NAT IP Usage`. */
const uptime = /\bNAT (Gateway Uptime|IP Usage)/i;
const data = /\bNAT Data Process/i;

/** Cloud NAT is billed by the hour for the machines that may use it, and what passes through it on another SKU.
 *  Catalogue 75. */
export const cloudNatIdle: Detector = {
  type: 'gcp_cloud_nat_idle',
  summary: 'Cloud NAT gateway without traffic',
  provider: 'gcp',
  about: 'resource',
  detect(subject, { window }) {
    const usage = usageOf(subject, uptime);
    if (!usage.some(({ days }) => days >= idleDays) || recentQuantityOf(subject, data) > 0n) return null;
    return {
      title: `Delete the idle Cloud NAT gateway ${subject.name}`,
      description:
        `No traffic passed through this gateway for ${idleDays} days, but its hours are billed. Check first ` +
        'whether the machines behind it need it occasionally, for example for updates.',
      savings: wholeOf(usage, window),
      confidence: 'medium',
      method: 'observed',
      evidence: { idle_days: idleDays, data_processed: 0 },
      scripts: () => {
        const [, router] = /\/routers\/([^/]+)/.exec(subject.nativeId) ?? [];
        const place = placeOption(subject.nativeId);
        if (router === undefined || place === null) return [];
        const where = `${sh`--router=${router} --project=${subject.subAccount}`} ${place}`;
        return [
          {
            kind: 'gcloud',
            title: 'Delete the gateway; its router is kept',
            script: [
              `nat=$(gcloud compute routers nats list ${where} '--format=value(name)') &&`,
              `gcloud compute routers nats delete "$nat" ${where} --quiet`,
            ].join('\n'),
            reversible: false,
          },
        ];
      },
    };
  },
};
