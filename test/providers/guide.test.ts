import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { awsPermissions } from '../../src/providers/aws/permissions.ts';
import { azurePermissions } from '../../src/providers/azure/permissions.ts';
import { gcpPermissions } from '../../src/providers/gcp/permissions.ts';
import { guideOf } from '../../src/providers/guide/guide.ts';
import { type SentNames, shellCommand } from '../../src/providers/guide/names.ts';
import type { CloudEndpoints, ConnectionSpec } from '../../src/providers/spec.ts';

const endpoints: CloudEndpoints = {
  awsEndpoint: null,
  s3Endpoint: null,
  awsPrincipal: 'arn:aws:iam::999999999999:role/costkeep-server',
  azureLoginEndpoint: 'https://login.microsoftonline.com',
  azureManagementEndpoint: 'https://management.azure.com',
  azureBlobEndpoint: 'https://{account}.blob.core.windows.net',
  googleEndpoint: null,
  focusEndpoints: ['https://minio.example'],
};

function guide(provider: ConnectionSpec['provider'], names: SentNames, changed: Partial<CloudEndpoints> = {}) {
  return guideOf(provider, names, { endpoints: { ...endpoints, ...changed }, trustExternalId: 'ours' });
}

/** The words of a command as parsed by a POSIX shell. */
function wordsOf(command: string): string[] {
  const out = execFileSync('/bin/sh', ['-c', `set -- ${command}\nprintf '%s\\n' "$@"`], { encoding: 'utf8' });
  return out.trimEnd().split('\n');
}

const actionsOf = (policy: object | null) =>
  [...JSON.stringify(policy).matchAll(/"([a-z\d-]+:[A-Z]\w+)"/g)].map(([, action]) => action);

describe('AWS guide', () => {
  const names = {
    bucket: 'acme-bills',
    prefix: "it's/focus",
    exportName: "o'daily",
    awsAccountId: '123456789012',
    roleName: 'readers',
  };

  it('has a policy with exactly the permissions for an export, on the bucket and folder of the export', () => {
    const { policy } = guide('aws', names);
    expect(policy).toMatchObject({
      Statement: [
        { Action: ['s3:ListBucket'], Resource: 'arn:aws:s3:::acme-bills' },
        { Action: ['s3:GetObject'], Resource: "arn:aws:s3:::acme-bills/it's/focus/o'daily/*" },
        { Resource: '*' },
      ],
    });
    const wanted = awsPermissions.filter(({ unless }) => unless === undefined || unless === 'no export');
    expect(actionsOf(policy).toSorted()).toEqual(wanted.map(({ permission }) => permission).toSorted());
  });

  it('has a CloudFormation template and a Terraform configuration with the same role and policies', () => {
    const { policy, trustPolicy, templates } = guide('aws', names);
    const [cloudFormation, terraform] = templates;
    expect(JSON.parse(cloudFormation?.content ?? '')).toMatchObject({
      Resources: {
        CostkeepRole: {
          Properties: {
            RoleName: 'readers',
            AssumeRolePolicyDocument: trustPolicy,
            Policies: [{ PolicyDocument: policy }],
          },
        },
      },
    });
    const documents = [...(terraform?.content ?? '').matchAll(/jsonencode\(([^]*?)\n {2}\}\)/g)].map(
      ([, json]) => `${json}}`,
    );
    expect(documents.map((json) => JSON.parse(json) as object)).toEqual([trustPolicy, policy]);
    expect(terraform?.content).toContain('name               = "readers"');
  });

  it('without an export requests Cost Explorer, and no bucket', () => {
    const actions = actionsOf(guide('aws', { withoutExport: true }).policy);
    expect(actions).toContain('ce:GetCostAndUsage');
    expect(actions.filter((action) => action?.startsWith('s3:'))).toEqual([]);
  });

  it('creates a user with an access key instead of a role', () => {
    const { commands, trustPolicy, templates, policy, request } = guide('aws', { ...names, withAccessKey: true });
    expect(commands.map(({ command }) => command.split(' ').slice(0, 5).join(' '))).toEqual([
      'aws iam create-user --user-name readers',
      'aws iam put-user-policy --user-name readers',
      'aws iam create-access-key --user-name readers',
      expect.stringMatching(/^aws s3 ls/),
    ]);
    expect([trustPolicy, templates]).toEqual([null, []]);
    expect(policy).toEqual(guide('aws', names).policy);
    expect(request).toMatchObject({ credentials: { access_key_id: 'ACCESS_KEY_ID' } });
  });

  it('requests the key of an encrypted bucket, and uses the partition of the region', () => {
    const kmsKey = 'arn:aws-cn:kms:cn-north-1:123456789012:key/0a000000-0000-4000-8000-000000000001';
    expect(guide('aws', { ...names, region: 'cn-north-1', kmsKey }).policy).toMatchObject({
      Statement: [
        { Resource: 'arn:aws-cn:s3:::acme-bills' },
        { Action: ['s3:GetObject'] },
        { Action: ['kms:Decrypt'], Resource: kmsKey },
        {},
      ],
    });
  });

  it('trusts the identity of the server with the external id of the organization', () => {
    expect(guide('aws', names).trustPolicy).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { AWS: 'arn:aws:iam::999999999999:role/costkeep-server' },
          Action: 'sts:AssumeRole',
          Condition: { StringEquals: { 'sts:ExternalId': 'ours' } },
        },
      ],
    });
    const { trustPolicy, steps } = guide('aws', names, { awsPrincipal: null });
    expect(JSON.stringify(trustPolicy)).toContain('COSTKEEP_PRINCIPAL_ARN');
    expect(steps.join(' ')).toContain('AWS_PRINCIPAL');
  });

  it('has commands that a shell parses correctly, even with quotes in names', () => {
    const { commands, policy, trustPolicy } = guide('aws', names);
    expect(commands.map(({ command }) => wordsOf(command))).toEqual([
      [
        'aws',
        'iam',
        'create-role',
        '--role-name',
        'readers',
        '--assume-role-policy-document',
        JSON.stringify(trustPolicy),
      ],
      [
        'aws',
        'iam',
        'put-role-policy',
        '--role-name',
        'readers',
        '--policy-name',
        'costkeep-read',
        '--policy-document',
        JSON.stringify(policy),
      ],
      ['aws', 'iam', 'get-role', '--role-name', 'readers', '--query', 'Role.Arn', '--output', 'text'],
      ['aws', 's3', 'ls', '--recursive', "s3://acme-bills/it's/focus/o'daily/metadata/"],
    ]);
  });

  it('ends with the request body that connects the account', () => {
    expect(guide('aws', names).request).toEqual({
      name: 'AWS',
      provider: 'aws',
      credentials: { role_arn: 'arn:aws:iam::123456789012:role/readers' },
      settings: { bucket: 'acme-bills', prefix: "it's/focus", export_name: "o'daily" },
    });
  });

  it('uses placeholders in capitals for missing names', () => {
    expect(JSON.stringify(guide('aws', {}).policy)).toContain('arn:aws:s3:::BUCKET/PREFIX/EXPORT_NAME/*');
    expect(JSON.stringify(guide('aws', { bucket: 'acme-bills' }).policy)).toContain(
      'arn:aws:s3:::acme-bills/EXPORT_NAME/*',
    );
  });
});

