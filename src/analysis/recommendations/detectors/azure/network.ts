import { detectorsOf, irreversible } from '../detector.ts';
import { sh } from '../script.ts';
import { recentQuantityOf, usageOf, wholeOf } from '../subject.ts';
import { armType, unused } from './arm.ts';

export const azureNetwork = detectorsOf('azure', [
  {
    type: 'azure_public_ip_orphan',
    summary: 'Unused public IP address',
    title: ({ name }) => `Delete the unused public IP address ${name}`,
    description:
      'No network interface, load balancer or gateway uses this static address. A deleted address cannot be ' +
      'recovered: check DNS records and partner allow lists first.',
    confidence: 'high',
    method: 'observed',
    find: (subject, { window }) =>
      subject.metadata.attachedTo === null
        ? { savings: wholeOf(usageOf(subject, /\bPublic IP\b/), window), evidence: { attached_to: null } }
        : null,
    script: irreversible('Delete the address', ({ nativeId }) => sh`az network public-ip delete --ids=${nativeId}`),
  },
  unused({
    // Billed by its rules.
    type: 'azure_lb_no_backend',
    summary: 'Load balancer without backends',
    arm: 'microsoft.network/loadbalancers',
    noun: 'load balancer',
    description:
      'It has no backend pool with members, so it balances no traffic, but its rules are billed per hour. Check ' +
      'its outbound rules first.',
    command: ({ nativeId }) => sh`az network lb delete --ids=${nativeId}`,
  }),
  unused({
    type: 'azure_appgw_no_backend',
    summary: 'Application gateway without backend targets',
    arm: 'microsoft.network/applicationgateways',
    noun: 'application gateway',
    description:
      'None of its backend pools has a target, so it cannot serve requests, but its fixed cost is billed per hour.',
    command: ({ nativeId }) => sh`az network application-gateway delete --ids=${nativeId}`,
  }),
  unused({
    type: 'azure_nat_gateway_orphan',
    summary: 'NAT gateway without subnets',
    arm: 'microsoft.network/natgateways',
    noun: 'NAT gateway',
    description: 'No subnet uses this gateway, but its hours are billed. Its public addresses are billed separately.',
    command: ({ nativeId }) => sh`az network nat gateway delete --ids=${nativeId}`,
  }),
  {
    // Hours and data are on different meters, so the bill shows that there is no traffic.
    type: 'azure_nat_gateway_idle',
    summary: 'NAT gateway without traffic',
    title: ({ name }) => `Delete the idle NAT gateway ${name}`,
    description:
      'No traffic passed through this gateway for 14 days, but its hours are billed. Check whether its ' +
      'subnets need it occasionally, for example for updates, before you remove it from them.',
    confidence: 'medium',
    method: 'observed',
    find(subject, { window }) {
      const usage = usageOf(subject, /\bGateway$/);
      const hasRun = usage.some(({ days }) => days >= 14);
      if (armType(subject.nativeId) !== 'microsoft.network/natgateways' || !hasRun) return null;
      if (recentQuantityOf(subject, /Data Processed/) > 0n) return null;
      return { savings: wholeOf(usage, window), evidence: { idle_days: 14, data_processed: 0 } };
    },
    script: irreversible('Delete the gateway', ({ nativeId }) => sh`az network nat gateway delete --ids=${nativeId}`),
  },
  unused({
    type: 'azure_vnet_gateway_idle',
    summary: 'Virtual network gateway without connections',
    arm: 'microsoft.network/virtualnetworkgateways',
    noun: 'virtual network gateway',
    description:
      'It has no connection to another network. Check for point-to-site clients first; creating such a gateway ' +
      'again takes up to 45 minutes.',
    command: ({ nativeId }) => sh`az network vnet-gateway delete --ids=${nativeId}`,
  }),
  {
    // Microsoft bills a circuit from the day that its service key is issued.
    type: 'azure_expressroute_unprovisioned',
    summary: 'ExpressRoute circuit that the connectivity provider has not provisioned',
    title: ({ name }) => `Delete the unprovisioned circuit ${name}`,
    description:
      'The connectivity provider has not provisioned this circuit, so it carries no traffic, but it is billed. ' +
      'If you still need it, delete the circuit now and create it again when the provider is ready.',
    confidence: 'high',
    method: 'observed',
    find(subject, { window }) {
      const state = subject.metadata.provisioningState;
      const isCircuit = armType(subject.nativeId) === 'microsoft.network/expressroutecircuits';
      if (!isCircuit || state?.toLowerCase() !== 'notprovisioned') return null;
      return { savings: wholeOf(usageOf(subject), window), evidence: { provisioning_state: state } };
    },
    script: irreversible('Delete the circuit', ({ nativeId }) => sh`az network express-route delete --ids=${nativeId}`),
  },
  unused({
    // A fixed fee of thousands per month.
    type: 'azure_ddos_plan_unassociated',
    summary: 'DDoS protection plan without networks',
    arm: 'microsoft.network/ddosprotectionplans',
    noun: 'DDoS protection plan',
    description:
      'No virtual network uses this plan, but its fixed monthly fee is charged even without protected addresses.',
    command: ({ nativeId }) => sh`az network ddos-protection delete --ids=${nativeId}`,
  }),
]);
