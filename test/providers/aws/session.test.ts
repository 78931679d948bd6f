import { inspect } from 'node:util';
import { EC2Client, DescribeRegionsCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { GetCostAndUsageCommand, CostExplorerClient } from '@aws-sdk/client-cost-explorer';
import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../src/kit/errors/errors.ts';
import { TryLater } from '../../../src/providers/faults.ts';
import { AwsFault, explained } from '../../../src/providers/aws/faults.ts';
import { allowedOperations } from '../../../src/providers/aws/operations.ts';
import { awsPermissions } from '../../../src/providers/aws/permissions.ts';
import { type AwsSession, openSession } from '../../../src/providers/aws/session.ts';
import { openAws } from '../../../src/providers/aws/open.ts';
import { readConfig } from '../../../src/kit/config/config.ts';
import { stsAnswers } from '../../support/clouds/aws/identity.ts';
import type { AwsCredentials, AwsSettings } from '../../../src/providers/spec.ts';
import type { FakeAws } from '../../support/clouds/aws/fake.ts';
import { account, externalId, keys, roleArn, startAccount } from './account.ts';

const question = {
  TimePeriod: { Start: '2026-11-01', End: '2026-11-02' },
  Granularity: 'DAILY' as const,
  Metrics: ['UnblendedCost'],
};

let aws: FakeAws;
const { signal } = new AbortController();

beforeEach(async () => {
  aws = await startAccount();
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIASERVERSOWNKEY000');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'the-server-own-secret');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
});

function session(
  credentials: AwsCredentials = { roleArn },
  more: { trust?: string; region?: string } = {},
): AwsSession {
  const endpoints = { awsEndpoint: aws.url, s3Endpoint: aws.url };
  return openSession({
    credentials,
    trustExternalId: more.trust ?? externalId,
    region: more.region ?? null,
    endpoints,
  });
}

async function failure(work: Promise<unknown>): Promise<Error> {
  const error = await work.then(
    () => new Error('nothing failed'),
    (cause: unknown) => cause,
  );
  return error as Error;
}

describe('sign-in', () => {
  it('assumes a role once for all clients, with the external id and the identity of the server', async () => {
    aws.answer({
      'ce.GetCostAndUsage': () => ({ json: { ResultsByTime: [] } }),
      'ec2.DescribeRegions': () => ({ xml: '<r/>' }),
    });
    const signedIn = session();
    await Promise.all([
      signedIn.client(CostExplorerClient).send(new GetCostAndUsageCommand(question)),
      signedIn.client(EC2Client, 'eu-west-1').send(new DescribeRegionsCommand({})),
    ]);
    await signedIn.client(CostExplorerClient).send(new GetCostAndUsageCommand(question));
    expect(aws.asked().toSorted()).toEqual([
      'ce.GetCostAndUsage us-east-1',
      'ce.GetCostAndUsage us-east-1',
      'ec2.DescribeRegions eu-west-1',
      'sts.AssumeRole us-east-1',
    ]);
    const [assumed, ...others] = aws.log;
    expect(assumed).toMatchObject({ accessKeyId: 'AKIASERVERSOWNKEY000', params: { ExternalId: externalId } });
    expect(new Set(others.map(({ sessionToken }) => sessionToken))).toEqual(new Set([`session-of-${account}`]));
  });

  it('explains a wrong external id, with the role', async () => {
    const error = await failure(session({ roleArn }, { trust: 'another' }).signIn(signal));
    expect(error).toBeInstanceOf(AppError);
    expect(error.message).toMatch(
      /^credentials\.role_arn "arn:aws:iam::123456789012:role\/costkeep" cannot be assumed .*sts:ExternalId must be "another"/,
    );
  });

  it('is retried by the next call after a failure', async () => {
    const signedIn = session();
    aws.answer({
      'sts.AssumeRole': () => ({
        status: 403,
        xml: '<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>',
      }),
    });
    await failure(signedIn.signIn(signal));
    await failure(signedIn.signIn(signal));
    expect(aws.asked()).toEqual(['sts.AssumeRole us-east-1', 'sts.AssumeRole us-east-1']);
  });

  it('names the field of unknown keys, but never their value', async () => {
    const wrong = { ...keys, accessKeyId: 'AKIAWRONGWRONGWRONG1' };
    const error = await failure(session(wrong).signIn(signal));
    expect(error.message).toMatch(/^credentials\.access_key_id is unknown to AWS.*InvalidClientTokenId/);
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/AKIAWRONG|wJalr|Credential=/);
  });

  it('explains a response that is not from AWS', async () => {
    aws.answer({ 'sts.GetCallerIdentity': () => ({ status: 404, xml: '<html>hunter2</html>' }) });
    const error = await failure(session(keys).signIn(signal));
    expect(error).toBeInstanceOf(AppError);
    expect(error.message).toMatch(
      /^AWS did not identify the owner of the credentials \([^<]*status 404\); .*ask its operator/,
    );
  });

  it('uses the regions of China and GovCloud', () => {
    const partitionOf = (arn: string) => session({ roleArn: arn }).partition;
    expect(partitionOf('arn:aws-cn:iam::123456789012:role/x')).toMatchObject({
      id: 'aws-cn',
      mainRegion: 'cn-northwest-1',
    });
    expect(partitionOf('arn:aws-us-gov:iam::123456789012:role/x')).toMatchObject({ mainRegion: 'us-gov-west-1' });
    expect(session(keys, { region: 'cn-north-1' }).partition.id).toBe('aws-cn');
    expect(session(keys).partition).toMatchObject({ id: 'aws', mainRegion: 'us-east-1' });
  });
});

