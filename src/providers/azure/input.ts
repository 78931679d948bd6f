import { arg, choice, fix, invalid, mention, phrase } from '../../kit/errors/errors.ts';
import {
  list,
  optional,
  readPrefix,
  refuseOthers,
  required,
  type CredentialFields,
  type Rule,
  type SettingsFields,
} from '../fields.ts';
import type { AzureCredentials, AzureSettings } from '../spec.ts';

const guid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const example = '00000000-0000-0000-0000-000000000000';

/** Rules for Azure names, as in Azure's documentation. */
export const azureRules = {
  tenantId: { pattern: guid, format: 'uuid', says: `the directory (tenant) id, such as ${example}` },
  clientId: { pattern: guid, format: 'uuid', says: `the application (client) id, such as ${example}` },
  clientSecret: { pattern: /^[!-~]{8,512}$/, says: 'the value of a client secret, as it was shown once' },
  subscriptionId: { pattern: guid, format: 'uuid', says: `a subscription id, such as ${example}` },
  billingScope: {
    pattern:
      /^\/providers\/Microsoft\.Billing\/billingAccounts\/(?!\.)[\w:.-]{1,128}(\/(billingProfiles|invoiceSections|departments|enrollmentAccounts|customers)\/(?!\.)[\w:.-]{1,128}){0,2}$/i,
    maxLength: 512,
    says: 'the resource id of a billing account, or of a profile, section, department or enrollment account below one: /providers/Microsoft.Billing/billingAccounts/…',
  },
  // Strict, because it becomes a host name.
  storageAccount: {
    pattern: /^[a-z0-9]{3,24}$/,
    says: 'the name of a storage account, 3 to 24 lower-case letters and digits; no address and no SAS',
  },
  container: {
    pattern: /^(?!.*--)[a-z\d][a-z\d-]{1,61}[a-z\d]$/,
    says: 'the name of a container: 3 to 63 lower-case letters, digits and single hyphens; no address and no SAS',
  },
} as const satisfies Record<string, Rule>;

const credentialNames = ['tenantId', 'clientId', 'clientSecret'] as const;

/** Validates a service principal.
 *  @throws {AppError} VALIDATION_ERROR naming the field, without its value */
export function readAzureCredentials(given: CredentialFields): AzureCredentials {
  refuseOthers('credentials', given, credentialNames, 'Azure');
  const tenantId = required('credentials.tenant_id', given.tenantId, azureRules.tenantId);
  const clientId = required('credentials.client_id', given.clientId, azureRules.clientId);
  const clientSecret = required('credentials.client_secret', given.clientSecret, azureRules.clientSecret);
  // The portal shows both next to each other, and the value can be copied only once.
  if (guid.test(clientSecret))
    throw invalid`${arg('credentials.client_secret')} is the id of a secret${fix}send its value, which the portal shows once`;
  return { tenantId: tenantId.toLowerCase(), clientId: clientId.toLowerCase(), clientSecret };
}

const settingNames = ['subscriptionIds', 'billingScope', 'storageAccount', 'container', 'prefix'] as const;

/** Limited, because without a billing scope they form the account's external id, which is indexed. */
const mostNamedSubscriptions = 50;
export const mostSubscriptions = 1000;

/** Validates the billing scope and the export's location; without a storage account, costs come from the Query API.
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function readAzureSettings(given: SettingsFields): AzureSettings {
  refuseOthers('settings', given, settingNames, phrase`provider ${choice('provider', 'azure')}`);
  const billingScope = optional('settings.billing_scope', given.billingScope, azureRules.billingScope);
  const lower = given.subscriptionIds?.map((id) => id.toLowerCase());
  const most = billingScope === null ? mostNamedSubscriptions : mostSubscriptions;
  const subscriptionIds = list('settings.subscription_ids', lower, azureRules.subscriptionId, most);
  if (billingScope === null && subscriptionIds.length === 0)
    throw invalid`${arg('settings.subscription_ids')} or ${mention('settings.billing_scope')} is required: they select the costs to read`;
  return { subscriptionIds, billingScope, ...readBlobPlace(given) };
}

function readBlobPlace(given: SettingsFields): Pick<AzureSettings, 'storageAccount' | 'container' | 'prefix'> {
  const storageAccount = optional('settings.storage_account', given.storageAccount, azureRules.storageAccount);
  const prefix = readPrefix('settings.prefix', given.prefix);
  if (storageAccount !== null)
    return { storageAccount, container: required('settings.container', given.container, azureRules.container), prefix };
  const stray = given.container ? 'container' : prefix === '' ? null : 'prefix';
  if (stray)
    throw invalid`${arg('settings.storage_account')} is required with ${mention(`settings.${stray}`)}: where the export is delivered`;
  return { storageAccount, container: null, prefix };
}

/** Returns the identity of an Azure account: the billing scope, otherwise its subscriptions. */
export function azureIdentity({ billingScope, subscriptionIds }: AzureSettings): string {
  return billingScope?.toLowerCase() ?? subscriptionIds.join(',');
}
