import { type Guide, type GuideCommand, type GuideRole, type Names, shellCommand } from '../guide/names.ts';
import { azurePermissions, type AzureScope } from './permissions.ts';

/** Returns the setup of an Azure account: a FOCUS export, and a service principal with a few reader roles. */
export function azureGuide(names: Names): Guide {
  const roles = rolesOf(names);
  return {
    steps: stepsOf(names),
    policy: null,
    trustPolicy: null,
    roles,
    commands: commandsOf(names, roles),
    templates: [],
    request: requestOf(names),
  };
}

function subscriptionsOf({ subscriptionIds }: Names): readonly string[] {
  return subscriptionIds.length > 0 ? subscriptionIds : ['SUBSCRIPTION_ID'];
}

/** Returns the resource ids to grant a role on. */
function scopesOf(scope: AzureScope, names: Names): readonly string[] {
  const subscriptions = subscriptionsOf(names).map((id) => `/subscriptions/${id}`);
  switch (scope) {
    case 'container':
      return [containerScope(names)];
    case 'billing':
      return names.billingScope === null ? subscriptions : [names.billingScope];
    case 'subscriptions':
      return subscriptions;
    case 'reservations':
      return ['/providers/Microsoft.Capacity'];
    case 'savings plans':
      return ['/providers/Microsoft.BillingBenefits'];
  }
}

function containerScope(names: Names): string {
  const [subscription] = subscriptionsOf(names);
  const group = `/subscriptions/${subscription}/resourceGroups/${names.resourceGroup ?? 'RESOURCE_GROUP'}`;
  const account = `${group}/providers/Microsoft.Storage/storageAccounts/${names.storageAccount ?? 'STORAGE_ACCOUNT'}`;
  return `${account}/blobServices/default/containers/${names.container ?? 'CONTAINER'}`;
}

/** Returns the roles: with an export, those on the container; without one, those on the billing scope for the Query API. */
function rolesOf(names: Names): GuideRole[] {
  const left = names.withoutExport ? 'container' : 'billing';
  const granted = azurePermissions
    .filter(({ scope }) => scope !== left)
    .flatMap(({ role, scope, why }) => scopesOf(scope, names).map((on) => ({ role, scope: on, why })));
  // Several permissions may share a role.
  return granted.filter(
    ({ role, scope }, index) => granted.findIndex((each) => each.role === role && each.scope === scope) === index,
  );
}

function stepsOf(names: Names): string[] {
  const { withoutExport, billingScope, storageAccount, container, prefix } = names;
  const place = `storage account ${storageAccount ?? 'STORAGE_ACCOUNT'}, container ${container ?? 'CONTAINER'}, directory ${prefix || 'PREFIX'}`;
  const scope = billingScope ?? 'your billing account, or of a subscription under an agreement that can export FOCUS';
  return [
    withoutExport
      ? 'Without an export, costs are read from the Query API, by day, subscription and service only: no resources, tags or commitments. This is the only way for pay-as-you-go subscriptions; connect an export if you can.'
      : `In Cost Management, Exports, create an export of "Cost and usage details (FOCUS)" of ${scope}: version 1.2-preview, daily, month to date; gzip CSV or Parquet with Snappy; file partitioning and overwriting on; ${place}. Add a monthly export of the last month with the same settings, and run it for the months before.`,
    'Create the service principal with the first command: it prints appId (the application ID), password (the client secret) and tenant (the directory ID).',
    'Grant the service principal the roles below. The roles on reservations and savings plans must be granted by a tenant administrator with elevated access; without these roles, commitments are read from the bills only.',
    ...(withoutExport && billingScope !== null
      ? [
          'On a billing account, profile or section, grant the service principal the reader role in Cost Management + Billing, Access control (IAM); on an enrollment, grant the EnrollmentReader role with the Billing API.',
        ]
      : []),
    'Connect the account with these credentials. Client secrets expire: replace the credentials of the account before then.',
  ];
}

function commandsOf(names: Names, roles: readonly GuideRole[]): GuideCommand[] {
  const assignee = names.clientId ?? 'CLIENT_ID';
  const assign = ['az', 'role', 'assignment', 'create', '--assignee', assignee];
  return [
    ...(names.clientId === null
      ? [
          {
            title: 'Create the service principal, without any role',
            command: shellCommand('az', 'ad', 'sp', 'create-for-rbac', '--name', 'costkeep'),
          },
        ]
      : []),
    ...roles
      // Billing scopes have separate roles, which this command does not support.
      .filter(({ scope }) => !scope.startsWith('/providers/Microsoft.Billing/'))
      .map(({ role, scope }) => ({
        title: `Grant ${role}`,
        command: shellCommand(...assign, '--role', role, '--scope', scope),
      })),
  ];
}

function requestOf(names: Names): object {
  const { tenantId, clientId, billingScope, withoutExport, storageAccount, container, prefix } = names;
  const place = withoutExport
    ? {}
    : {
        storage_account: storageAccount ?? 'STORAGE_ACCOUNT',
        container: container ?? 'CONTAINER',
        prefix: prefix || (container === null ? 'PREFIX' : ''),
      };
  return {
    name: 'Azure',
    provider: 'azure',
    credentials: {
      tenant_id: tenantId ?? 'TENANT_ID',
      client_id: clientId ?? 'CLIENT_ID',
      client_secret: 'CLIENT_SECRET',
    },
    settings: {
      subscription_ids: subscriptionsOf(names),
      ...(billingScope !== null && { billing_scope: billingScope }),
      ...place,
    },
  };
}
