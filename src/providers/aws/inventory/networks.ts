import {
  type Address,
  DescribeAddressesCommand,
  DescribeNatGatewaysCommand,
  DescribeVpcEndpointsCommand,
  EC2Client,
  type Instance,
  type NatGateway,
} from '@aws-sdk/client-ec2';
import type { InventoryItem } from '../../contract.ts';
import { allPages, type Asking, type Place } from './asking.ts';
import { instanceArn, stateSince } from './machines.ts';
import { arnAt, instant, itemOf, tagsOf } from './item.ts';

/** Lists the Elastic IP addresses of a region. */
export function readAddresses(asking: Asking): Promise<Address[]> {
  return allPages(
    asking,
    EC2Client,
    () => new DescribeAddressesCommand({}),
    (page) => page.Addresses,
  );
}

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

/** Lists the NAT gateways of a region, without deleted ones. */
export async function readNatGateways(asking: Asking): Promise<NatGateway[]> {
  const gateways = await allPages(
    asking,
    EC2Client,
    (NextToken) => new DescribeNatGatewaysCommand({ MaxResults: 1000, NextToken }),
    (page) => page.NatGateways,
  );
  return gateways.filter(({ NatGatewayId, State }) => NatGatewayId !== undefined && State !== 'deleted');
}

/** Returns services with a gateway endpoint, by network: `s3`, `dynamodb`. */
export async function readGatewayEndpoints(asking: Asking): Promise<Map<string, string[]>> {
  const gateways = { Filters: [{ Name: 'vpc-endpoint-type', Values: ['Gateway'] }], MaxResults: 1000 };
  const endpoints = await allPages(
    asking,
    EC2Client,
    (NextToken) => new DescribeVpcEndpointsCommand({ ...gateways, NextToken }),
    (page) => page.VpcEndpoints,
  );
  const byNetwork = new Map<string, string[]>();
  for (const { VpcId, ServiceName, State } of endpoints) {
    if (!VpcId || !ServiceName || State?.toLowerCase() !== 'available') continue;
    // com.amazonaws.eu-west-1.s3
    byNetwork.set(VpcId, [...(byNetwork.get(VpcId) ?? []), ServiceName.split('.').at(-1) ?? '']);
  }
  return byNetwork;
}

/** Returns the inventory item of a NAT gateway.
 *  @param endpoints from `readGatewayEndpoints`; null: could not be read */
export function natGatewayItem(
  place: Place,
  gateway: NatGateway,
  endpoints: ReadonlyMap<string, readonly string[]> | null,
): InventoryItem | null {
  return itemOf(arnAt(place, 'ec2', `natgateway/${gateway.NatGatewayId ?? ''}`), {
    tags: tagsOf(gateway.Tags),
    metadata: {
      state: gateway.State,
      createdAt: instant(gateway.CreateTime),
      connectivity: gateway.ConnectivityType,
      vpcId: gateway.VpcId,
      ...(endpoints && { gatewayEndpoints: endpoints.get(gateway.VpcId ?? '') ?? [] }),
    },
  });
}
