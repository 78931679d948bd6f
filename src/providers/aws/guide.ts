import { type Guide, type GuideCommand, type Names, shellCommand } from '../guide/names.ts';
import { awsPermissions, type AwsPermission } from './permissions.ts';
import { roleTemplates } from './templates.ts';

interface Trust {
  /** ARN of the server's own identity; null: not configured by the operator. */
  readonly principal: string | null;
  readonly trustExternalId: string;
}

/** Returns the setup of an AWS account: a Data Export, and a role that may read it and list resources. */
export function awsGuide(names: Names, trust: Trust): Guide {
  const policy = awsPolicy(names);
  if (names.withAccessKey) return userGuide(names, policy);
  const trustPolicy = trustPolicyOf(trust);
  return {
    steps: stepsOf(names, trust),
    policy,
    trustPolicy,
    roles: [],
    commands: commandsOf(names, policy, trustPolicy),
    templates: roleTemplates({ name: names.roleName ?? 'costkeep', policy, trustPolicy }),
    request: requestOf(names, { role_arn: roleArnOf(names) }),
  };
}

/** Returns the setup with the access key of an IAM user, for a server without an AWS identity to assume a role with. */
function userGuide(names: Names, policy: object): Guide {
  const user = ['--user-name', names.roleName ?? 'costkeep'];
  const attach = ['aws', 'iam', 'put-user-policy', ...user, '--policy-name', 'costkeep-read'];
  return {
    steps: [
      exportStep(names),
      'Create an IAM user and an access key for it with the commands below, or in the console with the policy.',
      inventoryStep,
      'Connect the account with the access key. Replace it from time to time: unlike the credentials of a role, it does not expire.',
    ],
    policy,
    trustPolicy: null,
    roles: [],
    commands: [
      { title: 'Create the user', command: shellCommand('aws', 'iam', 'create-user', ...user) },
      {
        title: 'Attach the read-only policy',
        command: shellCommand(...attach, '--policy-document', JSON.stringify(policy)),
      },
      { title: 'Create the access key', command: shellCommand('aws', 'iam', 'create-access-key', ...user) },
      ...exportCheck(names),
    ],
    templates: [],
    request: requestOf(names, { access_key_id: 'ACCESS_KEY_ID', secret_access_key: 'SECRET_ACCESS_KEY' }),
  };
}

/** Returns the minimal policy, with names filled in. */
function awsPolicy(names: Names): object {
  const needed = awsPermissions.filter(({ unless }) => isNeeded(unless, names));
  const resources = resourcesOf(names);
  const places = [...new Set(needed.map(({ on }) => on))];
  const statements = places.map((on) => ({
    Effect: 'Allow',
    Action: needed.filter((each) => each.on === on).map(({ permission }) => permission),
    Resource: resources[on],
  }));
  return { Version: '2012-10-17', Statement: statements };
}

function isNeeded(unless: AwsPermission['unless'], { withoutExport, kmsKey }: Names): boolean {
  if (unless === 'export') return withoutExport;
  if (unless === 'no export') return !withoutExport;
  return unless === undefined || (kmsKey !== null && !withoutExport);
}

function resourcesOf({ bucket, prefix, exportName, kmsKey, region }: Names): Record<AwsPermission['on'], string> {
  const bucketArn = `arn:${partitionOf(region)}:s3:::${bucket ?? 'BUCKET'}`;
  // An empty prefix is valid; without a bucket, the prefix is unknown.
  const folder = prefix === '' && bucket === null ? 'PREFIX' : prefix;
  const path = [folder, exportName ?? 'EXPORT_NAME', '*'].filter((name) => name !== '').join('/');
  return { bucket: bucketArn, objects: `${bucketArn}/${path}`, key: kmsKey ?? 'KMS_KEY_ARN', '*': '*' };
}

function partitionOf(region: string | null): string {
  if (region?.startsWith('cn-')) return 'aws-cn';
  return region?.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}