describe('role that other organizations could use', () => {
  const trusting = (asked: string | null) => aws.answer(stsAnswers({ roles: { [roleArn]: asked } }));

  it.each([
    [
      null,
      /"arn:aws:iam::123456789012:role\/costkeep" can be assumed without an external id, .*"sts:ExternalId": "external-id-of/,
    ],
    ['*', /with any external id, so any other organization/],
  ])('is rejected if its trust policy requires the external id %o', async (asked, message) => {
    trusting(asked);
    const signedIn = session();
    await signedIn.signIn(signal);
    await expect(signedIn.refuseOpenRole(signal)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(message),
    });
  });

  it('is distinguished in two calls from one that requires the external id', async () => {
    await session().refuseOpenRole(signal);
    expect(aws.log.map(({ params }) => params['ExternalId'])).toEqual([
      undefined,
      expect.stringMatching(/^[\da-f-]{36}$/),
    ]);
  });

  it('is rejected if AWS returns another error', async () => {
    aws.answer({
      'sts.AssumeRole': () => ({ status: 400, xml: '<E><Error><Code>PackedPolicyTooLarge</Code></Error></E>' }),
    });
    await expect(session().refuseOpenRole(signal)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('is not checked for access keys', async () => {
    await session(keys).refuseOpenRole(signal);
    expect(aws.log).toEqual([]);
  });
});

it('renews a session before it expires', async () => {
  aws.answer(stsAnswers({ roles: { [roleArn]: externalId }, sessionMs: 4 * 60_000 }));
  const signedIn = session();
  await signedIn.signIn(signal);
  await signedIn.signIn(signal);
  expect(aws.asked().filter((line) => line.startsWith('sts.AssumeRole')).length).toBeGreaterThanOrEqual(2);
});

describe('invalid settings', () => {
  const open = (arn: string, settings: Partial<AwsSettings>) =>
    openAws(
      {
        provider: 'aws',
        credentials: { roleArn: arn },
        settings: { bucket: null, prefix: '', exportName: null, region: null, ...settings },
        trustExternalId: externalId,
      },
      readConfig({ DATA_DIR: '/tmp' }).clouds,
    );

  it('include a region of another partition, a bucket without an export, and Cost Explorer in GovCloud', () => {
    const china = 'arn:aws-cn:iam::123456789012:role/x';
    expect(() => open(china, { region: 'us-east-1' })).toThrow(/settings\.region "us-east-1" is not in the partition/);
    expect(() => open(china, { region: 'cn-north-1' })).not.toThrow();
    expect(() => open(roleArn, { bucket: 'bills' })).toThrow(/settings\.export_name is missing/);
    expect(() => open('arn:aws-us-gov:iam::123456789012:role/x', {})).toThrow(/GovCloud has no Cost Explorer/);
  });
});

describe('read-only access', () => {
  it('rejects operations that are not on the list before the network', async () => {
    const { client } = session(keys).s3(S3Client, null);
    const terminate = session(keys)
      .client(EC2Client)
      .send(new TerminateInstancesCommand({ InstanceIds: ['i-1'] }));
    expect((await failure(terminate)).message).toMatch(/EC2Client may not send TerminateInstancesCommand/);
    expect((await failure(client.send(new PutObjectCommand({ Bucket: 'bills', Key: 'x' })))).message).toMatch(
      /PutObject/,
    );
    expect(aws.log).toEqual([]);
  });

  it('lists only read operations, each with a requested permission', () => {
    const asked = new Set(awsPermissions.map(({ permission }) => permission));
    for (const [operation, permission] of Object.entries(allowedOperations)) {
      expect(operation).toMatch(/Client\.(Describe|List|Get|Search|AssumeRole)\w*Command$/);
      if (permission !== null) expect(asked).toContain(permission);
    }
    const used = new Set(Object.values(allowedOperations));
    // S3 uses the key of the bucket on behalf of the reader; listing an index is also a search.
    expect([...asked].filter((permission) => !used.has(permission))).toEqual([
      'kms:Decrypt',
      'resource-explorer-2:Search',
    ]);
  });
});

describe('AWS error', () => {
  const throttled = (headers: Record<string, string>) => ({
    status: 400,
    headers,
    json: { __type: 'ThrottlingException', message: 'Rate exceeded' },
  });

  it('with a short Retry-After is retried after that time', async () => {
    let asked = 0;
    aws.answer({
      'ce.GetCostAndUsage': () => (asked++ === 0 ? throttled({ 'retry-after': '1' }) : { json: { ResultsByTime: [] } }),
    });
    const started = Date.now();
    await session(keys).client(CostExplorerClient).send(new GetCostAndUsageCommand(question));
    expect(Date.now() - started).toBeGreaterThanOrEqual(990);
    expect(asked).toBe(2);
  });

  it('with a long Retry-After is passed on', async () => {
    aws.answer({ 'ce.GetCostAndUsage': () => throttled({ 'x-amz-retry-after': '90000' }) });
    const error = await failure(session(keys).client(CostExplorerClient).send(new GetCostAndUsageCommand(question)));
    expect(error).toBeInstanceOf(TryLater);
    expect(error).toMatchObject({
      retryAfterMs: 90_000,
      message: expect.stringMatching(/CostExplorer \(GetCostAndUsage\) limits the request rate/),
    });
    expect(aws.asked()).toHaveLength(1);
  });

  it.each([
    [
      { status: 500, headers: { 'retry-after': '0' }, json: { __type: 'InternalFailure' } },
      TryLater,
      /internal error \(500/,
    ],
    [
      { status: 403, json: { __type: 'ExpiredTokenException', message: 'expired' } },
      AppError,
      /credentials\.session_token has expired/,
    ],
    [
      { status: 403, json: { __type: 'SignatureDoesNotMatch', message: 'The request signature we calculated' } },
      AppError,
      /credentials\.secret_access_key does not belong to credentials\.access_key_id/,
    ],
    [
      { status: 403, json: { __type: 'AccessDeniedException', message: 'no identity-based policy allows' } },
      AwsFault,
      /no identity-based/,
    ],
  ])(
    'is explained: %o',
    async (answer, kind, message) => {
      aws.answer({ 'ce.GetCostAndUsage': () => answer });
      const error = await failure(session(keys).client(CostExplorerClient).send(new GetCostAndUsageCommand(question)));
      expect(error).toBeInstanceOf(kind);
      expect(error.message).toMatch(message);
      expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(
        /wJalr|Credential=|authorization|security-token/i,
      );
    },
    20_000,
  );

  it('of a wrong clock is corrected with the time of AWS, or explained', async () => {
    const skewed = (date: Date) => ({
      status: 403,
      headers: { date: date.toUTCString() },
      json: {
        __type: 'InvalidSignatureException',
        message: 'Signature expired: 20261121T000000Z is now earlier than …',
      },
    });
    let asked = 0;
    const hourAgo = new Date(Date.now() - 3_600_000);
    aws.answer({ 'ce.GetCostAndUsage': () => (asked++ === 0 ? skewed(hourAgo) : { json: { ResultsByTime: [] } }) });
    await session(keys).client(CostExplorerClient).send(new GetCostAndUsageCommand(question));
    expect(asked).toBe(2);
    aws.answer({ 'ce.GetCostAndUsage': () => skewed(new Date()) });
    const error = await failure(session(keys).client(CostExplorerClient).send(new GetCostAndUsageCommand(question)));
    expect(error.message).toMatch(/server's clock is wrong \(InvalidSignatureException\); set the clock/);
  });

  it('of an untrusted certificate is permanent', () => {
    const error = Object.assign(new Error('self-signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(explained(error, 'S3', 'ListObjectsV2', 'keys')).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/AWS S3 has a certificate that is not trusted/),
    });
  });

  it('of an expired role session is retried with a new session', async () => {
    aws.answer({ 'ce.GetCostAndUsage': () => ({ status: 400, json: { __type: 'ExpiredTokenException' } }) });
    const error = await failure(session().client(CostExplorerClient).send(new GetCostAndUsageCommand(question)));
    expect(error).toBeInstanceOf(TryLater);
  });

  it('without a response is temporary', async () => {
    const gone = session(keys);
    await aws.stop();
    aws = await startAccount();
    const error = await failure(gone.client(CostExplorerClient).send(new GetCostAndUsageCommand(question)));
    expect(error).toBeInstanceOf(TryLater);
    expect(error.message).toMatch(/cannot be reached \(ECONNREFUSED\)/);
  }, 20_000);

  it('of a bucket in another region switches to that region', async () => {
    let elsewhere = 0;
    const moved = {
      status: 301,
      headers: { 'x-amz-bucket-region': 'eu-west-3' },
      xml: '<Error><Code>PermanentRedirect</Code></Error>',
    };
    aws.answer({
      's3.bills/': ({ region }) => (region === 'eu-west-3' ? { xml: '<ListBucketResult/>' } : (elsewhere++, moved)),
    });
    const { client, region } = session(keys).s3(S3Client, null);
    await client.send(new ListObjectsV2Command({ Bucket: 'bills' }));
    await client.send(new ListObjectsV2Command({ Bucket: 'bills' }));
    expect([elsewhere, region()]).toEqual([1, 'eu-west-3']);
  });
});
