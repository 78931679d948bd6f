import { sh } from '../../script.ts';
import { unusedDetector } from './unused.ts';

/** An application gateway has a fixed cost by the hour. Catalogue 55. */
export const appGwNoBackend = unusedDetector({
  type: 'azure_appgw_no_backend',
  summary: 'Application gateway without backend targets',
  arm: 'microsoft.network/applicationgateways',
  noun: 'application gateway',
  description:
    'None of its backend pools has a target, so it cannot serve requests, but its fixed cost is billed per hour.',
  command: (nativeId) => sh`az network application-gateway delete --ids=${nativeId}`,
});
