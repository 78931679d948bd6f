import { sh } from '../../script.ts';
import { unusedDetector } from './unused.ts';

/** A NAT gateway is billed by the hour, subnets or none. Catalogue 56. */
export const natGatewayOrphan = unusedDetector({
  type: 'azure_nat_gateway_orphan',
  summary: 'NAT gateway without subnets',
  arm: 'microsoft.network/natgateways',
  noun: 'NAT gateway',
  description: 'No subnet uses this gateway, but its hours are billed. Its public addresses are billed separately.',
  command: (nativeId) => sh`az network nat gateway delete --ids=${nativeId}`,
});
