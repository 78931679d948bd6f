/** A permission that a service account needs. */
export interface GcpPermission {
  readonly permission: string;
  readonly neededFor: 'bills' | 'inventory';
  /** Resource of the grant: the export's dataset, the project that runs queries, or each inventory scope. */
  readonly on: 'dataset' | 'billingProject' | 'scope';
  /** Smallest predefined role that includes it; null: use a custom role, because predefined ones can read much more. */
  readonly role: string | null;
  readonly why: string;
}

const inventory = (permission: string, why: string, role: string | null = null): GcpPermission => ({
  permission,
  neededFor: 'inventory',
  on: 'scope',
  role,
  why,
});

/** All permissions that a service account needs. No role on the billing account is required, because the export has the
 *  costs. */
export const gcpPermissions: readonly GcpPermission[] = [
  {
    permission: 'bigquery.tables.get',
    neededFor: 'bills',
    on: 'dataset',
    role: 'roles/bigquery.dataViewer',
    why: 'Check whether the export has changed, and which columns it has',
  },
  {
    permission: 'bigquery.tables.list',
    neededFor: 'bills',
    on: 'dataset',
    role: 'roles/bigquery.dataViewer',
    why: 'Find the export in its dataset',
  },
  {
    permission: 'bigquery.tables.getData',
    neededFor: 'bills',
    on: 'dataset',
    role: 'roles/bigquery.dataViewer',
    why: 'Read the costs of changed invoice months',
  },
  {
    permission: 'bigquery.jobs.create',
    neededFor: 'bills',
    on: 'billingProject',
    role: 'roles/bigquery.jobUser',
    why: 'Run the queries that add up the costs of a month',
  },
  // The predefined role, Cloud Asset Viewer, can also export policies and the content of resources.
  inventory('cloudasset.assets.searchAllResources', 'List resources with their labels'),
  inventory('serviceusage.services.use', 'Use Cloud Asset Inventory', 'roles/serviceusage.serviceUsageConsumer'),
  inventory('compute.commitments.list', 'Read when committed use discounts end'),
  inventory('compute.reservations.list', 'List reserved capacity'),
  inventory('compute.instances.list', 'Find stopped virtual machines, and since when they are stopped'),
  inventory('compute.disks.list', 'Find disks that no machine uses'),
  inventory('compute.addresses.list', 'Find addresses that nothing uses'),
  inventory('compute.snapshots.list', 'Find snapshots of deleted disks'),
];
