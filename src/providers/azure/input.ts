import { arg, choice, fix, invalid, mention, phrase } from '../../kit/errors/errors.ts';
import {
  list,
  optional,
  readPrefix,
  refuseOthers,
  required,
  type CredentialFields,
  type SettingsFields,
} from '../fields.ts';
import { azureRules, guid } from '../../kit/text/cloud-names.ts';
import type { AzureCredentials, AzureSettings } from '../spec.ts';

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
