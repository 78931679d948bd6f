import { aSubject, type Case } from '../../subject.ts';

const compute = '//compute.googleapis.com/projects/dev';
const gcp = { provider: 'gcp', region: 'europe-west1', subAccount: 'dev' } as const;

/** A Google Cloud resource by its full resource name, in project `dev` and region europe-west1. */
export const aGoogle = (
  nativeId: string,
  rest: Omit<Parameters<typeof aSubject>[0] & object, 'nativeId' | 'provider'> = {},
) => aSubject({ ...gcp, nativeId, name: nativeId.slice(nativeId.lastIndexOf('/') + 1), ...rest });

/** A subject with a finding for each Google Cloud detector. */
export const gcpCases = {
  gcp_cloud_nat_idle: {
    subject: aGoogle(`${compute}/regions/europe-west1/routers/dev-nat`, {
      usage: [{ meter: 'Networking Cloud Nat Gateway Uptime', cost: '30' }],
    }),
  },
  gcp_cloudsql_ha_nonprod: {
    subject: aGoogle('//sqladmin.googleapis.com/projects/dev/instances/test-db', {
      tags: { env: 'staging' },
      usage: [{ meter: 'Cloud SQL for PostgreSQL: Regional - vCPU in Belgium', quantity: '1000', cost: '80' }],
    }),
  },
  gcp_disk_unattached: {
    subject: aGoogle(`${compute}/zones/europe-west1-b/disks/scratch`, {
      metadata: { attachedTo: null },
      usage: [{ meter: 'Balanced PD Capacity', unit: 'GiBy.mo' }],
    }),
  },
  gcp_forwarding_rule_idle: {
    subject: aGoogle(`${compute}/global/forwardingRules/old-api`, {
      usage: [{ meter: 'Network Load Balancing: Forwarding Rule Minimum Service Charge in EMEA', cost: '18' }],
    }),
  },
  gcp_gcs_standard_cold: {
    subject: aGoogle('//storage.googleapis.com/experiments', {
      usage: [{ meter: 'Standard Storage Belgium', unit: 'GiBy.mo', quantity: '5000', cost: '100' }],
    }),
  },
  gcp_ip_idle: {
    subject: aSubject({
      provider: 'gcp',
      nativeId: '//compute.googleapis.com/projects/dev/regions/europe-west1/addresses/old-vpn',
      region: 'europe-west1',
      subAccount: 'dev',
      usage: [{ meter: 'Static Ip Charge', recentQuantity: '336', cost: '7.2' }],
    }),
  },
  gcp_logging_storage: {
    subject: aGoogle('//logging.googleapis.com/projects/dev/locations/global/buckets/_Default', {
      usage: [{ meter: 'Log Storage cost', unit: 'GiBy', cost: '870' }],
    }),
  },
  gcp_logging_storage_project: {
    subject: aGoogle('', { about: 'scope', usage: [{ meter: 'Log Storage cost', unit: 'GiBy', cost: '870' }] }),
  },
  gcp_n1_upgrade: {
    // 8 cores and 32 GiB for 720 hours.
    subject: aGoogle(`${compute}/zones/europe-west1-b/instances/legacy-etl`, {
      metadata: { instanceType: 'n1-standard-8' },
      usage: [
        { meter: 'N1 Predefined Instance Core running in EMEA', unit: 'h', quantity: '5760', cost: '201.6' },
        { meter: 'N1 Predefined Instance Ram running in EMEA', unit: 'GiBy.h', quantity: '21600', cost: '100.8' },
      ],
    }),
  },
  gcp_nonprod_schedule: {
    subject: aGoogle(`${compute}/zones/europe-west1-b/instances/workbench`, {
      tags: { env: 'dev' },
      usage: [
        {
          meter: 'E2 Instance Core running in EMEA',
          unit: 'h',
          quantity: '5760',
          weekendQuantity: '1536',
          cost: '140',
        },
        {
          meter: 'E2 Instance Ram running in EMEA',
          unit: 'GiBy.h',
          quantity: '23040',
          weekendQuantity: '6144',
          cost: '60',
        },
      ],
    }),
  },
  gcp_pd_ssd_balanced: {
    subject: aGoogle(`${compute}/zones/europe-west1-b/disks/workbench-data`, {
      tags: { env: 'dev' },
      usage: [{ meter: 'SSD backed PD Capacity', unit: 'GiBy.mo', quantity: '500', cost: '90' }],
    }),
  },
  gcp_snapshot_old: {
    subject: aGoogle(`${compute}/global/snapshots/etl-2024`, {
      metadata: { sourceExists: false },
      usage: [{ meter: 'Storage PD Snapshot in Belgium', unit: 'GiBy.mo' }],
    }),
  },
  gcp_stopped_vm_disks: {
    subject: aGoogle(`${compute}/zones/europe-west1-b/disks/build-data`, {
      metadata: {
        attachedTo: `${compute}/zones/europe-west1-b/instances/build`,
        attachedToState: 'terminated',
        attachedToStateSince: '2026-06-01',
      },
      usage: [{ meter: 'Storage PD Capacity', unit: 'GiBy.mo' }],
    }),
  },
} satisfies Record<string, Case>;
