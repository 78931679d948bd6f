import { guid } from './shared.ts';
import type { CredentialKind } from './way.ts';

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
