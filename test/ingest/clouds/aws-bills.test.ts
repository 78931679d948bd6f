import { existsSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { performSync } from '../../../src/ingest/sync/perform.ts';
import { readConfig } from '../../../src/kit/config/config.ts';
import { dayOf } from '../../../src/kit/time/period.ts';
import { orgScope, type OrgScope } from '../../../src/tenancy/auth/scope.ts';
import { costExplorerAnswers } from '../../support/clouds/aws/cost-explorer.ts';
import { refuseAwsWrites, startFakeAws } from '../../support/clouds/aws/fake.ts';
import { stsAnswers } from '../../support/clouds/aws/identity.ts';
import { inventoryAnswers, regionsOn } from '../../support/clouds/aws/inventory.ts';
import { refuseWrites, startS3 } from '../../support/clouds/s3.ts';
import { aLine, csvOf } from '../../support/focus.ts';
import { readCsv } from '../../support/rfc4180.ts';
import { worldOfFile } from '../../support/world.ts';
import type { AccountBody, ErrorBody } from '../accounts/world.ts';
import { plain, readFacts } from '../../support/read-facts.ts';
import { monthsOf } from '../world.ts';

// Full syncs with their processes, from the API to the facts.

const account = '123456789012';
const roleArn = `arn:aws:iam::${account}:role/costkeep`;
const openRole = `arn:aws:iam::${account}:role/anyone`;
const other = '210987654321';
const third = '333333333333';
const otherKeys = { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'x'.repeat(40) };
const thirdKeys = { ...otherKeys, access_key_id: 'AKIAI44QH8DHBEXAMPLE' };

const [s3, aws] = await Promise.all([startS3(), startFakeAws()]);
const clouds = { ...readConfig({}).clouds, awsEndpoint: aws.url, s3Endpoint: s3.url };
const connectorEnvironment = { AWS_ACCESS_KEY_ID: 'AKIASERVERSOWNKEY000', AWS_SECRET_ACCESS_KEY: 'y'.repeat(40) };
const world = worldOfFile({ config: { clouds, connectorEnvironment, syncCron: null } });
afterAll(() => Promise.all([s3.stop(), aws.stop()]));

let token = '';
let scope: OrgScope;

beforeAll(async () => {
  ({ token } = await world().register());
  const { id } = await world().deps.db.organization.findFirstOrThrow();
  scope = orgScope(id, null);
  const setup = await world().rest<{ trust_external_id: string }>('GET', '/accounts/setup?provider=aws', { token });
  aws.answer({
    ...stsAnswers({
      roles: { [roleArn]: setup.body.trust_external_id, [openRole]: null },
      keys: { [otherKeys.access_key_id]: other, [thirdKeys.access_key_id]: third },
    }),
    ...inventoryAnswers({ ...regionsOn('us-east-1') }),
  });
});
beforeEach(() => {
  s3.proxy.heal();
  aws.log.length = 0;
});

async function connect<Body = AccountBody>(source: { credentials: object; settings: object }) {
  return world().rest<Body>('POST', '/accounts', { token, body: { name: 'Bills', provider: 'aws', ...source } });
}

interface Stand {
  readonly status: string;
  readonly error: string | null;
  /** Billed cost per month. */
  readonly months: Record<string, string>;
}

async function sync(accountId: string): Promise<Stand> {
  const { deps } = world();
  await deps.db.accountSync.updateMany({ where: { accountId }, data: { status: 'queued', cancelRequested: false } });
  await performSync(deps, scope, accountId, new AbortController().signal);
  const { body } = await world().rest<AccountBody>('GET', `/accounts/${accountId}`, { token });
  refuseWrites(s3.proxy.log);
  refuseAwsWrites(aws.log);
  return {
    status: body.sync_status,
    error: body.last_sync_error,
    months: await monthsOf({ deps: deps, accountId }),
  };
}

async function deliver(month: string, cost: string, execution: string): Promise<void> {
  const folder = `BILLING_PERIOD=${month}`;
  const key = `exports/daily/data/${folder}/${execution}/daily-00001.csv.gz`;
  await s3.put('bills', key, gzipSync(csvOf([aLine({ day: `${month}-03`, cost })])));
  const manifest = JSON.stringify({ executionId: execution, dataFiles: [`s3://bills/${key}`] });
  await s3.put('bills', `exports/daily/metadata/${folder}/daily-Manifest.json`, manifest);
}

describe('role with a Data Export', () => {
  const settings = { bucket: 'bills', prefix: 'exports', export_name: 'daily' };

  it('connects when role, bucket and export are valid, syncs, and checks for changes in two calls', async () => {
    await deliver('2026-05', '7', '20260602T060000Z-aaaa');
    await deliver('2026-06', '5', '20260702T060000Z-bbbb');
    const refused = async (source: object, roles = roleArn) =>
      (await connect<ErrorBody>({ credentials: { role_arn: roles }, settings: { ...settings, ...source } })).body.error
        .message;
    expect(await refused({}, `${roleArn}2`)).toMatch(
      /^credentials\.role_arn "arn:aws:iam::123456789012:role\/costkeep2" cannot be assumed .*; .*sts:ExternalId/,
    );
    expect(await refused({ bucket: 'bils' })).toBe('settings.bucket "bils" does not exist; correct it');
    expect(await refused({ export_name: 'dayly' })).toMatch(
      /^settings\.bucket has no manifest under .*; s3:\/\/bills\/exports\/ contains "daily"; correct it/,
    );

    const { status, body } = await connect({ credentials: { role_arn: roleArn }, settings });
    expect([status, body.external_id]).toEqual([201, account]);
    expect(await sync(body.id)).toEqual({
      status: 'succeeded',
      error: null,
      months: { '2026-05': '7', '2026-06': '5' },
    });

    s3.proxy.heal();
    aws.log.length = 0;
    await sync(body.id);
    expect(aws.log.map(({ operation }) => operation)).toEqual(['AssumeRole']);
    expect(s3.proxy.log).toEqual([
      expect.stringMatching(/^GET \/bills\/\?list-type=2&prefix=exports%2Fdaily%2Fmetadata%2F$/),
    ]);

    await deliver('2026-06', '6', '20260715T060000Z-cccc');
    expect((await sync(body.id)).months).toEqual({ '2026-05': '7', '2026-06': '6' });
    expect(s3.proxy.log.filter((line) => line.includes('2026-05'))).toEqual([]);
  });

  it.each([
    ['aws', settings],
    ['focus', { bucket: 'bills', prefix: 'exports' }],
  ])('is rejected before any read if it can be assumed without an external id: %s', async (provider, place) => {
    const body = { name: 'Bills', provider, credentials: { role_arn: openRole }, settings: place };
    const answer = await world().rest<ErrorBody>('POST', '/accounts', { token, body });
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      expect.stringMatching(
        /^credentials\.role_arn ".*:role\/anyone" can be assumed without an external id, .*; .*"sts:ExternalId": .*GET \/accounts\/setup/,
      ),
    ]);
    expect(s3.proxy.log).toEqual([]);
  });

  it('keeps the last good load when a manifest refers to another bucket', async () => {
    const { id } = await world().deps.db.account.findFirstOrThrow({ where: { externalId: account } });
    const manifest = {
      executionId: 'x',
      dataFiles: ['s3://someone-elses/exports/daily/data/BILLING_PERIOD=2026-06/a.csv.gz'],
    };
    await s3.put(
      'bills',
      'exports/daily/metadata/BILLING_PERIOD=2026-06/daily-Manifest.json',
      JSON.stringify(manifest),
    );
    expect(await sync(id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(
        /names "s3:\/\/someone-elses\/.*which is not in s3:\/\/bills\/exports\/daily\/data\//,
      ),
      months: { '2026-05': '7', '2026-06': '6' },
    });
  });
});

