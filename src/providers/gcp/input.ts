import { createPrivateKey } from 'node:crypto';
import { arg, choice, fix, invalid, operation, phrase } from '../../kit/errors/errors.ts';
import { type CredentialFields, list, optional, refuseOthers, required, type SettingsFields } from '../fields.ts';
import type { Rule } from '../../kit/text/cloud-names.ts';
import type { GcpCredentials, GcpSettings } from '../spec.ts';

const projectId = String.raw`([a-z][a-z\d.-]{1,60}\.[a-z]{2,12}:)?[a-z][a-z\d-]{4,28}[a-z\d]`;
const datasetName = String.raw`\w{1,1024}`;

/** Rules for Google Cloud names, as in Google's documentation. Strict, because names become part of a query. */
export const gcpRules = {
  project: { pattern: new RegExp(`^${projectId}$`), says: 'a project id such as billing-123' },
  dataset: {
    pattern: new RegExp(String.raw`^(${projectId}\.)?${datasetName}$`),
    says: 'a dataset, such as billing_export, or my-project.billing_export',
  },
  table: { pattern: /^[\w-]{1,1024}$/, says: 'the name of a table in the dataset' },
  location: {
    pattern: /^([Ee][Uu]|[Uu][Ss]|[A-Za-z]{2,20}(-[A-Za-z]{2,20}){1,3}\d{1,2})$/,
    says: 'the location of the dataset: EU, US, or a region such as europe-west3',
  },
  scope: {
    pattern: new RegExp(String.raw`^(projects\/(${projectId}|\d{1,20})|(folders|organizations)\/\d{1,20})$`),
    says: 'projects/…, folders/… or organizations/…, the latter two with a number',
  },
  serviceAccount: {
    pattern: /^[a-z\d][a-z\d.-]{0,62}@([a-z\d][a-z\d-]{0,62}\.){1,6}gserviceaccount\.com$/,
    says: 'the email of a service account, such as costkeep@billing-123.iam.gserviceaccount.com',
  },
} as const satisfies Record<string, Rule>;

export const mostScopes = 50;

const settingNames = ['billingProject', 'dataset', 'table', 'location', 'scopes'] as const;

/** Validates the location of the billing export.
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

/** Normalizes case as in BigQuery: multi-regions in upper case, regions in lower case. */
export function readLocation(given: string): string {
  return given.length === 2 ? given.toUpperCase() : given.toLowerCase();
}

/** Returns the identity of a billing export: the billing account in its table name, if present.
 *  @param table the selected table, which may be missing from the settings */
export function gcpIdentity({ billingProject, dataset }: GcpSettings, table: string): string {
  const account = /_([\dA-F]{6})_([\dA-F]{6})_([\dA-F]{6})$/i.exec(table);
  if (account) return account.slice(1).join('-').toUpperCase();
  return dataset.includes('.') ? `${dataset}.${table}` : `${billingProject}.${dataset}.${table}`;
}

const at = 'credentials.service_account_json';

/** Token addresses in Google's own key files. Any other address would receive an assertion signed with the key. */
const tokenUris = new Set(['https://oauth2.googleapis.com/token', 'https://accounts.google.com/o/oauth2/token']);

/** Fields of other kinds of credentials, which can contain addresses and even programs. */
const foreignFields = [
  'credential_source',
  'service_account_impersonation_url',
  'source_credentials',
  'token_url',
  'token_info_url',
  'subject_token_type',
  'workforce_pool_user_project',
  'delegates',
  'refresh_token',
] as const;

/** Validates a service account's key file; only the email, key and project are used.
 *  @throws {AppError} VALIDATION_ERROR naming the field, without its value */
