import { arg, fix, invalid, mention } from '../../kit/errors/errors.ts';
import type { AwsSession } from '../aws/session.ts';
import type { Connection } from '../contract.ts';
import type { AwsCredentials, AzureCredentials, CloudEndpoints, ConnectionSpec, FocusSettings } from '../spec.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { focusIdentity } from './input.ts';
import { checkStorage, storageSource } from './storage.ts';

type FocusSpec = Extract<ConnectionSpec, { provider: 'focus' }>;
type BucketSettings = Extract<FocusSettings, { bucket: string }>;
type ContainerSettings = Exclude<FocusSettings, BucketSettings>;

/** Opens FOCUS exports of any vendor in an S3-compatible bucket or Blob container.
 *  @throws {AppError} VALIDATION_ERROR naming the invalid setting or credential */
export async function openFocusStorage(spec: FocusSpec, endpoints: CloudEndpoints): Promise<Connection> {
  const { settings, credentials } = spec;
  const { store, refuseOpenRole } =
    'bucket' in settings
      ? await openBucket(spec, settings, endpoints)
      : { store: await openContainer(azureCredentials(credentials), settings, endpoints), refuseOpenRole: null };
  const place = { store, prefix: settings.prefix === '' ? '' : `${settings.prefix}/` };
  return {
    costs: storageSource(place),
    inventory: null,
    async check(signal) {
      await refuseOpenRole?.(signal);
      await checkStorage(place, signal);
      return { externalId: focusIdentity(settings, endpoints), warnings: [] };
    },
  };
}

async function openBucket(
  spec: FocusSpec,
  settings: BucketSettings,
  endpoints: CloudEndpoints,
): Promise<{ store: ObjectStore; refuseOpenRole: AwsSession['refuseOpenRole'] }> {
  const { bucket, endpoint, region } = settings;
  // The operator may have changed the list since the account was connected.
  if (endpoint !== null && !endpoints.focusEndpoints.includes(endpoint))
    throw invalid`${arg('settings.endpoint', endpoint)} is not one of the stores that the server allows (FOCUS_ENDPOINTS)${fix}use one of them`;
  const [{ S3Client }, { openSession }, { s3Store }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('../aws/session.ts'),
    import('../storage/s3-store.ts'),
  ]);
  const session = openSession({
    credentials: awsCredentials(spec.credentials),
    trustExternalId: spec.trustExternalId,
    region,
    endpoints: { awsEndpoint: endpoints.awsEndpoint, s3Endpoint: endpoint ?? endpoints.s3Endpoint },
  });
  return { store: s3Store(session.s3(S3Client, region).client, bucket), refuseOpenRole: session.refuseOpenRole };
}

async function openContainer(
  credentials: AzureCredentials,
  settings: ContainerSettings,
  endpoints: CloudEndpoints,
): Promise<ObjectStore> {
  const [{ readOnlyContainer }, { servicePrincipal }, { blobStore }] = await Promise.all([
    import('../azure/export.ts'),
    import('../azure/sign-in.ts'),
    import('../storage/blob-store.ts'),
  ]);
  return blobStore(readOnlyContainer(servicePrincipal(credentials, endpoints), endpoints, settings), settings);
}

function awsCredentials(credentials: AwsCredentials | AzureCredentials): AwsCredentials {
  if ('tenantId' in credentials)
    throw invalid`${arg('settings.bucket')} is read with ${mention('role_arn')} or access keys, not with a service principal${fix}replace the credentials`;
  return credentials;
}

function azureCredentials(credentials: AwsCredentials | AzureCredentials): AzureCredentials {
  if ('tenantId' in credentials) return credentials;
  throw invalid`${arg('settings.container')} is read with a service principal (${mention('tenant_id', 'client_id', 'client_secret')})${fix}replace the credentials`;
}
