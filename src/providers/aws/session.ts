import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { S3Client } from '@aws-sdk/client-s3';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { fromNodeProviderChain } from '@aws-sdk/credential-providers';
import { arg, fix, invalid, operation } from '../../kit/errors/errors.ts';
import type { AwsCredentials, CloudEndpoints } from '../spec.ts';
import { AwsFault, awsRetries, bucketRegion } from './faults.ts';
import { add, guard, type GuardedClient } from './operations.ts';

/** AWS, signed in as an account's role or user. */
export interface AwsSession {
  readonly partition: Partition;
  /** Returns a client of any service except S3, in a region; the partition's main one by default. It sends only the operations
   *  of `operations.ts`; its errors are TryLater, AppError (credentials, clock) and AwsFault. */
  client<T extends GuardedClient>(Client: ClientClass<T>, region?: string): T;
  /** Returns an S3 client that learns the bucket's region from the first response. */
  s3(Client: ClientClass<S3Client>, region: string | null): BucketClient;
  /** Returns the account id. */
  accountId(signal: AbortSignal): Promise<string>;
  /** Returns the account id by calling AWS, which verifies the credentials.
   *  @throws {AppError} VALIDATION_ERROR naming the problem with them */
  signIn(signal: AbortSignal): Promise<string>;
  /** Verifies, when an account is connected, that its role can only be used by this organization; keys always pass.
   *  @throws {AppError} VALIDATION_ERROR when the role requires no external id */
  refuseOpenRole(signal: AbortSignal): Promise<void>;
}

/** Constructor of an SDK client. */
export type ClientClass<T> = new (settings: ClientSettings) => T;

/** An S3 client and its current region. */
export interface BucketClient {
  readonly client: S3Client;
  region(): string;
}

interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  expiration?: Date;
}

type Provider = () => Promise<Keys>;

interface ClientSettings {
  region: string | (() => Promise<string>);
  credentials: Provider;
  endpoint?: string;
  forcePathStyle?: boolean;
  retryStrategy: ReturnType<typeof awsRetries>;
  requestHandler: object;
}

/** Options of a session. */
interface SessionOptions {
  readonly credentials: AwsCredentials;
  /** Required by the role's trust policy. */
  readonly trustExternalId: string;
  readonly region: string | null;
  readonly endpoints: Pick<CloudEndpoints, 'awsEndpoint' | 's3Endpoint'>;
}

const connectionMs = 10_000;
const answerMs = 60_000;
/** Assumed credentials are renewed this many milliseconds before they expire. */
const renewMs = 5 * 60_000;

/** Opens a session. Signs in lazily, once for all clients; otherwise each would assume the role itself. */
export function openSession(options: SessionOptions): AwsSession {
  const { credentials, endpoints, region } = options;
  const role = 'roleArn' in credentials ? credentials.roleArn : null;
  const uses = role === null ? 'keys' : 'role';
  const partition = role === null ? partitionOfRegion(region) : partitionOfArn(role);
  const common = { retryStrategy: awsRetries(), requestHandler: requestHandler() };
  const at = (endpoint: string | null): object => (endpoint === null ? {} : { endpoint });
  const sts = (keys: Provider): STSClient =>
    guard(
      new STSClient({
        ...common,
        ...at(endpoints.awsEndpoint),
        region: region ?? partition.mainRegion,
        credentials: keys,
      }),
      uses,
    );
  const keys = once(() =>
    'roleArn' in credentials
      ? assumeRole(sts(fromNodeProviderChain()), credentials.roleArn, options.trustExternalId)
      : given(credentials),
  );
  return {
    partition,
    client: (Client, asked = partition.mainRegion) =>
      guard(new Client({ ...common, ...at(endpoints.awsEndpoint), region: asked, credentials: keys }), uses),
    s3: (Client, asked) =>
      bucketClient(asked ?? region ?? partition.mainRegion, (where) => {
        const style = endpoints.s3Endpoint === null ? {} : { forcePathStyle: true };
        return guard(
          new Client({ ...common, ...at(endpoints.s3Endpoint), ...style, region: where, credentials: keys }),
          uses,
        );
      }),
    signIn: async (signal) => callerAccount(sts(keys), signal),
    refuseOpenRole: async (signal) => {
      if (role === null) return;
      await refuseOpenRole(
        sts(fromNodeProviderChain()),
        { roleArn: role, externalId: options.trustExternalId },
        signal,
      );
    },
    accountId: async (signal) => role?.split(':')[4] ?? callerAccount(sts(keys), signal),
  };
}

/** Caches credentials until shortly before they expire, and shares concurrent requests. */
function once(ask: () => Promise<Keys>): Provider {
  let current: Promise<Keys> | null = null;
  let endsAt = 0;
  return async () => {
    if (current === null || Date.now() > endsAt - renewMs) {
      endsAt = Number.POSITIVE_INFINITY;
      current = ask().then(
        (keys) => {
          endsAt = keys.expiration?.getTime() ?? Number.POSITIVE_INFINITY;
          return keys;
        },
        (error: unknown) => {
          current = null;
          throw error;
        },
      );
    }
    return current;
  };
}

async function given(credentials: Exclude<AwsCredentials, { roleArn: string }>): Promise<Keys> {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  return { accessKeyId, secretAccessKey, ...(sessionToken !== null && { sessionToken }) };
}

