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
  const trustPolicy = trustPolicyOf(trust);
  return {
    steps: stepsOf(names, trust),
    policy,
    trustPolicy,
    roles: [],
    commands: commandsOf(names, policy, trustPolicy),
    templates: roleTemplates({ name: names.roleName ?? 'costkeep', policy, trustPolicy }),
    request: requestOf(names),
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

function stepsOf({ withoutExport, bucket, prefix, exportName }: Names, { principal }: Trust): string[] {
  const place = `bucket ${bucket ?? 'BUCKET'}, prefix ${prefix || (bucket === null ? 'PREFIX' : '(none)')}`;
  return [
    withoutExport
      ? 'Without a Data Export, costs are read from Cost Explorer, by day, account and service only: no resources, tags or commitments. Each request costs $0.01. Connect a Data Export if you can.'
      : `In the payer account, open Billing and Cost Management, Data Exports, and create a standard data export of "FOCUS 1.2 with AWS columns" (CUR 2.0 is read as well): name ${exportName ?? 'EXPORT_NAME'}, Parquet or gzip CSV, ${place}. The first files arrive within a day; AWS Support can backfill earlier months on request.`,
    ...(principal === null
      ? [
          'Replace COSTKEEP_PRINCIPAL_ARN with the ARN of the identity that this server runs as; ask its operator (who can set AWS_PRINCIPAL to show it here).',
        ]
      : []),
    'Create the role with the commands or a template below, or in the console with the trust policy and the policy. The external ID in the trust policy is unique to your organization, so no other organization can use the role through this server. A role that requires no external ID, or accepts any, is rejected.',
    'For the inventory of every region, turn on Resource Explorer with an aggregator index whose default view includes tags. Without it, only resources that have or had a tag are listed.',
    'Connect the account with the role’s ARN. If the server has no AWS identity, use the access key of an IAM user with the same policy instead of the role.',
  ];
}

function commandsOf(names: Names, policy: object, trustPolicy: object): GuideCommand[] {
  const role = names.roleName ?? 'costkeep';
  const { bucket, prefix, exportName, withoutExport } = names;
  const create = ['aws', 'iam', 'create-role', '--role-name', role, '--assume-role-policy-document'];
  const attach = ['aws', 'iam', 'put-role-policy', '--role-name', role, '--policy-name', 'costkeep-read'];
  const show = ['aws', 'iam', 'get-role', '--role-name', role, '--query', 'Role.Arn', '--output', 'text'];
  const folder = [prefix || (bucket === null ? 'PREFIX' : ''), exportName ?? 'EXPORT_NAME', 'metadata/'];
  const address = `s3://${bucket ?? 'BUCKET'}/${folder.filter((name) => name !== '').join('/')}`;
  return [
    { title: 'Create the role', command: shellCommand(...create, JSON.stringify(trustPolicy)) },
    {
      title: 'Attach the read-only policy',
      command: shellCommand(...attach, '--policy-document', JSON.stringify(policy)),
    },
    { title: 'Show its ARN', command: shellCommand(...show) },
    ...(withoutExport
      ? []
      : [
          {
            title: 'Check whether the export has been delivered',
            command: shellCommand('aws', 's3', 'ls', '--recursive', address),
          },
        ]),
  ];
}

function requestOf({ awsAccountId, roleName, bucket, prefix, exportName, region, withoutExport }: Names): object {
  const role = `arn:${partitionOf(region)}:iam::${awsAccountId ?? 'ACCOUNT_ID'}:role/${roleName ?? 'costkeep'}`;
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
    credentials: { role_arn: role },
    settings: { ...place, ...(region !== null && { region }) },
  };
}
