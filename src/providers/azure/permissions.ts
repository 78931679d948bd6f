/** Scope of a role; `azure/guide` fills in the user's names. */
export type AzureScope = 'container' | 'billing' | 'subscriptions' | 'reservations' | 'savings plans';

/** A permission that a connected account needs, and the built-in role that grants it. All are read-only. */
export interface AzurePermission {
  /** Azure RBAC action. */
  readonly permission: string;
  /** Built-in role with this action. */
  readonly role: string;
  /** Scope of the grant. */
  readonly scope: AzureScope;
  readonly why: string;
}

/** All permissions that our clients need. */
export const azurePermissions: readonly AzurePermission[] = [
  {
    permission: 'Microsoft.Storage/storageAccounts/blobServices/containers/blobs/read',
    role: 'Storage Blob Data Reader',
    scope: 'container',
    why: 'Lists and reads the FOCUS export. Grant it on the container only, not on the storage account.',
  },
  {
    permission: 'Microsoft.CostManagement/query/read',
    role: 'Cost Management Reader',
    scope: 'billing',
    why: 'Reads costs from the Query API if no export is connected. Billing accounts, profiles and enrollments have separate reader roles.',
  },
  {
    permission: 'Microsoft.ResourceGraph/resources/read',
    role: 'Reader',
    scope: 'subscriptions',
    why: 'Lists resources, their tags and their state. Reads the management plane only: no keys, secrets or data.',
  },
  {
    permission: 'Microsoft.Capacity/reservations/read',
    role: 'Reservations Reader',
    scope: 'reservations',
    why: 'Lists reservations and their end dates.',
  },
  {
    permission: 'Microsoft.BillingBenefits/savingsPlans/read',
    role: 'Savings plan Reader',
    scope: 'savings plans',
    why: 'Lists savings plans and their end dates.',
  },
];
