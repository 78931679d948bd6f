import { choice, phrase } from '../../kit/errors.ts';
import { list, optional, refuseOthers, required, type Rule, type SettingsFields } from '../fields.ts';
import type { GcpSettings } from '../spec.ts';

const project = String.raw`([a-z][a-z\d.-]{1,60}\.[a-z]{2,12}:)?[a-z][a-z\d-]{4,28}[a-z\d]`;
const datasetName = String.raw`\w{1,1024}`;

/** Names of Google Cloud, as its own documentation limits them. They become part of a query: nothing else may pass. */
export const gcpRules = {
  project: { pattern: new RegExp(`^${project}$`), says: 'a project id such as billing-123' },
  dataset: {
    pattern: new RegExp(String.raw`^(${project}\.)?${datasetName}$`),
    says: 'a dataset, such as billing_export, or my-project.billing_export',
  },
  table: { pattern: /^[\w-]{1,1024}$/, says: 'the name of a table in the dataset' },
  location: {
    pattern: /^([Ee][Uu]|[Uu][Ss]|[A-Za-z]{2,20}(-[A-Za-z]{2,20}){1,3}\d{1,2})$/,
    says: 'the location of the dataset: EU, US, or a region such as europe-west3',
  },
  scope: {
    pattern: new RegExp(String.raw`^(projects\/(${project}|\d{1,20})|(folders|organizations)\/\d{1,20})$`),
    says: 'projects/…, folders/… or organizations/…, the latter two with a number',
  },
  serviceAccount: {
    pattern: /^[a-z\d][a-z\d.-]{0,62}@([a-z\d][a-z\d-]{0,62}\.){1,6}gserviceaccount\.com$/,
    says: 'the email of a service account, such as costkeep@billing-123.iam.gserviceaccount.com',
  },
} as const satisfies Record<string, Rule>;

export const mostScopes = 50;

const settingNames = ['billingProject', 'dataset', 'table', 'location', 'scopes'] as const;

/** Reads where the billing export lies.
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function readGcpSettings(given: SettingsFields): GcpSettings {
  refuseOthers('settings', given, settingNames, phrase`provider ${choice('provider', 'gcp')}`);
  return {
    billingProject: required('settings.billing_project', given.billingProject, gcpRules.project),
    dataset: required('settings.dataset', given.dataset, gcpRules.dataset),
    table: optional('settings.table', given.table, gcpRules.table),
    location: readLocation(required('settings.location', given.location, gcpRules.location)),
    scopes: list('settings.scopes', given.scopes, gcpRules.scope, mostScopes),
  };
}

/** As BigQuery spells it: multi-regions in capitals, regions without. */
export function readLocation(given: string): string {
  return given.length === 2 ? given.toUpperCase() : given.toLowerCase();
}

/** What tells a billing export from others: the billing account in the name of its table, where it has one.
 *  @param table the table that was chosen, which the settings need not name */
export function gcpIdentity({ billingProject, dataset }: GcpSettings, table: string): string {
  const account = /_([\dA-F]{6})_([\dA-F]{6})_([\dA-F]{6})$/i.exec(table);
  if (account) return account.slice(1).join('-').toUpperCase();
  return dataset.includes('.') ? `${dataset}.${table}` : `${billingProject}.${dataset}.${table}`;
}