export function readGcpCredentials(given: CredentialFields): GcpCredentials {
  refuseOthers('credentials', given, ['serviceAccountJson'], 'Google Cloud');
  if (!given.serviceAccountJson)
    throw invalid`${arg(at)} is required: the JSON key of a service account, as an object${fix}see ${operation('GET /accounts/setup')}`;
  const file = new Map<string, unknown>(Object.entries(given.serviceAccountJson));
  refuseOtherKinds(file);
  return {
    clientEmail: required(`${at}.client_email`, textOf(file, 'client_email'), gcpRules.serviceAccount),
    privateKey: readPrivateKey(textOf(file, 'private_key')),
    projectId: required(`${at}.project_id`, textOf(file, 'project_id'), gcpRules.project),
  };
}

function refuseOtherKinds(file: ReadonlyMap<string, unknown>): void {
  if (file.get('type') !== 'service_account') {
    throw invalid`${arg(`${at}.type`)} must be "service_account": other kinds of credentials can make the server send requests to arbitrary addresses`;
  }
  const foreign = foreignFields.find((name) => file.has(name));
  if (foreign)
    throw invalid`${arg(`${at}.${foreign}`)} is not part of a service account's key${fix}send the file as Google created it`;
  const tokenUri = file.get('token_uri') ?? 'https://oauth2.googleapis.com/token';
  if (typeof tokenUri !== 'string' || !tokenUris.has(tokenUri))
    throw invalid`${arg(`${at}.token_uri`)} must be https://oauth2.googleapis.com/token: tokens are requested only from Google`;
  if ((file.get('universe_domain') ?? 'googleapis.com') !== 'googleapis.com')
    throw invalid`${arg(`${at}.universe_domain`)} must be googleapis.com: other domains are not supported`;
}

function textOf(file: ReadonlyMap<string, unknown>, name: string): string | null {
  const value = file.get(name) ?? null;
  if (value === null || typeof value === 'string') return value;
  throw invalid`${arg(`${at}.${name}`)} must be a string`;
}

const keyRemedy = 'send the private_key of the file as Google created it, from -----BEGIN PRIVATE KEY----- on';

/** Parses and re-exports the key, so that nothing else is stored. */
function readPrivateKey(pem: string | null): string {
  const name = arg(`${at}.private_key`);
  if (pem === null) throw invalid`${name} is required${fix}${keyRemedy}`;
  const key = pem.length <= 16_384 ? parsed(pem) : null;
  if (!key) throw invalid`${name} is not a private key${fix}${keyRemedy}`;
  const { asymmetricKeyType, asymmetricKeyDetails } = key;
  if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < 1024)
    throw invalid`${name} is not an RSA key${fix}${keyRemedy}`;
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Null if invalid; the parser's error might quote the key. */
function parsed(pem: string) {
  if (!pem.trimStart().startsWith('-----BEGIN ')) return null;
  try {
    return createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    return null;
  }
}

/** Location of the export. Each part is safe in a query and a path. */
export interface DatasetRef {
  readonly project: string;
  readonly dataset: string;
}

export interface TableRef extends DatasetRef {
  readonly table: string;
}

/** Returns the dataset of the settings. They were validated when the account was connected; validated again here, because they
 *  become part of a query and of paths.
 *  @throws {AppError} VALIDATION_ERROR naming the invalid setting */
export function datasetOf(settings: GcpSettings): DatasetRef {
  check('billing_project', settings.billingProject, gcpRules.project);
  check('dataset', settings.dataset, gcpRules.dataset);
  check('location', settings.location, gcpRules.location);
  if (settings.table !== null) check('table', settings.table, gcpRules.table);
  for (const each of settings.scopes) check('scopes', each, gcpRules.scope);
  const dot = settings.dataset.lastIndexOf('.');
  return {
    project: dot < 0 ? settings.billingProject : settings.dataset.slice(0, dot),
    dataset: settings.dataset.slice(dot + 1),
  };
}

function check(setting: string, value: string, { pattern, says }: Rule): void {
  if (!pattern.test(value)) throw invalid`${arg(`settings.${setting}`, value)} must be ${says}`;
}

/** Returns the name of a table in messages. */
export function nameOf({ project, dataset, table }: TableRef): string {
  return `${project}.${dataset}.${table}`;
}
