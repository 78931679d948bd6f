import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/kit/errors/errors.ts';
import type { CredentialFields, SettingsFields } from '../../src/providers/fields.ts';
import { readConnection, readSettings } from '../../src/providers/input.ts';
import type { CloudEndpoints, ConnectionSpec } from '../../src/providers/spec.ts';

const endpoints: CloudEndpoints = {
  awsEndpoint: null,
  s3Endpoint: null,
  awsPrincipal: null,
  azureLoginEndpoint: 'https://login.microsoftonline.com',
  azureManagementEndpoint: 'https://management.azure.com',
  azureBlobEndpoint: 'https://{account}.blob.core.windows.net',
  googleEndpoint: null,
  focusEndpoints: ['https://minio.example:9000'],
};
const ids = {
  one: '0A000000-0000-4000-8000-000000000001',
  two: '0a000000-0000-4000-8000-000000000002',
  three: '0a000000-0000-4000-8000-000000000003',
};
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const ecPem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });

const keyFile = {
  type: 'service_account',
  project_id: 'billing-123',
  private_key_id: 'f00',
  private_key: pem,
  client_email: 'costkeep@billing-123.iam.gserviceaccount.com',
  client_id: '1',
  auth_uri: 'https://evil.example/auth',
  token_uri: 'https://oauth2.googleapis.com/token',
  client_x509_cert_url: 'https://evil.example/cert',
  universe_domain: 'googleapis.com',
};

const keys = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
const aws = { bucket: 'acme-bills', prefix: '/exports/focus/', exportName: 'daily-focus' };
const principal = { tenantId: ids.one, clientId: ids.two, clientSecret: 'abc8Q~secret-value' };
const azure = { subscriptionIds: [ids.two, ids.one, ids.two], storageAccount: 'acmebills', container: 'focus' };
const gcp = { billingProject: 'billing-123', dataset: 'billing', location: 'eu', scopes: ['organizations/42'] };

function read(provider: ConnectionSpec['provider'], credentials: CredentialFields, settings: SettingsFields) {
  return readConnection(provider, { credentials, settings, trustExternalId: 'ours' }, endpoints);
}

/** The message of a rejection. */
function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return error instanceof AppError ? `${error.code}: ${error.message}` : '';
  }
  throw new Error('The input was accepted');
}

