/** What a field is for: where the bills lie, who may read them, or names that only the guide is filled in with. */
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

/** What ids of Azure look like. */
export const guid = '00000000-0000-0000-0000-000000000000';

/** Where S3 is spoken to first. */
export const region: Field = {
  name: 'region',
  part: 'settings',
  label: 'Region',
  help: 'Spoken to first. Needed for China and GovCloud.',
  placeholder: 'us-east-1',
  isOptional: true,
};
/** The bucket that the files are in. */
export const bucket: Field = { name: 'bucket', part: 'settings', label: 'Bucket', placeholder: 'acme-billing' };
/** The folder in it. */
export const prefix: Field = {
  name: 'prefix',
  part: 'settings',
  label: 'Prefix',
  help: 'The folder that the files are delivered to; empty for none.',
  placeholder: 'exports',
  isOptional: true,
};
/** Where Azure delivers an export. */
export const storageAccount: Field = {
  name: 'storageAccount',
  part: 'settings',
  label: 'Storage account',
  placeholder: 'acmebilling',
};
/** The container in it. */
export const container: Field = { name: 'container', part: 'settings', label: 'Container', placeholder: 'exports' };
/** For the role on the container. */
export const resourceGroup: Field = {
  name: 'resourceGroup',
  part: 'guide',
  label: 'Resource group of the storage account',
  help: 'Only for the commands below.',
  placeholder: 'billing',
  isOptional: true,
};

/** A role of AWS that trusts the organization. */
export const role: CredentialKind = {
  key: 'role',
  label: 'Role',
  fields: [
    {
      name: 'roleArn',
      part: 'credentials',
      label: 'Role ARN',
      help: 'Its trust policy must name the external id of your organization, as the guide for AWS shows.',
      placeholder: 'arn:aws:iam::123456789012:role/costkeep',
    },
  ],
};

/** An access key of AWS, or of a store like it. */
export const keys: CredentialKind = {
  key: 'keys',
  label: 'Access key',
  fields: [
    { name: 'accessKeyId', part: 'credentials', label: 'Access key id', placeholder: 'AKIA…' },
    { name: 'secretAccessKey', part: 'credentials', label: 'Secret access key', kind: 'secret' },
    {
      name: 'sessionToken',
      part: 'credentials',
      label: 'Session token',
      help: 'Of temporary keys alone; syncs fail once they have expired.',
      kind: 'secret',
      isOptional: true,
    },
  ],
};

/** A service principal of Azure. */
export const principal: CredentialKind = {
  key: 'principal',
  label: 'Service principal',
  fields: [
    { name: 'tenantId', part: 'credentials', label: 'Directory (tenant) id', placeholder: guid },
    { name: 'clientId', part: 'credentials', label: 'Application (client) id', placeholder: guid },
    {
      name: 'clientSecret',
      part: 'credentials',
      label: 'Client secret',
      help: 'Its value, which the portal shows once, not its id.',
      kind: 'secret',
    },
  ],
};

/** The key of a service account of Google. */
export const keyFile: CredentialKind = {
  key: 'file',
  label: 'Service account key',
  fields: [{ name: 'serviceAccountJson', part: 'credentials', label: 'JSON key file', kind: 'file' }],
};
