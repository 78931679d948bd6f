import { afterAll, beforeAll, expect, it } from 'vitest';
import { performSync } from '../../../src/ingest/sync/perform.ts';
import { readConfig } from '../../../src/kit/config/config.ts';
import { openLog } from '../../../src/kit/log.ts';
import { dayOf } from '../../../src/kit/time/period.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { costExplorerAnswers } from '../../support/clouds/aws/cost-explorer.ts';
import { startFakeAws } from '../../support/clouds/aws/fake.ts';
import { stsAnswers } from '../../support/clouds/aws/identity.ts';
import { jsonError } from '../../support/clouds/aws/xml.ts';
import { caPath } from '../../support/clouds/azure/certificates.ts';
import { startFakeAzure } from '../../support/clouds/azure/cloud.ts';
import { startFakeGoogle } from '../../support/clouds/google/cloud.ts';
import { refusal } from '../../support/clouds/google/call.ts';
import { detailedFields } from '../../support/clouds/google/tables.ts';
import { startS3 } from '../../support/clouds/s3.ts';
import { aLine, csvOf } from '../../support/focus.ts';
import { worldOfFile } from '../../support/world.ts';
import type { AccountBody } from '../accounts/world.ts';

// The life of an account at the most verbose log level: rejected, connected, synced, and a failing sync; for AWS with
// an error response that repeats the request.

const [aws, azure, google, s3] = await Promise.all([startFakeAws(), startFakeAzure(), startFakeGoogle(), startS3()]);
const clouds = {
  ...readConfig({}).clouds,
  awsEndpoint: aws.url,
  azureLoginEndpoint: azure.url,
  azureManagementEndpoint: azure.url,
  googleEndpoint: google.url,
  focusEndpoints: [s3.url],
};
const logged: string[] = [];
const log = openLog('trace', { write: (line) => void logged.push(line) });
const connectorEnvironment = { NODE_EXTRA_CA_CERTS: caPath };
const world = worldOfFile({ config: { clouds, connectorEnvironment, syncCron: null }, hasQueue: true, log });
afterAll(() => Promise.all([aws.stop(), azure.stop(), google.stop(), s3.stop()]));

const [account, stranger] = [google.tokens.account(), google.tokens.account('stranger', 'elsewhere-9')];
const awsSecret = `aWs/${'s'.repeat(36)}`;
const wrongSecret = `wRong~${'w'.repeat(34)}`;
const sessionToken = `tOken/${'t'.repeat(60)}`;
const keyLine = (pem: string) => pem.split('\n')[3] ?? '';
const secrets = [awsSecret, wrongSecret, sessionToken, azure.clientSecret, keyLine(account.privateKey)];
const tellTale = [...secrets, keyLine(stranger.privateKey), 'PRIVATE KEY', 'client_secret=', 'assertion=', 'Bearer '];

const subscription = 'cfbbd179-59d2-4052-aa06-000000000001';
const month = dayOf(new Date()).slice(0, 7);
const temporary = { access_key_id: 'ASIAIOSFODNN7EXAMPLE', secret_access_key: awsSecret, session_token: sessionToken };
const principal = { tenant_id: azure.tenantId, client_id: azure.clientId, client_secret: azure.clientSecret };
const fileOf = ({ clientEmail, privateKey, projectId }: typeof account, over: object = {}) => ({
  service_account_json: {
    type: 'service_account',
    client_email: clientEmail,
    private_key: privateKey,
    project_id: projectId,
    ...over,
  },
});
const bucket = { bucket: 'bills', endpoint: s3.url, region: 'us-east-1' };
const queryRoute = `post /subscriptions/${subscription}/providers/microsoft.costmanagement/query`;

interface Case {
  readonly provider: string;
  readonly settings: object;
  readonly good: object;
  /** Credentials that look valid but are not. */
  readonly wrong: object;
  /** Makes the next sync fail. */
  break(): void;
}

const repeated = `You sent ${secrets.join(' and ')}`;
const cases: readonly Case[] = [
  {
    provider: 'aws',
    settings: {},
    good: temporary,
    wrong: { ...temporary, access_key_id: 'ASIASTRANGERSTRANGER', secret_access_key: wrongSecret },
    break: () => aws.answer({ 'sts.GetCallerIdentity': () => jsonError(403, 'InvalidClientTokenId', repeated) }),
  },
  {
    provider: 'azure',
    settings: { subscription_ids: [subscription] },
    good: principal,
    wrong: { ...principal, client_secret: wrongSecret },
    break: () =>
      azure.routes.set(queryRoute, () => ({
        status: 403,
        body: { error: { code: 'AuthorizationFailed', message: 'no' } },
      })),
  },
  {
    provider: 'gcp',
    settings: { billing_project: 'billing-123', dataset: 'billing', location: 'EU' },
    good: fileOf(account),
    wrong: fileOf(account, { private_key: stranger.privateKey }),
    break: () => google.failNext(/datasets|queries/, refusal(400, 'invalid', 'no')),
  },
  {
    provider: 'focus',
    settings: bucket,
    good: { access_key_id: 'key', secret_access_key: awsSecret },
    wrong: {
      role_arn: 'arn:aws:iam::123456789012:role/other',
      secret_access_key: wrongSecret,
      session_token: sessionToken,
    },
    break: () =>
      s3.proxy.fail(/list-type=2/, { kind: 'answer', status: 403, body: '<Error><Code>AccessDenied</Code></Error>' }),
  },
];

