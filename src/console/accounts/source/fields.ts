/** What a field is for: which billing data is read, the credentials, or names that only the guide is filled in with. */
type Part = 'settings' | 'credentials' | 'guide';

/** A field of the form that connects an account. */
export interface Field {
  /** As GraphQL spells it. */
  readonly name: string;
  readonly part: Part;
  readonly label: string;
  readonly help?: string;
  readonly placeholder?: string;
  /** `secret` is never shown; `list` is one a line; `file` is the JSON key of Google. */
  readonly kind?: 'secret' | 'list' | 'file';
  readonly isOptional?: boolean;
}

/** One way of connecting a provider. */
export interface Way {
  readonly key: string;
  readonly label: string;
  /** What choosing it means. */
  readonly text: string;
  readonly fields: readonly Field[];
  /** What the guide is asked with while these are empty: without them it would be another way's. */
  readonly assumed?: Readonly<Record<string, string>>;
  /** The guide is asked for a source without an export. */
  readonly withoutExport?: boolean;
  /** Kinds of credentials to choose from; the first is proposed; none: none are needed. */
  readonly credentials: readonly CredentialKind[];
}

/** One kind of credentials. */
export interface CredentialKind {
  readonly key: string;
  readonly label: string;
  readonly fields: readonly Field[];
}

type More = Partial<Pick<Field, 'help' | 'placeholder' | 'kind' | 'isOptional'>>;

/** A field that says which billing data is read. */
export function setting(name: string, label: string, more: More = {}): Field {
  return { name, part: 'settings', label, ...more };
}

/** A name that only the commands of the guide are filled in with. */
export function guided(name: string, label: string, more: More = {}): Field {
  return { name, part: 'guide', label, help: 'Only for the commands below.', isOptional: true, ...more };
}

function credential(name: string, label: string, more: More = {}): Field {
  return { name, part: 'credentials', label, ...more };
}

/** What ids of Azure look like. */
export const guid = '00000000-0000-0000-0000-000000000000';

/** Fields that several ways share. */
export const region = setting('region', 'Region', {
  help: 'Region of the first request. Required for China and GovCloud.',
  placeholder: 'us-east-1',
  isOptional: true,
});
export const bucket = setting('bucket', 'Bucket', { placeholder: 'acme-billing' });
export const prefix = setting('prefix', 'Prefix', {
  help: 'The folder that the files are delivered to; empty for none.',
  placeholder: 'exports',
  isOptional: true,
});
export const storageAccount = setting('storageAccount', 'Storage account', { placeholder: 'acmebilling' });
export const container = setting('container', 'Container', { placeholder: 'exports' });
export const resourceGroup = guided('resourceGroup', 'Resource group of the storage account', {
  placeholder: 'billing',
});

/** An AWS role that trusts the organization. */
export const role: CredentialKind = {
  key: 'role',
  label: 'Role',
  fields: [
    credential('roleArn', 'Role ARN', {
      help: 'Its trust policy must name the external id of your organization, as the guide for AWS shows.',
      placeholder: 'arn:aws:iam::123456789012:role/costkeep',
    }),
  ],
};

/** An access key of AWS or S3-compatible storage. */
export const keys: CredentialKind = {
  key: 'keys',
  label: 'Access key',
  fields: [
    credential('accessKeyId', 'Access key id', { placeholder: 'AKIA…' }),
    credential('secretAccessKey', 'Secret access key', { kind: 'secret' }),
    credential('sessionToken', 'Session token', {
      help: 'Only for temporary keys; syncs fail once they have expired.',
      kind: 'secret',
      isOptional: true,
    }),
  ],
};

/** An Azure service principal. */
export const principal: CredentialKind = {
  key: 'principal',
  label: 'Service principal',
  fields: [
    credential('tenantId', 'Directory (tenant) id', { placeholder: guid }),
    credential('clientId', 'Application (client) id', { placeholder: guid }),
    credential('clientSecret', 'Client secret', {
      help: 'Its value, which the portal shows once, not its id.',
      kind: 'secret',
    }),
  ],
};

/** The key of a Google Cloud service account. */
export const keyFile: CredentialKind = {
  key: 'file',
  label: 'Service account key',
  fields: [credential('serviceAccountJson', 'JSON key file', { kind: 'file' })],
};