describe('Azure guide', () => {
  const one = '0a000000-0000-4000-8000-000000000001';
  const names = { subscriptionIds: [one], resourceGroup: 'bills', storageAccount: 'acmebills', container: 'focus' };
  const container = `/subscriptions/${one}/resourceGroups/bills/providers/Microsoft.Storage/storageAccounts/acmebills/blobServices/default/containers/focus`;

  it('assigns reader roles, for blobs only on the container', () => {
    const { roles } = guide('azure', names);
    expect(roles.map(({ role, scope }) => [role, scope])).toEqual([
      ['Storage Blob Data Reader', container],
      ['Reader', `/subscriptions/${one}`],
      ['Reservations Reader', '/providers/Microsoft.Capacity'],
      ['Savings plan Reader', '/providers/Microsoft.BillingBenefits'],
    ]);
  });

  it('without an export assigns the cost reader instead of the blob reader', () => {
    const { roles } = guide('azure', { subscriptionIds: [one], withoutExport: true });
    expect(roles.map(({ role }) => role)).toContain('Cost Management Reader');
    expect(roles.map(({ role }) => role)).not.toContain('Storage Blob Data Reader');
  });

  it('contains every role that the connector needs', () => {
    const known = [names, { ...names, withoutExport: true }].flatMap((each) => guide('azure', each).roles);
    expect(azurePermissions.filter(({ role }) => !known.some((each) => each.role === role))).toEqual([]);
  });

  it('has one command per role', () => {
    const { commands } = guide('azure', { ...names, clientId: one });
    expect(wordsOf(commands[0]?.command ?? '')).toEqual([
      'az',
      'role',
      'assignment',
      'create',
      '--assignee',
      one,
      '--role',
      'Storage Blob Data Reader',
      '--scope',
      container,
    ]);
    expect(commands).toHaveLength(4);
  });
});

