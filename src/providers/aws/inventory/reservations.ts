import { DescribeReservedInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { DescribeReservedCacheNodesCommand, ElastiCacheClient } from '@aws-sdk/client-elasticache';
import {
  DescribeReservedInstancesCommand as DescribeReservedDomains,
  OpenSearchClient,
} from '@aws-sdk/client-opensearch';
import { DescribeReservedDBInstancesCommand, RDSClient } from '@aws-sdk/client-rds';
import { DescribeReservedNodesCommand, RedshiftClient } from '@aws-sdk/client-redshift';
import type { InventoryItem } from '../../contract.ts';
import type { Asking } from './asking.ts';
import type { Kind } from './ledger.ts';
import { allPages } from './pages.ts';
import {
  cacheReservation,
  databaseReservation,
  instanceReservation,
  reservationItem,
  searchReservation,
  warehouseReservation,
} from './reservation.ts';

/** Reservations of one service in a region. */
export interface ReservationKind extends Kind {
  readonly list: string;
  read(asking: Asking, now: Date): Promise<(InventoryItem | null)[]>;
}

/** Reservations of every service that has some, by service. */
export const reservationKinds: readonly ReservationKind[] = [
  {
    label: 'reservations of EC2',
    list: 'ec2:reserved',
    async read({ session, place, signal }, now) {
      const client = session.client(EC2Client, place.region);
      const found = await client.send(new DescribeReservedInstancesCommand({}), { abortSignal: signal });
      return (found.ReservedInstances ?? []).map((each) =>
        reservationItem(place, instanceReservation(place, each), now),
      );
    },
  },
  {
    label: 'reservations of RDS',
    list: 'rds:reserved',
    isRegional: true,
    async read({ session, place, signal }, now) {
      const client = session.client(RDSClient, place.region);
      const found = await allPages(
        'RDS DescribeReservedDBInstances',
        (Marker) =>
          client.send(new DescribeReservedDBInstancesCommand({ MaxRecords: 100, Marker }), { abortSignal: signal }),
        (page) => ({ items: page.ReservedDBInstances, next: page.Marker }),
      );
      return found.map((each) => reservationItem(place, databaseReservation(place, each), now));
    },
  },
  {
    label: 'reservations of ElastiCache',
    list: 'elasticache:reserved',
    isRegional: true,
    async read({ session, place, signal }, now) {
      const client = session.client(ElastiCacheClient, place.region);
      const found = await allPages(
        'ElastiCache DescribeReservedCacheNodes',
        (Marker) =>
          client.send(new DescribeReservedCacheNodesCommand({ MaxRecords: 100, Marker }), { abortSignal: signal }),
        (page) => ({ items: page.ReservedCacheNodes, next: page.Marker }),
      );
      return found.map((each) => reservationItem(place, cacheReservation(place, each), now));
    },
  },
  {
    label: 'reservations of Redshift',
    list: 'redshift:reserved',
    isRegional: true,
    async read({ session, place, signal }, now) {
      const client = session.client(RedshiftClient, place.region);
      const found = await allPages(
        'Redshift DescribeReservedNodes',
        (Marker) => client.send(new DescribeReservedNodesCommand({ MaxRecords: 100, Marker }), { abortSignal: signal }),
        (page) => ({ items: page.ReservedNodes, next: page.Marker }),
      );
      return found.map((each) => reservationItem(place, warehouseReservation(place, each), now));
    },
  },
  {
    label: 'reservations of OpenSearch',
    list: 'es:reserved',
    isRegional: true,
    async read({ session, place, signal }, now) {
      const client = session.client(OpenSearchClient, place.region);
      const found = await allPages(
        'OpenSearch DescribeReservedInstances',
        (NextToken) =>
          client.send(new DescribeReservedDomains({ MaxResults: 100, NextToken }), { abortSignal: signal }),
        (page) => ({ items: page.ReservedInstances, next: page.NextToken }),
      );
      return found.map((each) => reservationItem(place, searchReservation(place, each), now));
    },
  },
];
