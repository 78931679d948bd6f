/** An allowed request to Azure Resource Manager. Anything else is rejected before the network. */
export interface AzureOperation {
  readonly method: 'GET' | 'POST';
  /** Matches the whole path. */
  readonly path: RegExp;
  readonly apiVersion: string;
  /** Required RBAC action; null: any permission on the resource is enough. */
  readonly permission: string | null;
}

const guid = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';
const billing =
  '/providers/Microsoft\\.Billing/billingAccounts/[\\w:.-]+' +
  '(?:/(?:billingProfiles|invoiceSections|departments|enrollmentAccounts|customers)/[\\w:.-]+){0,2}';

/** The allowed operations. The two POSTs are queries with a body; they change nothing. */
export const azureOperations = {
  subscriptions: {
    method: 'GET',
    path: /^\/subscriptions$/,
    apiVersion: '2022-12-01',
    permission: null,
  },
  query: {
    method: 'POST',
    path: new RegExp(`^(?:/subscriptions/${guid}|${billing})/providers/Microsoft\\.CostManagement/query$`, 'i'),
    apiVersion: '2025-03-01',
    permission: 'Microsoft.CostManagement/query/read',
  },
  resources: {
    method: 'POST',
    path: /^\/providers\/Microsoft\.ResourceGraph\/resources$/i,
    apiVersion: '2024-04-01',
    permission: 'Microsoft.ResourceGraph/resources/read',
  },
  reservations: {
    method: 'GET',
    path: /^\/providers\/Microsoft\.Capacity\/reservations$/i,
    apiVersion: '2022-11-01',
    permission: 'Microsoft.Capacity/reservations/read',
  },
  savingsPlans: {
    method: 'GET',
    path: /^\/providers\/Microsoft\.BillingBenefits\/savingsPlans$/i,
    apiVersion: '2022-11-01',
    permission: 'Microsoft.BillingBenefits/savingsPlans/read',
  },
} as const satisfies Record<string, AzureOperation>;

export type AzureOperationName = keyof typeof azureOperations;
