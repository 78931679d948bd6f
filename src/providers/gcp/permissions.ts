/** A permission that a service account needs. */
export interface GcpPermission {
  readonly permission: string;
  /** Resource of the grant: the export's dataset, the project that runs queries, or each inventory scope. */
  readonly on: 'dataset' | 'billingProject' | 'scope';
  /** Smallest predefined role that includes it; null: use a custom role, because predefined ones can read much more. */
  readonly role: string | null;
  readonly why: string;
}

const dataViewer = 'roles/bigquery.dataViewer';

/** All permissions that a service account needs. No role on the billing account is required, because the export has the
 *  costs. */
export const gcpPermissions: readonly GcpPermission[] = [
  needed(
    'bigquery.tables.get',
    'Checks whether the export has changed, and which columns it has.',
    dataViewer,
    'dataset',
  ),
  needed('bigquery.tables.list', 'Finds the export in its dataset.', dataViewer, 'dataset'),
  needed('bigquery.tables.getData', 'Reads the costs of changed invoice months.', dataViewer, 'dataset'),
  needed(
    'bigquery.jobs.create',
    'Runs the queries that add up the costs of a month.',
    'roles/bigquery.jobUser',
    'billingProject',
  ),
  // The predefined role, Cloud Asset Viewer, can also export policies and the content of resources.
  needed('cloudasset.assets.searchAllResources', 'Lists resources with their labels.'),
  needed('serviceusage.services.use', 'Uses Cloud Asset Inventory.', 'roles/serviceusage.serviceUsageConsumer'),
  needed('compute.commitments.list', 'Reads when committed use discounts end.'),
  needed('compute.reservations.list', 'Lists reserved capacity.'),
  needed('compute.instances.list', 'Finds stopped virtual machines, and how long they have been stopped.'),
  needed('compute.disks.list', 'Finds unattached disks.'),
  needed('compute.addresses.list', 'Finds unused addresses.'),
  needed('compute.snapshots.list', 'Finds snapshots of deleted disks.'),
];

function needed(
  permission: string,
  why: string,
  role: string | null = null,
  on: GcpPermission['on'] = 'scope',
): GcpPermission {
  return { permission, on, role, why };
}
