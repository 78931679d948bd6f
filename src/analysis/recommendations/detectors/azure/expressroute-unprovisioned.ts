import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { usageOf } from '../../subject.ts';
import { armType } from './arm.ts';

/** Microsoft bills a circuit from the day its service key is issued, before the carrier has made a line of it.
 *  Catalogue 58. */
export const expressRouteUnprovisioned: Detector = {
  type: 'azure_expressroute_unprovisioned',
  summary: 'ExpressRoute circuit that the connectivity provider has not provisioned',
  provider: 'azure',
  about: 'resource',
  detect(subject, { window }) {
    if (armType(subject.nativeId) !== 'microsoft.network/expressroutecircuits') return null;
    const state = subject.metadata.provisioningState;
    const usage = usageOf(subject);
    if (state?.toLowerCase() !== 'notprovisioned' || usage.length === 0) return null;
    return {
      title: `Delete the circuit ${subject.name}, which was never provisioned`,
      description:
        'The connectivity provider has not provisioned this circuit, so it carries no traffic, but it is billed. ' +
        'If you still need it, delete the circuit now and create it again when the provider is ready.',
      savings: wholeOf(usage, window),
      confidence: 'high',
      method: 'observed',
      evidence: { provisioning_state: state },
      scripts: () => [
        {
          kind: 'azure_cli',
          title: 'Delete the circuit',
          script: sh`az network express-route delete --ids=${subject.nativeId}`,
          reversible: false,
        },
      ],
    };
  },
};