beforeAll(async () => {
  aws.answer({
    ...stsAnswers({ keys: { [temporary.access_key_id]: '123456789012' } }),
    ...costExplorerAnswers({
      names: {},
      charges: [
        {
          day: `${month}-01`,
          account: '123456789012',
          service: 'Amazon Redshift',
          recordType: 'Usage',
          unblended: '12.5',
        },
      ],
    }),
  });
  const names = ['Cost', 'UsageDate', 'ServiceName', 'ChargeType', 'Currency'];
  const columns = names.map((name, at) => ({ name, type: at < 2 ? 'Number' : 'String' }));
  azure.routes.set('get /subscriptions', () => ({
    status: 200,
    body: { value: [{ subscriptionId: subscription, displayName: 'Shop' }] },
  }));
  const none = { status: 200, body: { value: [] } };
  azure.routes.set('get /providers/microsoft.capacity/reservations', () => none);
  azure.routes.set('get /providers/microsoft.billingbenefits/savingsplans', () => none);
  azure.routes.set('post /providers/microsoft.resourcegraph/resources', () => ({
    status: 200,
    body: { data: [], resultTruncated: 'false' },
  }));
  azure.routes.set(queryRoute, ({ body }) => {
    const { timePeriod } = body as { timePeriod: { from: string } };
    if (!timePeriod.from.startsWith(month)) return { status: 204 };
    const rows = [[12, Number(`${month.replace('-', '')}01`), 'Virtual Machines', 'Usage', 'EUR']];
    return { status: 200, body: { properties: { columns, rows, nextLink: null } } };
  });
  const table = 'billing-123.billing.gcp_billing_export_resource_v1_010101_F0FFF0_61C528';
  const row = {
    billing_account_id: '010101-F0FFF0-61C528',
    service: { description: 'Compute Engine' },
    sku: { id: 'SSD', description: 'SSD' },
    usage_start_time: `${month}-01T10:00:00`,
    export_time: `${month}-02T01:00:00`,
    cost: 3,
    currency: 'EUR',
    invoice: { month: month.replace('-', '') },
    cost_type: 'regular',
    cost_at_list: 4,
    _PARTITIONTIME: `${month}-02T00:00:00`,
  };
  await google.bigQuery.put({ name: table, fields: detailedFields, rows: [row], isPartitioned: true });
  await s3.put('bills', 'a.csv', csvOf([aLine({ day: '2026-05-03', cost: '7' })]));
});

it.each(cases)(
  'keeps credentials of $provider out of the log, responses, jobs and rows',
  async (each) => {
    const { token } = await world().register();
    const { deps } = world();
    const { provider, settings } = each;
    const seen: string[] = [];
    const send = async (credentials: object) => {
      const answer = await world().rest<AccountBody>('POST', '/accounts', {
        token,
        body: { name: provider, provider, settings, credentials },
      });
      seen.push(answer.text);
      return answer;
    };
    const before = logged.length;
    expect((await send(each.wrong)).status).toBe(400);
    const { status, body } = await send(each.good);
    expect(status).toBe(201);
    const { organizationId } = await deps.db.account.findUniqueOrThrow({ where: { id: body.id } });
    const sync = async () => {
      await deps.db.accountSync.updateMany({
        where: { accountId: body.id },
        data: { status: 'queued', retryAt: null },
      });
      await performSync(deps, orgScope(organizationId, null), body.id, new AbortController().signal);
      const answer = await world().rest<AccountBody>('GET', `/accounts/${body.id}`, { token });
      seen.push(answer.text);
      return answer.body.sync_status;
    };
    expect(await sync()).toBe('succeeded');
    // Makes the sync read everything again.
    await deps.pool.query('UPDATE account_syncs SET source_memo = NULL WHERE account_id = $1', [body.id]);
    await deps.pool.query('DELETE FROM source_files WHERE account_id = $1', [body.id]);
    each.break();
    expect(['failed', 'queued']).toContain(await sync());

    const { rows } = await deps.pool.query<{ text: string }>(
      `SELECT to_jsonb(j)::text AS text FROM graphile_worker._private_jobs j
     UNION ALL SELECT to_jsonb(a)::text FROM accounts a UNION ALL SELECT to_jsonb(s)::text FROM account_syncs s
     UNION ALL SELECT to_jsonb(l)::text FROM audit_entries l`,
    );
    const texts = [...logged.slice(before), ...seen, ...rows.map(({ text }) => text)];
    expect(logged.length).toBeGreaterThan(before);
    expect(texts.filter((text) => tellTale.some((word) => text.includes(word)))).toEqual([]);
  },
  60_000,
);
