import { DescribeReservedInstancesCommand, EC2Client, type ReservedInstances } from '@aws-sdk/client-ec2';
import {
  DescribeReservedCacheNodesCommand,
  ElastiCacheClient,
  type ReservedCacheNode,
} from '@aws-sdk/client-elasticache';
import {
  DescribeReservedInstancesCommand as DescribeReservedDomains,
  OpenSearchClient,
  type ReservedInstance,
} from '@aws-sdk/client-opensearch';
import { DescribeReservedDBInstancesCommand, RDSClient, type ReservedDBInstance } from '@aws-sdk/client-rds';
import { DescribeReservedNodesCommand, RedshiftClient, type ReservedNode } from '@aws-sdk/client-redshift';
import type { InventoryItem } from '../../contract.ts';
import { allPages, type Asking, type List, listOf, type Paged, type Place } from './asking.ts';
import { hourlyRate, isRemembered, termOf } from './savings-plans.ts';
import { arnAt, itemOf, tagsOf } from './item.ts';

/** Reservations of one service in a region. */
interface ReservationList extends Omit<List<unknown, never>, 'itemsOf'> {
  readonly list: string;
  read(asking: Asking, now: Date): Promise<(InventoryItem | null)[]>;
}

/** Reservations of every service that has them. */
export const reservationLists: readonly ReservationList[] = [
  reservationList(
    listOf(
      { label: 'reservations of EC2', list: 'ec2:reserved' },
      EC2Client,
      () => new DescribeReservedInstancesCommand({}),
      (page) => page.ReservedInstances,
    ),
    instanceReservation,
  ),
  reservationList(
    listOf(
      { label: 'reservations of RDS', list: 'rds:reserved', isRegional: true },
      RDSClient,
      (Marker, MaxRecords = 100) => new DescribeReservedDBInstancesCommand({ MaxRecords, Marker }),
      (page) => page.ReservedDBInstances,
    ),
    databaseReservation,
  ),
  reservationList(
    listOf(
      { label: 'reservations of ElastiCache', list: 'elasticache:reserved', isRegional: true },
      ElastiCacheClient,
      (Marker, MaxRecords = 100) => new DescribeReservedCacheNodesCommand({ MaxRecords, Marker }),
      (page) => page.ReservedCacheNodes,
    ),
    cacheReservation,
  ),
  reservationList(
    listOf(
      { label: 'reservations of Redshift', list: 'redshift:reserved', isRegional: true },
      RedshiftClient,
      (Marker, MaxRecords = 100) => new DescribeReservedNodesCommand({ MaxRecords, Marker }),
      (page) => page.ReservedNodes,
    ),
    warehouseReservation,
  ),
  reservationList(
    listOf(
      { label: 'reservations of OpenSearch', list: 'es:reserved', isRegional: true },
      OpenSearchClient,
      (NextToken, MaxResults = 100) => new DescribeReservedDomains({ MaxResults, NextToken }),
      (page) => page.ReservedInstances,
    ),
    searchReservation,
  ),
];

function reservationList<Page extends Paged, Item>(
  list: List<Page, Item>,
  convert: (place: Place, each: Item) => Reservation,
): ReservationList {
  return {
    ...list,
    list: list.list ?? '',
    read: async (asking, now) =>
      (await allPages(asking, list)).map((each) => reservationItem(asking.place, convert(asking.place, each), now)),
  };
}

/** Common data of reservations, independent of the service. */
interface Reservation {
  readonly arn: string;
  /** Other names in bills. */
  readonly aliases: readonly (string | undefined)[];
  readonly name: string | undefined;
  readonly tags?: Record<string, string>;
  readonly bought: Parameters<typeof termOf>[0];
  readonly count: number | undefined;
  readonly instanceType: string | undefined;
  readonly charges: readonly { amount: number | undefined; frequency: string | undefined }[];
  readonly fixedPrice: number | undefined;
  readonly more?: Record<string, unknown>;
}

/** Recurring charges of all services except EC2. */
interface Recurring {
  readonly RecurringChargeAmount?: number | undefined;
  readonly RecurringChargeFrequency?: string | undefined;
}

/** Returns the inventory item of a reservation; null if it ended long ago, or was never paid. */
function reservationItem(place: Place, reservation: Reservation, now: Date): InventoryItem | null {
  const { arn, aliases, name, tags, bought, count, instanceType, charges, fixedPrice, more } = reservation;
  if (!isRemembered(bought, now)) return null;
  return itemOf(arn, {
    name,
    ...(tags && { tags }),
    aliases,
    region: place.region,
    resourceType: 'Reserved',
    metadata: {
      ...termOf(bought),
      count,
      instanceType,
      hourlyRate: hourlyRate(charges),
      upfrontPayment: fixedPrice,
      ...more,
    },
  });
}