const shared = path.resolve(import.meta.dirname, '../../../../shared/data/costroid/testdata/aws-focus-s3');

/** Billed cost per month, summed in integers from the files. */
async function controlTotals(tree: string): Promise<Record<string, string>> {
  const sums = new Map<string, bigint>();
  for (const entry of await readdir(tree, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.csv.gz')) continue;
    const text = gunzipSync(await readFile(path.join(entry.parentPath, entry.name))).toString('utf8');
    for (const { BilledCost, BillingPeriodStart } of readCsv(text)) {
      const month = (BillingPeriodStart ?? '').slice(0, 7);
      const [whole = '', fraction = ''] = (BilledCost ?? '').split('.');
      sums.set(month, (sums.get(month) ?? 0n) + BigInt(whole + fraction.padEnd(12, '0')));
    }
  }
  return Object.fromEntries(
    [...sums].sort().map(([month, sum]) => {
      const text = `${sum < 0n ? -sum : sum}`.padStart(13, '0');
      const amount = `${sum < 0n ? '-' : ''}${text.slice(0, -12)}.${text.slice(-12)}`;
      return [month, amount.replace(/\.?0+$/, '')];
    }),
  );
}

describe.skipIf(!existsSync(shared))('trees of another project (skipped without ../shared/data)', () => {
  it('match the sums of their files, before and after months are restated', async () => {
    await s3.upload('demo', path.join(shared, 'fixture/demo'));
    const settings = { bucket: 'demo', prefix: 'exports', export_name: 'costroid-demo' };
    const { body } = await connect({ credentials: otherKeys, settings });
    const first = await controlTotals(path.join(shared, 'fixture'));
    expect((await sync(body.id)).months).toEqual(first);
    await s3.upload('demo', path.join(shared, 'restated/demo'));
    await s3.upload('demo', path.join(shared, 'corrections/demo'));
    const restated = {
      ...(await controlTotals(path.join(shared, 'restated'))),
      ...(await controlTotals(path.join(shared, 'corrections'))),
    };
    expect(Object.keys(restated)).toEqual(['2026-06', '2026-07']);
    expect((await sync(body.id)).months).toEqual({ ...first, ...restated });
  });
});

describe('access keys with Cost Explorer', () => {
  it('load costs by day, account and service, warn about missing details, and skip unchanged data', async () => {
    const month = dayOf(new Date()).slice(0, 7);
    const at = { day: `${month}-01`, account: third, service: 'Amazon Relational Database Service' };
    aws.answer({
      ...costExplorerAnswers({
        names: { [third]: 'Shop' },
        charges: [
          { ...at, recordType: 'Usage', unblended: '12.5' },
          { ...at, recordType: 'SavingsPlanCoveredUsage', unblended: '50', amortized: '30' },
          { ...at, recordType: 'SavingsPlanNegation', unblended: '-50', amortized: '0' },
          { ...at, recordType: 'SavingsPlanRecurringFee', unblended: '40', amortized: '10' },
          { ...at, recordType: 'Tax', service: 'Tax', unblended: '0.0000000001' },
        ],
      }),
      'organizations.DescribeOrganization': () => ({ json: { Organization: { MasterAccountId: account } } }),
    });
    const { status, body } = await connect({ credentials: thirdKeys, settings: {} });
    expect([status, body.external_id]).toEqual([201, third]);
    expect(await sync(body.id)).toEqual({ status: 'succeeded', error: null, months: { [month]: '52.5000000001' } });
    const state = await world().rest<{ sync_warnings: string[] }>('GET', `/accounts/${body.id}`, { token });
    expect(state.body.sync_warnings).toContainEqual(
      expect.stringMatching(/^No resources, tags, regions or commitments/),
    );
    const rows = await readFacts(
      world().deps,
      body.id,
      `SELECT ServiceName AS name, x_PricingKind AS kind, ${plain('sum(EffectiveCost)')} AS effective FROM facts
       WHERE ChargeCategory = 'Usage' GROUP BY 1, 2 ORDER BY 2`,
    );
    const name = 'Amazon Relational Database Service';
    expect(rows).toEqual([
      { name, kind: 'on_demand', effective: '12.5' },
      { name, kind: 'savings_plan', effective: '30' },
      { name, kind: 'unused_savings_plan', effective: '10' },
    ]);

    aws.log.length = 0;
    await sync(body.id);
    expect(aws.log.map(({ operation }) => operation)).toEqual(['GetCallerIdentity']);
  });
});