describe('Google Cloud guide', () => {
  const names = {
    billingProject: 'billing-123',
    dataset: 'data-123.billing',
    location: 'eu',
    scopes: ['organizations/42', 'projects/shop-123'],
    serviceAccount: 'reader@billing-123.iam.gserviceaccount.com',
  };

  it('requests every permission that the connector needs, once per resource', () => {
    const { roles, commands } = guide('gcp', names);
    const places = roles.map(({ role, scope }) => `${role} ${scope}`);
    expect(new Set(places).size).toBe(places.length);
    expect(places).toContain('roles/bigquery.dataViewer data-123.billing');
    expect(places).toContain('roles/bigquery.jobUser projects/billing-123');
    expect(places).toContain('organizations/42/roles/costkeepInventory organizations/42');
    const text = commands.map(({ command }) => command).join('\n');
    for (const { permission, role } of gcpPermissions) expect(text).toContain(role ?? permission);
  });

  it('grants access to the dataset with SQL, and the rest with gcloud', () => {
    const commands = guide('gcp', names).commands.map(({ command }) => wordsOf(command));
    const member = 'serviceAccount:reader@billing-123.iam.gserviceaccount.com';
    expect(commands).toContainEqual([
      'bq',
      'query',
      '--project_id=billing-123',
      '--location=EU',
      '--use_legacy_sql=false',
      `GRANT \`roles/bigquery.dataViewer\` ON SCHEMA \`data-123\`.\`billing\` TO "${member}"`,
    ]);
    expect(commands).toContainEqual([
      'gcloud',
      'organizations',
      'add-iam-policy-binding',
      '42',
      `--member=${member}`,
      '--role=organizations/42/roles/costkeepInventory',
      '--condition=None',
    ]);
  });
});

describe('FOCUS files guide', () => {
  it('covers a folder, a bucket with a policy, or a container with a role', () => {
    expect(guide('focus', {}).steps.join(' ')).toContain('https://minio.example');
    expect(guide('focus', { bucket: 'bills', prefix: 'oci' }).policy).toMatchObject({
      Statement: [{ Resource: 'arn:aws:s3:::bills' }, { Resource: 'arn:aws:s3:::bills/oci/*' }],
    });
    expect(guide('focus', { storageAccount: 'acme' }).roles.map(({ role }) => role)).toEqual([
      'Storage Blob Data Reader',
    ]);
  });
});

it.each<[ConnectionSpec['provider'], SentNames, string]>([
  ['aws', { bucket: 'x; rm -rf ~' }, 'bucket must be'],
  ['aws', { roleName: '$(id)' }, 'role_name must be'],
  ['aws', { kmsKey: 'arn:aws:kms:x' }, 'kms_key must be'],
  ['aws', { prefix: '`id`' }, 'prefix must be'],
  ['azure', { resourceGroup: 'a/../b' }, 'resource_group "a/../b" must be'],
  ['azure', { billingScope: "/providers/x' --y" }, 'billing_scope must be'],
  ['gcp', { dataset: 'a` TO "evil"' }, 'dataset must be'],
  ['gcp', { serviceAccount: 'x@evil.example' }, 'service_account must be'],
  ['gcp', { scopes: ['organizations/1 --y'] }, 'scopes[0] "organizations/1 --y" must be'],
])('rejects invalid names for %s: %j', (provider, names, message) => {
  expect(() => guide(provider, names)).toThrow(message);
});

it('quotes any text as one word of a shell', () => {
  const hostile = ['a b', "it's", '$(id)', '`id`', '"', '\\', ';', '&&', '*', '~', '#', '!x', '--y', ''];
  expect(wordsOf(shellCommand(...hostile, 'end'))).toEqual([...hostile, 'end']);
});

it('has steps for people, without names of the API', () => {
  const all: [ConnectionSpec['provider'], SentNames][] = [
    ['aws', {}],
    ['aws', { withAccessKey: true }],
    ['azure', {}],
    ['gcp', {}],
    ['focus', {}],
    ['focus', { bucket: 'bills' }],
    ['focus', { storageAccount: 'acmebills', container: 'bills' }],
  ];
  const steps = all.flatMap(([provider, names]) => guide(provider, names).steps);
  const apiName = /\b(?:settings|credentials)\.[a-z]|\b(?:tenant_id|client_id|client_secret|access_key_id|role_arn)\b/;
  expect(steps.filter((step) => apiName.test(step))).toEqual([]);
});
