import { type Guide, type Names, shellCommand } from '../guide/names.ts';
import { acceptedEndings } from '../layouts/listing.ts';
import type { CloudEndpoints } from '../spec.ts';

const formats = `${acceptedEndings}; FOCUS 1.0 to 1.4. Manifests of AWS Data Exports and Azure exports are supported`;
const restated =
  'Deliver new or restated files to the same place: each sync reads the changed files and replaces their billing months completely.';

/** Returns the setup for FOCUS files of any vendor: from a folder of the server, a bucket, or a Blob container. */
export function focusGuide(names: Names, endpoints: CloudEndpoints): Guide {
  if (names.storageAccount !== null || names.container !== null) return containerGuide(names);
  return names.bucket === null ? folderGuide(endpoints) : bucketGuide(names, endpoints);
}

function folderGuide({ focusEndpoints }: CloudEndpoints): Guide {
  const stores = focusEndpoints.length > 0 ? `, in a bucket of ${focusEndpoints.join(', ')}` : '';
  return {
    steps: [
      `Place the FOCUS files (${formats}) in a folder under FOCUS_ROOT, in an S3 bucket${stores}, or in a Blob container.`,
      'Connect the folder by its path relative to FOCUS_ROOT.',
      restated,
    ],
    policy: null,
    trustPolicy: null,
    roles: [],
    commands: [],
    templates: [],
    request: { name: 'Bills', provider: 'focus', settings: { path: 'FOLDER' } },
  };
}

function bucketGuide({ bucket, prefix, region }: Names, { focusEndpoints }: CloudEndpoints): Guide {
  const arn = `arn:aws:s3:::${bucket}`;
  const endpoints = focusEndpoints.join(', ');
  const objects = `${arn}/${prefix === '' ? '*' : `${prefix}/*`}`;
  return {
    steps: [
      `Have the FOCUS files (${formats}) delivered to bucket ${bucket}.`,
      'Create an access key with the policy below and no other permissions.',
      endpoints === ''
        ? 'Connect the bucket. For stores of other vendors, the operator must first add their address to FOCUS_ENDPOINTS.'
        : `Connect the bucket; for a store of another vendor, with its endpoint: ${endpoints}.`,
      restated,
    ],
    policy: {
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Action: ['s3:ListBucket'], Resource: arn },
        { Effect: 'Allow', Action: ['s3:GetObject'], Resource: objects },
      ],
    },
    trustPolicy: null,
    roles: [],
    commands: [],
    templates: [],
    request: {
      name: 'Bills',
      provider: 'focus',
      credentials: { access_key_id: 'ACCESS_KEY_ID', secret_access_key: 'SECRET_ACCESS_KEY' },
      settings: { bucket, prefix, ...(region !== null && { region }) },
    },
  };
}

function containerGuide(names: Names): Guide {
  const {
    storageAccount: account,
    container: named,
    subscriptionIds,
    resourceGroup,
    clientId,
    tenantId,
    prefix,
  } = names;
  const container = named ?? 'CONTAINER';
  const storageAccount = account ?? 'STORAGE_ACCOUNT';
  const group = `/subscriptions/${subscriptionIds[0] ?? 'SUBSCRIPTION_ID'}/resourceGroups/${resourceGroup ?? 'RESOURCE_GROUP'}`;
  const scope = `${group}/providers/Microsoft.Storage/storageAccounts/${storageAccount}/blobServices/default/containers/${container}`;
  const role = 'Storage Blob Data Reader';
  const assign = ['az', 'role', 'assignment', 'create', '--assignee', clientId ?? 'CLIENT_ID'];
  return {
    steps: [
      `Have the FOCUS files (${formats}) delivered to container ${container} of storage account ${storageAccount}.`,
      'Create a service principal, and grant it the role below on the container only.',
      'Connect the container with the directory (tenant) ID, application (client) ID and client secret of the service principal.',
      restated,
    ],
    policy: null,
    trustPolicy: null,
    roles: [{ role, scope, why: 'Lists and reads the FOCUS files.' }],
    commands: [
      {
        title: 'Create the service principal',
        command: shellCommand('az', 'ad', 'sp', 'create-for-rbac', '--name', 'costkeep'),
      },
      { title: `Grant ${role}`, command: shellCommand(...assign, '--role', role, '--scope', scope) },
    ],
    templates: [],
    request: {
      name: 'Bills',
      provider: 'focus',
      credentials: {
        tenant_id: tenantId ?? 'TENANT_ID',
        client_id: clientId ?? 'CLIENT_ID',
        client_secret: 'CLIENT_SECRET',
      },
      settings: { storage_account: storageAccount, container, prefix },
    },
  };
}
