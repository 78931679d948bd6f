import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { recentQuantityOf, usageOf } from '../../subject.ts';
import { armType } from './arm.ts';

/** Days without a byte after which a gateway counts as idle. */
const idleDays = 14;

/** A gateway's hours are billed on one meter and what passes through it on another: hours without bytes are waste that the
 *  bill alone shows. Catalogue 56, by bytes as 17. */
export const natGatewayIdle: Detector = {
  type: 'azure_nat_gateway_idle',
  summary: 'NAT gateway without traffic',
  provider: 'azure',
  about: 'resource',
  detect(subject, { window }) {
    if (armType(subject.nativeId) !== 'microsoft.network/natgateways') return null;
    const usage = usageOf(subject, /\bGateway$/);
    const hasRun = usage.some(({ days }) => days >= idleDays);
    if (!hasRun || recentQuantityOf(subject, /Data Processed/) > 0n) return null;
    return {
      title: `Delete the idle NAT gateway ${subject.name}`,
      description:
        `No traffic passed through this gateway for ${idleDays} days, but its hours are billed. Check whether its ` +
        'subnets need it occasionally, for example for updates, before you remove it from them.',
      savings: wholeOf(usage, window),
      confidence: 'medium',
      method: 'observed',
      evidence: { idle_days: idleDays, data_processed: 0 },
      scripts: () => [
        {
          kind: 'azure_cli',
          title: 'Delete the gateway',
          script: sh`az network nat gateway delete --ids=${subject.nativeId}`,
          reversible: false,
        },
      ],
    };
  },
};
