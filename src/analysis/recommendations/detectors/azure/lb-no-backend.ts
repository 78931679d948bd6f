import { sh } from '../../script.ts';
import { unusedDetector } from './unused.ts';

/** A standard load balancer is billed for its rules whether or not traffic can go anywhere. Catalogue 54. */
export const lbNoBackend = unusedDetector({
  type: 'azure_lb_no_backend',
  summary: 'Load balancer without backends',
  arm: 'microsoft.network/loadbalancers',
  noun: 'load balancer',
  description:
    'It has no backend pool with members, so it balances no traffic, but its rules are billed per hour. Check ' +
    'its outbound rules first.',
  command: (nativeId) => sh`az network lb delete --ids=${nativeId}`,
});
