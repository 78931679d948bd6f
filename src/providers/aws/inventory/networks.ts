import {
  type Address,
  DescribeAddressesCommand,
  DescribeNatGatewaysCommand,
  DescribeVpcEndpointsCommand,
  EC2Client,
  type Instance,
  type NatGateway,
  type VpcEndpoint,
} from '@aws-sdk/client-ec2';
import type { InventoryItem } from '../../contract.ts';
import { listOf, type Place } from './asking.ts';
import { instanceArn, stateSince } from './machines.ts';
import { arnAt, instant, itemOf, tagsOf } from './item.ts';

export const addressList = listOf(
  { label: 'Elastic IP addresses', list: 'ec2:elastic-ip' },
  EC2Client,
  () => new DescribeAddressesCommand({}),
  (page) => page.Addresses,
);

/** Returns the inventory item of an address; null if it has no id. */
export function addressItem(
  place: Place,
  address: Address,
  instances: ReadonlyMap<string, Instance> | null,
): InventoryItem | null {
  const { AllocationId, AssociationId, InstanceId, NetworkInterfaceId, PublicIp } = address;
  if (!AllocationId) return null;
  const instance = InstanceId ? instances?.get(InstanceId) : undefined;
  const holder = InstanceId ? instanceArn(place, InstanceId) : (NetworkInterfaceId ?? AssociationId ?? null);
  return itemOf(arnAt(place, 'ec2', `elastic-ip/${AllocationId}`), {
    name: tagsOf(address.Tags)['Name'] || PublicIp,
    tags: tagsOf(address.Tags),
    metadata: {
      attachedTo: holder || null,
      attachedToState: instance?.State?.Name,
      attachedToStateSince: instance && stateSince(instance),
      publicIp: PublicIp,
    },
  });
}

/** NAT gateways, without deleted ones. */
export const natGatewayList = listOf(
  { label: 'state and VPC of NAT gateways', list: 'ec2:natgateway' },
  EC2Client,
  (NextToken, MaxResults = 1000) => new DescribeNatGatewaysCommand({ MaxResults, NextToken }),
  (page) => page.NatGateways?.filter(({ NatGatewayId, State }) => NatGatewayId !== undefined && State !== 'deleted'),
);

const gateways = [{ Name: 'vpc-endpoint-type', Values: ['Gateway'] }];

export const endpointList = listOf(
  { label: 'gateway endpoints of VPCs' },
  EC2Client,
  (NextToken, MaxResults = 1000) => new DescribeVpcEndpointsCommand({ Filters: gateways, MaxResults, NextToken }),
  (page) => page.VpcEndpoints,
);

/** Returns services with a gateway endpoint, by VPC: `s3`, `dynamodb`. */
function servicesByNetwork(endpoints: readonly VpcEndpoint[]): Map<string, string[]> {
  const byNetwork = new Map<string, string[]>();
  for (const { VpcId, ServiceName, State } of endpoints) {
    if (!VpcId || !ServiceName || State?.toLowerCase() !== 'available') continue;
    // com.amazonaws.eu-west-1.s3
    byNetwork.set(VpcId, [...(byNetwork.get(VpcId) ?? []), ServiceName.split('.').at(-1) ?? '']);
  }
  return byNetwork;
}

/** Returns the inventory item of a NAT gateway.
 *  @param endpoints null: could not be read */
export function natGatewayItem(
  place: Place,
  gateway: NatGateway,
  endpoints: readonly VpcEndpoint[] | null,
): InventoryItem | null {
  return itemOf(arnAt(place, 'ec2', `natgateway/${gateway.NatGatewayId ?? ''}`), {
    tags: tagsOf(gateway.Tags),
    metadata: {
      state: gateway.State,
      createdAt: instant(gateway.CreateTime),
      connectivity: gateway.ConnectivityType,
      vpcId: gateway.VpcId,
      ...(endpoints && { gatewayEndpoints: servicesByNetwork(endpoints).get(gateway.VpcId ?? '') ?? [] }),
    },
  });
}
