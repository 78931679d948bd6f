import { sh } from '../../script.ts';
import { unusedDetector } from './unused.ts';

/** A plan has a fixed fee of thousands a month. Catalogue 59. */
export const ddosPlanUnassociated = unusedDetector({
  type: 'azure_ddos_plan_unassociated',
  summary: 'DDoS protection plan without networks',
  arm: 'microsoft.network/ddosprotectionplans',
  noun: 'DDoS protection plan',
  description:
    'No virtual network uses this plan, but its monthly fee is the same for none as for a hundred addresses.',
  command: (nativeId) => sh`az network ddos-protection delete --ids=${nativeId}`,
});