async function assumeRole(sts: STSClient, roleArn: string, externalId: string): Promise<Keys> {
  const command = new AssumeRoleCommand({ RoleArn: roleArn, RoleSessionName: 'costkeep', ExternalId: externalId });
  const answer = await sts.send(command).catch((error: unknown) => {
    throw untrusted(error, roleArn, externalId);
  });
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = answer.Credentials ?? {};
  if (!AccessKeyId || !SecretAccessKey || !SessionToken)
    throw invalid`${arg('credentials.role_arn', roleArn)} was assumed, but AWS returned no credentials for it`;
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: SessionToken,
    ...(Expiration && { expiration: Expiration }),
  };
}

function untrusted(error: unknown, roleArn: string, externalId: string): unknown {
  if (!(error instanceof AwsFault)) return error;
  if (!error.isDenied)
    return invalid`${arg('credentials.role_arn', roleArn)} cannot be assumed (${error.code}): ${error.message}`;
  return invalid`${arg('credentials.role_arn', roleArn)} cannot be assumed by the server (${error.code} on sts:AssumeRole)${fix}the role must exist, its trust policy must name the server's principal, and its condition sts:ExternalId must be "${externalId}"`;
}

async function callerAccount(sts: STSClient, signal: AbortSignal): Promise<string> {
  const { Account } = await sts.send(new GetCallerIdentityCommand({}), { abortSignal: signal }).catch(nameless);
  if (!Account)
    throw invalid`${arg('credentials.access_key_id')} is accepted, but AWS returned no account number for it`;
  return Account;
}

function nameless(error: unknown): never {
  if (!(error instanceof AwsFault)) throw error;
  throw invalid`AWS did not identify the owner of the credentials (${error.code} on sts:GetCallerIdentity, status ${error.status ?? 'none'})${fix}check that the keys are active; if the server reaches AWS through a custom endpoint or proxy, ask its operator to check that`;
}

/** Wraps a client so that it follows its bucket's region: an error of a bucket in another region names it, and later requests
 *  go there directly. */
function bucketClient(first: string, open: (region: () => Promise<string>) => S3Client): BucketClient {
  let region = first;
  const client = open(async () => region);
  const middleware = (next: (args: never) => Promise<unknown>) => async (args: never) => {
    try {
      return await next(args);
    } catch (error) {
      const other = bucketRegion(error);
      if (other === null || other === region) throw error;
      region = other;
      return next(args);
    }
  };
  add(client, middleware, 'costkeepBucketRegion', 'normal');
  return { client, region: () => region };
}

/** Network timeouts, and the global agents, which use the proxy. */
function requestHandler(): object {
  return {
    connectionTimeout: connectionMs,
    requestTimeout: answerMs,
    socketTimeout: answerMs,
    throwOnRequestTimeout: true,
    httpAgent: http.globalAgent,
    httpsAgent: https.globalAgent,
  };
}

/** Shortest session that AWS allows, in seconds; the trial session is never used. */
const leastSeconds = 900;

/** Rejects a role that can be assumed without an external id, or with any. The server assumes whatever role a user names, so
 *  every other organization on the server could read that account too ("The confused deputy problem", IAM user guide).
 *  @param sts signs as the server
 *  @throws {AppError} VALIDATION_ERROR naming the role and the missing condition of its trust policy
 *  @throws {TryLater} */
async function refuseOpenRole(
  sts: STSClient,
  { roleArn, externalId }: { roleArn: string; externalId: string },
  signal: AbortSignal,
): Promise<void> {
  const isOpen = async (trial: { ExternalId?: string }): Promise<boolean> => {
    const command = new AssumeRoleCommand({
      RoleArn: roleArn,
      RoleSessionName: 'costkeep-check',
      DurationSeconds: leastSeconds,
      ...trial,
    });
    return sts.send(command, { abortSignal: signal }).then(
      () => true,
      (error: unknown) => refusedOrThrow(error, roleArn),
    );
  };
  const trial = (await isOpen({})) ? 'without an external id' : 'with any external id';
  if (trial === 'with any external id' && !(await isOpen({ ExternalId: randomUUID() }))) return;
  throw invalid`${arg('credentials.role_arn', roleArn)} can be assumed ${trial}, so any other organization on this server could use it${fix}add the condition {"StringEquals": {"sts:ExternalId": "${externalId}"}} to its trust policy, as ${operation('GET /accounts/setup')} shows, and connect again in a minute`;
}

/** @returns false: the role cannot be assumed this way */
function refusedOrThrow(error: unknown, roleArn: string): false {
  if (!(error instanceof AwsFault)) throw error;
  if (error.isDenied) return false;
  throw invalid`${arg('credentials.role_arn', roleArn)} cannot be checked for an external id (${error.code}): ${error.message}`;
}

/** An AWS partition, with its own accounts and regions. */
interface Partition {
  /** As in ARNs. */
  readonly id: string;
  /** Region for billing and other non-regional requests. */
  readonly mainRegion: string;
}

const partitions: readonly (Partition & { readonly regions: RegExp })[] = [
  { id: 'aws-cn', mainRegion: 'cn-northwest-1', regions: /^cn-/ },
  { id: 'aws-us-gov', mainRegion: 'us-gov-west-1', regions: /^us-gov-/ },
  { id: 'aws-eusc', mainRegion: 'eusc-de-east-1', regions: /^eusc-/ },
  { id: 'aws', mainRegion: 'us-east-1', regions: /^/ },
];
const commercial: Partition = { id: 'aws', mainRegion: 'us-east-1' };

/** Returns the partition of an ARN; the commercial one if unknown. */
function partitionOfArn(arn: string): Partition {
  const id = arn.split(':')[1];
  return partitions.find((partition) => partition.id === id) ?? commercial;
}

/** Returns the partition of a region; the commercial one for null. */
export function partitionOfRegion(region: string | null): Partition {
  return partitions.find((partition) => partition.regions.test(region ?? '')) ?? commercial;
}
