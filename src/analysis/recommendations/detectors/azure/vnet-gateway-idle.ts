import { sh } from '../../script.ts';
import { unusedDetector } from './unused.ts';

/** A gateway is billed by the hour, connected or not. Catalogue 57. */
export const vnetGatewayIdle = unusedDetector({
  type: 'azure_vnet_gateway_idle',
  summary: 'Virtual network gateway without connections',
  arm: 'microsoft.network/virtualnetworkgateways',
  noun: 'virtual network gateway',
  description:
    'It has no connection to another network. Check for point-to-site clients first; creating such a gateway ' +
    'again takes up to 45 minutes.',
  command: (nativeId) => sh`az network vnet-gateway delete --ids=${nativeId}`,
});