/** Converts an EC2 reservation. */
function instanceReservation(place: Place, each: ReservedInstances): Reservation {
  const id = each.ReservedInstancesId ?? '';
  const { Start: start, End: end, Duration: durationSeconds } = each;
  return {
    arn: arnAt(place, 'ec2', `reserved-instances/${id}`),
    aliases: [id],
    name: `${each.InstanceCount ?? 1} × ${each.InstanceType ?? ''} ${each.ProductDescription ?? ''}`.trim(),
    tags: tagsOf(each.Tags),
    bought: { state: each.State, start, end, durationSeconds, payment: each.OfferingType, currency: each.CurrencyCode },
    count: each.InstanceCount,
    instanceType: each.InstanceType,
    charges: (each.RecurringCharges ?? []).map(({ Amount, Frequency }) => ({ amount: Amount, frequency: Frequency })),
    fixedPrice: each.FixedPrice,
    more: {
      platformDetails: each.ProductDescription,
      scope: each.Scope,
      availabilityZone: each.AvailabilityZone,
      offeringClass: each.OfferingClass,
    },
  };
}

/** Converts an RDS reservation. */
function databaseReservation(place: Place, each: ReservedDBInstance): Reservation {
  const id = each.ReservedDBInstanceId ?? '';
  return {
    arn: each.ReservedDBInstanceArn ?? arnAt(place, 'rds', `ri:${id}`),
    aliases: [each.LeaseId],
    name: id,
    bought: boughtOf(each, each.OfferingType, each.CurrencyCode),
    count: each.DBInstanceCount,
    instanceType: each.DBInstanceClass,
    charges: recurring(each.RecurringCharges),
    fixedPrice: each.FixedPrice,
    more: { engine: each.ProductDescription, multiAz: each.MultiAZ },
  };
}

/** Converts an ElastiCache reservation. */
function cacheReservation(place: Place, each: ReservedCacheNode): Reservation {
  const id = each.ReservedCacheNodeId ?? '';
  return {
    arn: each.ReservationARN ?? arnAt(place, 'elasticache', `reserved-instance:${id}`),
    aliases: [],
    name: id,
    bought: boughtOf(each, each.OfferingType, undefined),
    count: each.CacheNodeCount,
    instanceType: each.CacheNodeType,
    charges: recurring(each.RecurringCharges),
    fixedPrice: each.FixedPrice,
    more: { engine: each.ProductDescription },
  };
}

/** Converts a Redshift reservation. Redshift, like OpenSearch, does not return the ARN used in bills. */
function warehouseReservation(place: Place, each: ReservedNode): Reservation {
  const id = each.ReservedNodeId ?? '';
  return {
    arn: arnAt(place, 'redshift', `reserved-node:${id}`),
    aliases: [arnAt(place, 'redshift', `reservednode:${id}`), arnAt(place, 'redshift', `reserved-nodes/${id}`)],
    name: id,
    bought: boughtOf(each, each.OfferingType, each.CurrencyCode),
    count: each.NodeCount,
    instanceType: each.NodeType,
    charges: recurring(each.RecurringCharges),
    fixedPrice: each.FixedPrice,
  };
}

/** Converts an OpenSearch reservation; ARN as for Redshift. */
function searchReservation(place: Place, each: ReservedInstance): Reservation {
  const id = each.ReservedInstanceId ?? '';
  return {
    arn: arnAt(place, 'es', `reserved-instances/${id}`),
    aliases: [id, arnAt(place, 'es', `reserved-instance/${id}`), arnAt(place, 'es', `reservedinstances/${id}`)],
    name: each.ReservationName ?? id,
    bought: boughtOf(each, each.PaymentOption, each.CurrencyCode),
    count: each.InstanceCount,
    instanceType: each.InstanceType,
    charges: recurring(each.RecurringCharges),
    fixedPrice: each.FixedPrice,
  };
}

function boughtOf(
  each: { State?: string | undefined; StartTime?: Date | undefined; Duration?: number | undefined },
  payment: string | undefined,
  currency: string | undefined,
): Reservation['bought'] {
  return { state: each.State, start: each.StartTime, durationSeconds: each.Duration, payment, currency };
}

function recurring(charges: readonly Recurring[] | undefined): Reservation['charges'] {
  return (charges ?? []).map((each) => ({
    amount: each.RecurringChargeAmount,
    frequency: each.RecurringChargeFrequency,
  }));
}
