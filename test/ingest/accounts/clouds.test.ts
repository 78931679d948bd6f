import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeAws, refuseAwsWrites } from '../../support/clouds/aws/fake.ts';
import { stsAnswers } from '../../support/clouds/aws/identity.ts';
import { refuseWrites, startS3 } from '../../support/clouds/s3.ts';
import type { CloudSettings } from '../../../src/kit/config/config.ts';
import { worldOfFile } from '../../support/world.ts';
import type { AccountBody, ErrorBody } from './world.ts';

const nowhere = 'http://127.0.0.1:9';
const s3 = await startS3();
const aws = await startFakeAws(
  stsAnswers({ keys: { AKIAPAYEREXAMPLE0001: '111122223333', AKIAOTHEREXAMPLE0002: '444455556666' } }),
);
const clouds: CloudSettings = {
  awsEndpoint: aws.url,
  s3Endpoint: s3.url,
  awsPrincipal: null,
  azureLoginEndpoint: nowhere,
  azureManagementEndpoint: nowhere,
  azureBlobEndpoint: `${nowhere}/{account}`,
  googleEndpoint: nowhere,
  focusEndpoints: [s3.url, nowhere],
};
const at = worldOfFile({ config: { clouds } });

beforeAll(async () => {
  await s3.put('bills', 'oci/a.csv', 'BilledCost\n');
  await s3.put('bills', 'oci/2026/a.csv', 'BilledCost\n');
  await s3.put('bills', 'other/a.csv', 'BilledCost\n');
  const month = 'acme/daily/metadata/BILLING_PERIOD=2026-05/daily-Manifest.json';
  const file = 'acme/daily/data/BILLING_PERIOD=2026-05/daily-00001.csv.gz';
  await s3.put('exports', month, JSON.stringify({ executionId: 'one', dataFiles: [`s3://exports/${file}`] }));
  await s3.put('exports', file, 'x');
});
afterAll(() => Promise.all([s3.stop(), aws.stop()]));

const keys = { access_key_id: 'minio-key-id', secret_access_key: 'a-secret-that-nobody-sees' };
const payer = { access_key_id: 'AKIAPAYEREXAMPLE0001', secret_access_key: 'a-secret-that-nobody-sees' };

/** A Super Admin of a new organization. */
async function anAdmin() {
  const { token } = await at().register();
  const call = <Body = AccountBody>(method: string, path: string, body?: object) =>
    at().rest<Body>(method, path, { token, ...(body && { body }) });
  const connect = (settings: object, credentials: object = keys, provider = 'focus') =>
    call('POST', '/accounts', { name: 'Bills', provider, credentials, settings: { ...place(provider), ...settings } });
  const stored = (id: string) =>
    at().deps.db.account.findUniqueOrThrow({ where: { id }, include: { sync: true, organization: true } });
  return { token, call, connect, stored };
}

const place = (provider: string): object =>
  provider === 'focus'
    ? { bucket: 'bills', endpoint: s3.url }
    : { bucket: 'exports', prefix: 'acme', export_name: 'daily' };
const said = ({ body }: { body: unknown }) => (body as ErrorBody).error.message;

