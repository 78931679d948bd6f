import { arg, choice, fix, invalid, mention, phrase } from '../../kit/errors.ts';
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

/** Names of Azure, as its own documentation limits them. */
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
  // It becomes a host name, so nothing else may pass.
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

/** Reads a service principal.
 *  @throws {AppError} VALIDATION_ERROR naming the field; its value is not repeated */
export function readAzureCredentials(given: CredentialFields): AzureCredentials {
  refuseOthers('credentials', given, credentialNames, 'Azure');
  const tenantId = required('credentials.tenant_id', given.tenantId, azureRules.tenantId);
  const clientId = required('credentials.client_id', given.clientId, azureRules.clientId);
  const clientSecret = required('credentials.client_secret', given.clientSecret, azureRules.clientSecret);
  // The portal shows both beside each other, and only the value can be copied later than once.
  if (guid.test(clientSecret))
    throw invalid`${arg('credentials.client_secret')} is the id of a secret${fix}send its value, which the portal shows once`;
  return { tenantId: tenantId.toLowerCase(), clientId: clientId.toLowerCase(), clientSecret };
}

const settingNames = ['subscriptionIds', 'billingScope', 'storageAccount', 'container', 'prefix'] as const;

/** Without a billing scope they are what the account is called, in an index. */
const mostNamedSubscriptions = 50;
export const mostSubscriptions = 1000;

/** Reads what is billed, and where its export lies; without a storage account the Query API is asked.
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function readAzureSettings(given: SettingsFields): AzureSettings {
  refuseOthers('settings', given, settingNames, phrase`provider ${choice('provider', 'azure')}`);
  const billingScope = optional('settings.billing_scope', given.billingScope, azureRules.billingScope);
  const lower = given.subscriptionIds?.map((id) => id.toLowerCase());
  const most = billingScope === null ? mostNamedSubscriptions : mostSubscriptions;
  const subscriptionIds = list('settings.subscription_ids', lower, azureRules.subscriptionId, most);
  if (billingScope === null && subscriptionIds.length === 0)
    throw invalid`${arg('settings.subscription_ids')} or ${mention('settings.billing_scope')} is required: they say whose costs these are`;
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

/** What tells an Azure account from others: the billing scope, else its subscriptions. */
export function azureIdentity({ billingScope, subscriptionIds }: AzureSettings): string {
  return billingScope?.toLowerCase() ?? subscriptionIds.join(',');
}