function trustPolicyOf({ principal, trustExternalId }: Trust): object {
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: principal ?? 'COSTKEEP_PRINCIPAL_ARN' },
        Action: 'sts:AssumeRole',
        Condition: { StringEquals: { 'sts:ExternalId': trustExternalId } },
      },
    ],
  };
}

function exportStep({ withoutExport, bucket, prefix, exportName }: Names): string {
  const place = `bucket ${bucket ?? 'BUCKET'}, prefix ${prefix || (bucket === null ? 'PREFIX' : '(none)')}`;
  return withoutExport
    ? 'Without a Data Export, costs are read from Cost Explorer, by day, account and service only: no resources, tags or commitments. Each request costs $0.01. Connect a Data Export if you can.'
    : `In the payer account, open Billing and Cost Management, Data Exports, and create a standard data export of "FOCUS 1.2 with AWS columns" (CUR 2.0 is read as well): name ${exportName ?? 'EXPORT_NAME'}, Parquet or gzip CSV, ${place}. The first files arrive within a day; AWS Support can backfill earlier months on request.`;
}

const inventoryStep =
  'For the inventory of every region, turn on Resource Explorer with an aggregator index whose default view includes tags. Without it, only resources of EC2 and RDS, and those that have or had a tag, are listed.';

function stepsOf(names: Names, { principal }: Trust): string[] {
  return [
    exportStep(names),
    ...(principal === null
      ? [
          'Replace COSTKEEP_PRINCIPAL_ARN with the ARN of the identity that this server runs as; ask its operator (who can set AWS_PRINCIPAL to show it here).',
        ]
      : []),
    'Create the role with the commands or a template below, or in the console with the trust policy and the policy. The external ID in the trust policy is unique to your organization, so no other organization can use the role through this server. A role that requires no external ID, or accepts any, is rejected.',
    inventoryStep,
    'Connect the account with the role’s ARN. If the server has no AWS identity, use the access key of an IAM user with the same policy instead of the role.',
  ];
}

function commandsOf(names: Names, policy: object, trustPolicy: object): GuideCommand[] {
  const role = names.roleName ?? 'costkeep';
  const create = ['aws', 'iam', 'create-role', '--role-name', role, '--assume-role-policy-document'];
  const attach = ['aws', 'iam', 'put-role-policy', '--role-name', role, '--policy-name', 'costkeep-read'];
  const show = ['aws', 'iam', 'get-role', '--role-name', role, '--query', 'Role.Arn', '--output', 'text'];
  return [
    { title: 'Create the role', command: shellCommand(...create, JSON.stringify(trustPolicy)) },
    {
      title: 'Attach the read-only policy',
      command: shellCommand(...attach, '--policy-document', JSON.stringify(policy)),
    },
    { title: 'Show its ARN', command: shellCommand(...show) },
    ...exportCheck(names),
  ];
}

function exportCheck({ bucket, prefix, exportName, withoutExport }: Names): GuideCommand[] {
  if (withoutExport) return [];
  const folder = [prefix || (bucket === null ? 'PREFIX' : ''), exportName ?? 'EXPORT_NAME', 'metadata/'];
  const address = `s3://${bucket ?? 'BUCKET'}/${folder.filter((name) => name !== '').join('/')}`;
  return [
    {
      title: 'Check whether the export has been delivered',
      command: shellCommand('aws', 's3', 'ls', '--recursive', address),
    },
  ];
}

function roleArnOf({ awsAccountId, roleName, region }: Names): string {
  return `arn:${partitionOf(region)}:iam::${awsAccountId ?? 'ACCOUNT_ID'}:role/${roleName ?? 'costkeep'}`;
}

function requestOf({ bucket, prefix, exportName, region, withoutExport }: Names, credentials: object): object {
  const place = withoutExport
    ? {}
    : {
        bucket: bucket ?? 'BUCKET',
        prefix: prefix || (bucket === null ? 'PREFIX' : ''),
        export_name: exportName ?? 'EXPORT_NAME',
      };
  return {
    name: 'AWS',
    provider: 'aws',
    credentials,
    settings: { ...place, ...(region !== null && { region }) },
  };
}