describe('bucket of FOCUS files', () => {
  it('is connected after an access check, with its credentials encrypted for its id', async () => {
    const { connect, stored } = await anAdmin();
    const answer = await connect({ prefix: '/oci/' });
    expect(answer.status, answer.text).toBe(201);
    const none = { path: null, export_name: null, region: null, subscription_ids: null, billing_scope: null };
    const others = { storage_account: null, container: null, billing_project: null, dataset: null, table: null };
    expect(answer.body).toMatchObject({
      provider: 'focus',
      external_id: `s3://${new URL(s3.url).host}/bills/oci`,
      settings: { bucket: 'bills', prefix: 'oci', endpoint: s3.url, ...none, ...others, location: null, scopes: null },
      sync_status: 'queued',
      sync_warnings: [],
    });
    const row = await stored(answer.body.id);
    expect(row.credentialsUpdatedAt).not.toBeNull();
    expect(Buffer.from(row.credentials ?? []).toString('latin1')).not.toContain('nobody');
    expect(JSON.parse(at().deps.secrets.decrypt(row.credentials ?? new Uint8Array(), row.id))).toEqual({
      accessKeyId: keys.access_key_id,
      secretAccessKey: keys.secret_access_key,
      sessionToken: null,
    });
    expect(answer.text).not.toContain('nobody');
    const { details } = await at().deps.db.auditEntry.findFirstOrThrow({ where: { accountId: row.id } });
    expect(details).toEqual({
      name: 'Bills',
      provider: 'focus',
      settings: { bucket: 'bills', prefix: 'oci', endpoint: s3.url, region: null },
    });
    refuseWrites(s3.proxy.log);
  });

  it('cannot be connected twice, nor together with a folder inside or around it', async () => {
    const { connect } = await anAdmin();
    const { id } = (await connect({ prefix: 'oci' })).body;
    const again = await connect({ prefix: 'oci/' });
    expect([again.status, said(again)]).toEqual([
      409,
      `settings.bucket belongs to "s3://${new URL(s3.url).host}/bills/oci", which is already connected as account "${id}"; use that account`,
    ]);
    const around = await connect({});
    expect([around.status, said(around)]).toEqual([409, expect.stringContaining('would count twice')]);
    expect((await connect({ prefix: 'other' })).status).toBe(201);
  });

  it('is connected only once by concurrent requests, also with folders inside it', async () => {
    const { connect } = await anAdmin();
    const prefixes = ['oci', 'oci', 'oci/2026', '', 'oci/2026'];
    const answers = await Promise.all(prefixes.map((prefix) => connect({ prefix })));
    // All of these places share files.
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409 || status === 400)).toHaveLength(4);
  });

  it('is named in the error if it does not exist, and no account is stored', async () => {
    const { connect, call } = await anAdmin();
    const answer = await connect({ bucket: 'no-such-bucket' });
    expect([answer.status, said(answer)]).toEqual([400, expect.stringContaining('no-such-bucket')]);
    expect((await call<{ data: unknown[] }>('GET', '/accounts')).body.data).toEqual([]);
  });

  it('returns 503 with Retry-After while it is unavailable', async () => {
    const { connect } = await anAdmin();
    s3.proxy.fail(/./, { kind: 'answer', status: 503, headers: { 'retry-after': '40' }, body: '' });
    const answer = await connect({ prefix: 'oci' });
    s3.proxy.heal();
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('SERVICE_UNAVAILABLE')]);
    // The header says when to try again.
    expect(said(answer)).toMatch(/, and nothing was changed$/);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(30);
  });
});

describe('update of a cloud account', () => {
  it('of the settings only skips the access check, keeps the credentials and resets the listing', async () => {
    const { connect, call, stored } = await anAdmin();
    const { id } = (await connect({ prefix: 'oci' })).body;
    await at().deps.db.accountSync.updateMany({ data: { sourceMemo: { seen: 1 }, inventoryAt: new Date() } });
    const before = await stored(id);
    const asked = s3.proxy.log.length;
    const answer = await call('PATCH', `/accounts/${id}`, { settings: { prefix: 'nothing-here' } });
    expect([answer.status, answer.body.settings]).toMatchObject([200, { bucket: 'bills', prefix: 'nothing-here' }]);
    expect(s3.proxy.log).toHaveLength(asked);
    const after = await stored(id);
    expect([after.credentials, after.externalId]).toEqual([
      before.credentials,
      expect.stringContaining('/nothing-here'),
    ]);
    expect([after.sync?.sourceMemo, after.sync?.inventoryAt]).toEqual([null, null]);
  });

  it('of the settings validates as strictly as connecting', async () => {
    const { connect, call } = await anAdmin();
    const { id } = (await connect({ prefix: 'oci' })).body;
    const elsewhere = await call('PATCH', `/accounts/${id}`, { settings: { endpoint: 'https://evil.example' } });
    expect([elsewhere.status, said(elsewhere)]).toEqual([400, expect.stringContaining('settings.endpoint must be')]);
    const moved = await call('PATCH', `/accounts/${id}`, { settings: { endpoint: nowhere } });
    expect([moved.status, said(moved)]).toEqual([400, expect.stringContaining('credentials are required with these')]);
    const none = await call('PATCH', `/accounts/${id}`, { credentials: null });
    expect([none.status, said(none)]).toEqual([400, expect.stringContaining('credentials cannot be null')]);
    const container = { storage_account: 'acmebills', container: 'focus' };
    expect((await call('PATCH', `/accounts/${id}`, { settings: container })).status).toBe(400);
  });

  it('replaces credentials after an access check, and audits it without their values', async () => {
    const { connect, call, stored } = await anAdmin();
    const { id } = (await connect({ prefix: 'oci' })).body;
    const before = await stored(id);
    const fresh = { ...keys, secret_access_key: 'another-that-nobody-sees' };
    const answer = await call('PATCH', `/accounts/${id}`, { credentials: fresh });
    expect([answer.status, answer.text]).toEqual([200, expect.not.stringContaining('nobody')]);
    const after = await stored(id);
    expect(at().deps.secrets.decrypt(after.credentials ?? new Uint8Array(), id)).toContain('another-that');
    const changed = { credentials: 0, credentialsUpdatedAt: 0, updatedAt: 0, sync: 0 };
    expect({ ...after, ...changed }).toEqual({ ...before, ...changed });
    const entry = await at().deps.db.auditEntry.findFirstOrThrow({
      where: { action: 'credentials_updated', accountId: id },
    });
    expect(JSON.stringify(entry.details)).not.toContain('nobody');
    expect(entry.details).toMatchObject({ changed: ['credentials'] });
  });

  it('destroys credentials on disconnect, and reconnects only with new ones', async () => {
    const { connect, call, stored } = await anAdmin();
    const { id } = (await connect({ prefix: 'oci' })).body;
    expect((await call('DELETE', `/accounts/${id}`)).status).toBe(204);
    expect(await stored(id)).toMatchObject({ credentials: null, credentialsUpdatedAt: null, status: 'disconnected' });
    const bare = await call('PATCH', `/accounts/${id}`, { settings: { prefix: 'other' } });
    expect([bare.status, said(bare)]).toEqual([400, expect.stringContaining('credentials are required')]);
    const again = await call('PATCH', `/accounts/${id}`, { credentials: keys });
    expect([again.status, again.body.status]).toEqual([200, 'connected']);
  });
});