describe('connection input', () => {
  it('for AWS is a role or keys, and a Data Export or nothing', () => {
    const roleArn = 'arn:aws:iam::123456789012:role/readers/costkeep';
    expect(read('aws', { roleArn }, aws)).toEqual({
      provider: 'aws',
      credentials: { roleArn },
      settings: { bucket: 'acme-bills', prefix: 'exports/focus', exportName: 'daily-focus', region: null },
      trustExternalId: 'ours',
    });
    expect(read('aws', keys, {})).toMatchObject({
      credentials: { ...keys, sessionToken: null },
      settings: { bucket: null, prefix: '', exportName: null, region: null },
    });
    expect(read('aws', { roleArn: 'arn:aws-us-gov:iam::123456789012:role/x' }, {}).provider).toBe('aws');
  });

  it('for Azure is a service principal, with lowercase ids and each subscription once', () => {
    expect(read('azure', principal, azure)).toEqual({
      provider: 'azure',
      credentials: { ...principal, tenantId: ids.one.toLowerCase() },
      settings: {
        subscriptionIds: [ids.one.toLowerCase(), ids.two],
        billingScope: null,
        storageAccount: 'acmebills',
        container: 'focus',
        prefix: '',
      },
    });
  });

  it('for Google Cloud keeps only email, key and project of a service account key', () => {
    const { credentials, settings } = read('gcp', { serviceAccountJson: keyFile }, gcp);
    expect(credentials).toEqual({
      clientEmail: 'costkeep@billing-123.iam.gserviceaccount.com',
      privateKey: pem,
      projectId: 'billing-123',
    });
    expect(settings).toEqual({ ...gcp, location: 'EU', table: null });
  });

  it('for Google Cloud discards text around the private key', () => {
    const padded = `${pem}\ntoken_uri: https://evil.example\n`;
    const { credentials } = read('gcp', { serviceAccountJson: { ...keyFile, private_key: padded } }, gcp);
    const kept = 'privateKey' in credentials ? credentials.privateKey : '';
    expect(kept).toBe(createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' }));
  });

  it('for FOCUS files is a bucket with any keys if the operator allows its store, or a container', () => {
    const bucket = { bucket: 'acme-bills', endpoint: 'https://minio.example:9000/', region: 'auto' };
    const vendor = { accessKeyId: 'minio', secretAccessKey: 'minio-secret' };
    expect(read('focus', vendor, bucket)).toMatchObject({
      credentials: { ...vendor, sessionToken: null },
      settings: { bucket: 'acme-bills', prefix: '', endpoint: 'https://minio.example:9000', region: 'auto' },
    });
    expect(read('focus', principal, { storageAccount: 'acmebills', container: 'focus' })).toMatchObject({
      settings: { storageAccount: 'acmebills', container: 'focus', prefix: '' },
    });
  });
});

/** How a message repeats a value after its field: not at all if it could be an address or a secret. */
function repeated(value: string): string {
  return /[^A-Za-z0-9 _./-]/.test(value) ? '' : `"${value}" `;
}

const hostile: [string, () => unknown, string][] = [
  ['a role in a sentence', () => read('aws', { roleArn: 'my role' }, aws), 'credentials.role_arn must be the ARN'],
  ['a user’s ARN', () => read('aws', { roleArn: 'arn:aws:iam::123456789012:user/x' }, aws), 'credentials.role_arn'],
  [
    'a role and keys',
    () => read('aws', { roleArn: 'x', ...keys }, aws),
    'credentials.role_arn cannot be combined with access keys',
  ],
  ['no credentials', () => read('aws', {}, aws), 'credentials need role_arn'],
  [
    'an access key without its secret',
    () => read('aws', { accessKeyId: keys.accessKeyId }, aws),
    'credentials.secret_access_key is required',
  ],
  [
    'no session token',
    () => read('aws', { ...keys, accessKeyId: 'ASIAIOSFODNN7EXAMPLE' }, aws),
    'credentials.session_token',
  ],
  ['a newline', () => read('aws', { ...keys, secretAccessKey: 'a\nb' }, aws), 'credentials.secret_access_key must be'],
  [
    'credentials of another provider',
    () => read('aws', { ...keys, clientSecret: 'x' }, aws),
    'credentials.client_secret is not valid for AWS',
  ],
  ['path', () => readSettings('aws', { ...aws, path: 'x' }, endpoints), 'settings.path is not valid for provider aws'],
  ['endpoint', () => readSettings('aws', { endpoint: 'http://x' }, endpoints), 'settings.endpoint is not valid for'],
  ...['HTTP://x', 's3://x', 'a/b', '..', 'a..b', '10.0.0.1', 'a_b', 'x\u0000y', 'Bills', 'ab', '-ab', 'ab?x'].map(
    (bucket): [string, () => unknown, string] => [
      `bucket ${JSON.stringify(bucket)}`,
      () => readSettings('aws', { ...aws, bucket }, endpoints),
      `settings.bucket ${repeated(bucket)}must be`,
    ],
  ),
  ...['../x', 'a/../b', 'a//b', './a', 'a\\b', 'a\u0007', 'x?sig=1', '%2e%2e', 'https://x', 'a\nb', 'a*', '{a}'].map(
    (prefix): [string, () => unknown, string] => [
      `prefix ${JSON.stringify(prefix)}`,
      () => readSettings('azure', { ...azure, prefix }, endpoints),
      `settings.prefix ${repeated(prefix)}must be`,
    ],
  ),
  ...['..', 'a/b', 'a b', '$(id)', 'a;b', 'a`b'].map((exportName): [string, () => unknown, string] => [
    `export ${exportName}`,
    () => readSettings('aws', { ...aws, exportName }, endpoints),
    `settings.export_name ${repeated(exportName)}must be`,
  ]),
  ['no export name', () => readSettings('aws', { bucket: 'bills' }, endpoints), 'settings.export_name is required'],
  ['no bucket', () => readSettings('aws', { exportName: 'x' }, endpoints), 'settings.bucket is required'],
  [
    'region',
    () => readSettings('aws', { ...aws, region: 'evil.example/' }, endpoints),
    'settings.region "evil.example/" must be',
  ],
  ...['acme.evil.example', 'acme/x', 'Acme', 'acme?sv=1', 'a@b', 'ab', 'x'.repeat(25)].map(
    (storageAccount): [string, () => unknown, string] => [
      `storage account ${storageAccount}`,
      () => readSettings('azure', { ...azure, storageAccount }, endpoints),
      `settings.storage_account ${repeated(storageAccount)}must be`,
    ],
  ),
  ...['a--b', '../x', 'focus?sv=2026&sig=abc', 'a/b', 'https://x'].map((container): [string, () => unknown, string] => [
    `container ${container}`,
    () => readSettings('azure', { ...azure, container }, endpoints),
    `settings.container ${repeated(container)}must be`,
  ]),
  ['a tenant name', () => read('azure', { ...principal, tenantId: 'x/../y' }, azure), 'credentials.tenant_id must be'],
  ['the secret’s id', () => read('azure', { ...principal, clientSecret: ids.one }, azure), 'is the id of a secret'],
  ['no subscription', () => readSettings('azure', { container: 'focus' }, endpoints), 'settings.subscription_ids or'],
  [
    'a billing scope with a parent folder',
    () => readSettings('azure', { billingScope: '/providers/Microsoft.Billing/billingAccounts/../../x' }, endpoints),
    'settings.billing_scope must be',
  ],
  [
    'too many',
    () => readSettings('azure', { subscriptionIds: Array.from({ length: 51 }, () => ids.one) }, endpoints),
    'settings.subscription_ids has 51 items',
  ],
  ...['a`b', 'a-b', 'x; DROP', 'a.b.c.d', "x'y", 'b.`c`'].map((dataset): [string, () => unknown, string] => [
    `dataset ${dataset}`,
    () => readSettings('gcp', { ...gcp, dataset }, endpoints),
    `settings.dataset ${repeated(dataset)}must be`,
  ]),
  ['a table', () => readSettings('gcp', { ...gcp, table: 'x` WHERE 1' }, endpoints), 'settings.table must be'],
  [
    'a location',
    () => readSettings('gcp', { ...gcp, location: '../x' }, endpoints),
    'settings.location "../x" must be',
  ],
  ['a scope', () => readSettings('gcp', { ...gcp, scopes: ['x/1'] }, endpoints), 'settings.scopes[0] "x/1" must be'],
  [
    'a scope with a parent folder',
    () => readSettings('gcp', { ...gcp, scopes: ['folders/../1'] }, endpoints),
    'settings.scopes[0] "folders/../1" must be',
  ],
  ['no project', () => readSettings('gcp', { ...gcp, billingProject: null }, endpoints), 'settings.billing_project is'],
  [
    'an endpoint that is not allowed',
    () => readSettings('focus', { bucket: 'bills', endpoint: 'https://evil.example' }, endpoints),
    'settings.endpoint must be one of https://minio.example:9000',
  ],
  [
    'two locations',
    () => readSettings('focus', { bucket: 'bills', path: 'may' }, endpoints),
    'settings.path and settings.bucket are two different sources',
  ],
  [
    'a role at another vendor',
    () =>
      read(
        'focus',
        { roleArn: 'arn:aws:iam::123456789012:role/x' },
        { bucket: 'bills', endpoint: 'https://minio.example:9000' },
      ),
    'credentials.role_arn is for AWS only',
  ],
  [
    'keys for a container',
    () => read('focus', keys, { storageAccount: 'bills', container: 'focus' }),
    'not valid for Azure',
  ],
];

const keyFiles: [string, object, string][] = [
  [
    'external_account',
    { ...keyFile, type: 'external_account', credential_source: { executable: {} } },
    '.type must be',
  ],
  ['authorized_user', { type: 'authorized_user', refresh_token: 'x' }, '.type must be'],
  ['impersonation', { ...keyFile, type: 'impersonated_service_account' }, '.type must be'],
  ['a credential source', { ...keyFile, credential_source: { file: '/etc/passwd' } }, '.credential_source is not part'],
  ['another token URI', { ...keyFile, token_uri: 'https://evil.example/token' }, '.token_uri must be'],
  ['another universe domain', { ...keyFile, universe_domain: 'evil.example' }, '.universe_domain must be'],
  ['an email of another domain', { ...keyFile, client_email: 'x@evil.example' }, '.client_email must be'],
  ['a project path', { ...keyFile, project_id: 'billing/../x' }, '.project_id must be'],
  ['no key', { ...keyFile, private_key: undefined }, '.private_key is required; send the private_key of'],
  ['another key', { ...keyFile, private_key: ecPem }, '.private_key is not an RSA key'],
  ['a broken key', { ...keyFile, private_key: pem.slice(0, 200) }, '.private_key is not a private key'],
  ['a path', { ...keyFile, private_key: '/etc/ssl/key.pem' }, '.private_key is not a private key'],
  ['a number', { ...keyFile, private_key: 5 }, '.private_key must be a string'],
];

describe('invalid input', () => {
  it.each(hostile)('is rejected with its field: %s', (_what, work, message) => {
    const said = refusal(work);
    expect(said).toContain(`VALIDATION_ERROR: `);
    expect(said).toContain(message);
  });

  it.each(keyFiles)('is rejected for a key file with %s', (_what, serviceAccountJson, message) => {
    const said = refusal(() => read('gcp', { serviceAccountJson }, gcp));
    expect(said).toContain(`credentials.service_account_json${message}`);
    expect(said).not.toMatch(/MII|evil|passwd/);
  });

  it.each([
    [() => read('aws', { ...keys, accessKeyId: 'hunter2' }, aws)],
    [() => read('azure', { ...principal, clientSecret: 'hunter2\n' }, azure)],
    [() => readSettings('aws', { ...aws, bucket: 'https://x:hunter2@y' }, endpoints)],
    [() => readSettings('azure', { ...azure, container: 'c?sig=hunter2' }, endpoints)],
    [() => readSettings('aws', { ...aws, bucket: 'wJalrXUtnFEMI/K7MDENG/hunter2EXAMPLEKEY' }, endpoints)],
  ])('is not repeated if it could contain a secret', (work) => {
    expect(refusal(work)).not.toContain('hunter2');
  });

  it('is repeated if it is plain text', () => {
    expect(refusal(() => readSettings('aws', { ...aws, bucket: 'My Bills' }, endpoints))).toContain(
      'settings.bucket "My Bills" must be',
    );
  });
});

describe('external id', () => {
  it.each<[ConnectionSpec['provider'], SettingsFields, string | null]>([
    ['aws', aws, null],
    ['azure', { subscriptionIds: [ids.three, ids.one] }, `${ids.one.toLowerCase()},${ids.three}`],
    [
      'azure',
      { subscriptionIds: [ids.one], billingScope: '/providers/Microsoft.Billing/billingAccounts/AB:cd_2019-05-31' },
      '/providers/microsoft.billing/billingaccounts/ab:cd_2019-05-31',
    ],
    ['gcp', gcp, null],
    ['gcp', { ...gcp, table: 'gcp_billing_export_resource_v1_01ABCD_234567_89EF01' }, '01ABCD-234567-89EF01'],
    ['gcp', { ...gcp, table: 'costs' }, 'billing-123.billing.costs'],
    ['gcp', { ...gcp, dataset: 'data-123.billing', table: 'costs' }, 'data-123.billing.costs'],
    ['focus', { bucket: 'bills' }, 's3://s3.amazonaws.com/bills'],
    [
      'focus',
      { bucket: 'bills', prefix: 'oci/', endpoint: 'https://minio.example:9000' },
      's3://minio.example:9000/bills/oci',
    ],
    [
      'focus',
      { storageAccount: 'acme', container: 'bills', prefix: 'x' },
      'https://acme.blob.core.windows.net/bills/x',
    ],
  ])('is derived for %s %j', (provider, settings, externalId) => {
    expect(readSettings(provider, settings, endpoints).externalId).toBe(externalId);
  });
});
