import { awsRules, azureRules, type Rule } from '../../../kit/text/cloud-names.ts';

/** Purpose of a field: billing data settings, credentials, or names that are used only in the setup guide. */
type Part = 'settings' | 'credentials' | 'guide';

/** Field of the form that connects an account. */
export interface Field {
  /** Name in the GraphQL schema. */
  readonly name: string;
  readonly part: Part;
  readonly label: string;
  readonly help?: string;
  readonly placeholder?: string;
  /** `secret` is never shown; `list` has one item per line; `file` is Google Cloud's JSON key. */
  readonly kind?: 'secret' | 'list' | 'file';
  readonly isOptional?: boolean;
  /** Name of a field that can be filled in instead. */
  readonly alternative?: string;
  /** Rule of the API for the value, or each item of a list. */
  readonly rule?: Rule;
}

/** Method of connecting a provider. */
export interface Way {
  readonly key: string;
  readonly label: string;
  /** Description shown with the choice. */
  readonly text: string;
  readonly fields: readonly Field[];
  /** Values sent to the guide while these fields are empty; without them, the API would return another method's guide. */
  readonly assumed?: Readonly<Record<string, string>>;
  /** Setting that identifies this method where no field does. */
  readonly source?: 'UPLOADS';
  /** Requests the guide for a source without an export. */
  readonly withoutExport?: boolean;
  /** Field of the API without which it cannot be used. */
  readonly needs?: 'settings.path';
  /** Kinds of credentials to choose from, default first; empty if none are needed. */
  readonly credentials: readonly CredentialKind[];
}

/** Kind of credentials. */
export interface CredentialKind {
  readonly key: string;
  readonly label: string;
  /** Field of the API without which it cannot be used. */
  readonly needs?: 'credentials.role_arn';
  readonly fields: readonly Field[];
}

type More = Partial<Omit<Field, 'name' | 'part' | 'label'>>;

/** Defines a field of the billing data settings. */
export function setting(name: string, label: string, more: More = {}): Field {
  return { name, part: 'settings', label, ...more };
}

/** Defines a field that only fills in the commands of the guide. */
export function guided(name: string, label: string, more: More = {}): Field {
  return { name, part: 'guide', label, help: 'Only for the commands below.', isOptional: true, ...more };
}

function credential(name: string, label: string, more: More = {}): Field {
  return { name, part: 'credentials', label, ...more };
}

/** Placeholder for Azure IDs. */
export const guid = '00000000-0000-0000-0000-000000000000';

/** Fields shared by several methods. */
export const region = setting('region', 'Region', {
  help: 'Region of the first request. Required for China and GovCloud.',
  placeholder: 'us-east-1',
  isOptional: true,
  rule: awsRules.region,
});
export const bucket = setting('bucket', 'Bucket', { placeholder: 'acme-billing', rule: awsRules.bucket });
export const prefix = setting('prefix', 'Prefix', {
  help: 'Folder that the files are delivered to.',
  placeholder: 'exports',
  isOptional: true,
});
export const storageAccount = setting('storageAccount', 'Storage account', {
  placeholder: 'acmebilling',
  rule: azureRules.storageAccount,
});
export const container = setting('container', 'Container', { placeholder: 'exports', rule: azureRules.container });
export const resourceGroup = guided('resourceGroup', 'Resource group', {
  help: 'Contains the storage account. Only for the commands below.',
  placeholder: 'billing',
});

/** AWS role that trusts the organization. */
export const role: CredentialKind = {
  key: 'role',
  label: 'Role',
  needs: 'credentials.role_arn',
  fields: [
    credential('roleArn', 'Role ARN', {
      help: 'Its trust policy must contain the external ID of your organization; see the AWS guide.',
      placeholder: 'arn:aws:iam::123456789012:role/costkeep',
      rule: awsRules.roleArn,
    }),
  ],
};

/** Access key for AWS or S3-compatible storage. */
export const keys: CredentialKind = {
  key: 'keys',
  label: 'Access key',
  fields: [
    credential('accessKeyId', 'Access key ID', { placeholder: 'AKIA…' }),
    credential('secretAccessKey', 'Secret access key', { kind: 'secret' }),
    credential('sessionToken', 'Session token', {
      help: 'Only for temporary keys; syncs fail once they have expired.',
      kind: 'secret',
      isOptional: true,
    }),
  ],
};

/** Azure service principal. */
export const principal: CredentialKind = {
  key: 'principal',
  label: 'Service principal',
  fields: [
    credential('tenantId', 'Directory (tenant) ID', { placeholder: guid, rule: azureRules.tenantId }),
    credential('clientId', 'Application (client) ID', { placeholder: guid, rule: azureRules.clientId }),
    credential('clientSecret', 'Client secret', {
      help: 'The secret value, which the portal shows once, not the secret ID.',
      kind: 'secret',
      rule: azureRules.clientSecret,
    }),
  ],
};

/** Key of a Google Cloud service account. */
export const keyFile: CredentialKind = {
  key: 'file',
  label: 'Service account key',
  fields: [credential('serviceAccountJson', 'JSON key file', { kind: 'file' })],
};