describe('AWS account', () => {
  it('is identified by its account id, and rejects credentials of another account', async () => {
    const { connect, call, stored } = await anAdmin();
    const answer = await connect({}, payer, 'aws');
    expect([answer.status, answer.body.external_id], answer.text).toEqual([201, '111122223333']);
    const before = await stored(answer.body.id);
    const other = { ...payer, access_key_id: 'AKIAOTHEREXAMPLE0002' };
    const refused = await call('PATCH', `/accounts/${answer.body.id}`, { credentials: other });
    expect([refused.status, said(refused)]).toEqual([
      400,
      'credentials are for "444455556666", but this account is "111122223333"; connect it as a separate account',
    ]);
    expect(await stored(answer.body.id)).toEqual(before);
    expect((await connect({}, other, 'aws')).status).toBe(201);
    const twice = await connect({ prefix: 'acme' }, payer, 'aws');
    expect([twice.status, said(twice)]).toEqual([
      409,
      `credentials.access_key_id belongs to "111122223333", which is already connected as account "${answer.body.id}"; use that account`,
    ]);
    refuseAwsWrites(aws.log);
    refuseWrites(s3.proxy.log);
  });

  it('is rejected with the one setting that is wrong', async () => {
    const { connect } = await anAdmin();
    const unknown = await connect({}, { ...payer, access_key_id: 'AKIANOBODYEXAMPLE003' }, 'aws');
    expect([unknown.status, said(unknown)]).toEqual([400, expect.stringMatching(/credentials|access key/i)]);
    const name = await connect({ export_name: 'dailly' }, payer, 'aws');
    expect([name.status, said(name)]).toEqual([400, expect.stringContaining('"daily"')]);
    expect(`${unknown.text}${name.text}`).not.toContain('nobody');
  });
});

it('fills in the setup guide with the given names, the same in both APIs', async () => {
  const { token, call } = await anAdmin();
  const { body } = await call<{ trust_policy: object; trust_external_id: string; commands: { command: string }[] }>(
    'GET',
    '/accounts/setup?provider=aws&bucket=acme-bills&export_name=daily&role_name=readers',
  );
  expect(JSON.stringify(body.trust_policy)).toContain(body.trust_external_id);
  expect(body.commands[0]?.command).toContain('--role-name readers');
  const query = `{ accountSetup(provider: AZURE, subscriptionIds: ["x"]) { steps } }`;
  const answer = await at().gql(query, {}, token);
  expect(answer.body.errors?.[0]?.message).toContain('subscriptionIds[0] "x" must be a subscription id');
});
