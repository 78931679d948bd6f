import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { usageOf } from '../../subject.ts';

/** A static address is billed whether or not anything answers at it. Catalogue 53. */
export const publicIpOrphan: Detector = {
  type: 'azure_public_ip_orphan',
  summary: 'Unused public IP address',
  provider: 'azure',
  about: 'resource',
  detect(subject, { window }) {
    const usage = usageOf(subject, /\bPublic IP\b/);
    if (subject.metadata.attachedTo !== null || usage.length === 0) return null;
    return {
      title: `Delete the unused public IP address ${subject.name}`,
      description:
        'No network interface, load balancer or gateway uses this static address. A deleted address cannot be ' +
        'recovered: check DNS records and partner allow lists first.',
      savings: wholeOf(usage, window),
      confidence: 'high',
      method: 'observed',
      evidence: { attached_to: null },
      scripts: () => [
        {
          kind: 'azure_cli',
          title: 'Delete the address',
          script: sh`az network public-ip delete --ids=${subject.nativeId}`,
          reversible: false,
        },
      ],
    };
  },
};
