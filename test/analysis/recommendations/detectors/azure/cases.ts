import { aSubject, type Case } from '../../subject.ts';

const group = '/subscriptions/s-1/resourcegroups/legacy/providers';
const azure = { provider: 'azure', region: 'westeurope', subAccount: 's-1' } as const;

/** An Azure resource by its ARM type, in the resource group `legacy` of subscription `s-1`. */
export const anAzure = (
  type: string,
  name: string,
  rest: Omit<Parameters<typeof aSubject>[0] & object, 'nativeId' | 'provider'> = {},
) => aSubject({ ...azure, nativeId: `${group}/${type}/${name}`, name, ...rest });

/** A subject with a finding for each Azure detector. */
export const azureCases = {
  azure_ahb_sql: {
    subject: anAzure('microsoft.compute/virtualmachines', 'erp-sql', {
      usage: [
        {
          meter: '4 vCPU VM License',
          description: 'SQL Server Standard - 4 vCPU VM License',
          service: 'Virtual Machines Licenses',
        },
      ],
    }),
  },
  azure_ahb_windows: {
    subject: anAzure('microsoft.compute/virtualmachines', 'file-server', {
      usage: [{ meter: 'Reservation-Windows Svr (4 Core)', service: 'Virtual Machines Licenses' }],
    }),
  },
  azure_appgw_no_backend: {
    subject: anAzure('microsoft.network/applicationgateways', 'old-portal-gateway', { metadata: { usedByCount: 0 } }),
  },
  azure_appservice_plan_empty: {
    subject: anAzure('microsoft.web/serverfarms', 'old-portal', { metadata: { usedByCount: 0 } }),
  },
  azure_ddos_plan_unassociated: {
    subject: anAzure('microsoft.network/ddosprotectionplans', 'ddos', { metadata: { usedByCount: 0 } }),
  },
  azure_disk_unattached: {
    subject: anAzure('microsoft.compute/disks', 'old-data', {
      metadata: { attachedTo: null },
      usage: [{ meter: 'P30 LRS Disk', unit: '1/Month' }],
    }),
  },
  azure_expressroute_unprovisioned: {
    subject: anAzure('microsoft.network/expressroutecircuits', 'office-line', {
      metadata: { provisioningState: 'NotProvisioned' },
    }),
  },
  azure_lb_no_backend: {
    subject: anAzure('microsoft.network/loadbalancers', 'old-lb', { metadata: { usedByCount: 0 } }),
  },
  azure_loganalytics_commitment_tier: {
    // 120 GB per day at 2.50.
    subject: anAzure('microsoft.operationalinsights/workspaces', 'logs', {
      usage: [
        { meter: 'Pay-as-you-go Data Ingestion', unit: 'GB', quantity: '3600', recentQuantity: '1680', cost: '9000' },
      ],
    }),
  },
  azure_nat_gateway_idle: {
    subject: anAzure('microsoft.network/natgateways', 'nat-dev', { usage: [{ meter: 'Standard Gateway' }] }),
  },
  azure_nat_gateway_orphan: {
    subject: anAzure('microsoft.network/natgateways', 'nat-dev', { metadata: { usedByCount: 0 } }),
  },
  azure_nonprod_schedule: {
    subject: anAzure('microsoft.compute/virtualmachines', 'dev-vm-1', {
      tags: { env: 'dev' },
      usage: [{ meter: 'D4s v5', quantity: '720', weekendQuantity: '192', cost: '150' }],
    }),
  },
  azure_public_ip_orphan: {
    subject: aSubject({
      provider: 'azure',
      nativeId: `${group}/microsoft.network/publicipaddresses/old-vpn-ip`,
      metadata: { attachedTo: null },
      usage: [{ meter: 'Standard IPv4 Static Public IP', cost: '3' }],
    }),
  },
  azure_snapshot_old: {
    subject: anAzure('microsoft.compute/snapshots', 'before-upgrade', {
      metadata: { sourceExists: false },
      usage: [{ meter: 'LRS Snapshots', unit: 'GB/Month' }],
    }),
  },
  azure_snapshot_premium: {
    subject: anAzure('microsoft.compute/snapshots', 'before-upgrade', {
      usage: [
        {
          meter: 'LRS Snapshots',
          description: 'Premium SSD Managed Disks - LRS Snapshots',
          unit: 'GB/Month',
          cost: '100',
        },
      ],
    }),
  },
  azure_sql_elastic_pool_empty: {
    subject: anAzure('microsoft.sql/servers/sql-1/elasticpools', 'pool', { metadata: { usedByCount: 0 } }),
  },
  azure_storage_hot_cold: {
    subject: anAzure('microsoft.storage/storageaccounts', 'archive', {
      usage: [{ meter: 'Hot LRS Data Stored', unit: 'GB/Month', quantity: '5000', cost: '92' }],
    }),
  },
  azure_vm_deallocated_long: {
    subject: anAzure('microsoft.compute/disks', 'build-data', {
      metadata: {
        attachedTo: `${group}/microsoft.compute/virtualmachines/build`,
        attachedToState: 'deallocated',
        attachedToStateSince: '2026-06-01',
      },
      usage: [{ meter: 'E30 LRS Disk', unit: '1/Month' }],
    }),
  },
  azure_vm_previous_gen: {
    subject: anAzure('microsoft.compute/virtualmachines', 'file-server', {
      usage: [{ meter: 'D3 v2/DS3 v2', quantity: '720', cost: '180' }],
    }),
  },
  azure_vm_stopped_allocated: {
    subject: anAzure('microsoft.compute/virtualmachines', 'build', {
      metadata: { state: 'stopped', stateSince: '2026-09-01' },
      usage: [{ meter: 'D4s v5' }],
    }),
  },
  azure_vnet_gateway_idle: {
    subject: anAzure('microsoft.network/virtualnetworkgateways', 'vpn', { metadata: { usedByCount: 0 } }),
  },
} satisfies Record<string, Case>;
