import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAzure } from '../../../../src/providers/azure/open.ts';
import { queryCosts } from '../../../../src/providers/azure/query/query.ts';
import { azureManagement } from '../../../../src/providers/azure/request.ts';
import { servicePrincipal } from '../../../../src/providers/azure/sign-in.ts';
import type { AzureSettings } from '../../../../src/providers/spec.ts';
import { type AzureCall, type FakeAzure, startFakeAzure } from '../../../support/clouds/azure/cloud.ts';
import { endpointsOf, hasContracts, idle, published, settings, subscription } from '../world.ts';

let fake: FakeAzure;
let folder: string;
beforeAll(async () => {
  fake = await startFakeAzure();
  folder = await mkdtemp(path.join(os.tmpdir(), 'costkeep-azure-'));
});
afterAll(async () => {
  await fake.stop();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  fake.routes.clear();
  fake.calls.length = 0;
  fake.routes.set('get /subscriptions', () => ({
    status: 200,
    body: { value: [{ subscriptionId: subscription, displayName: 'Shop, "live"' }] },
  }));
});

const now = () => new Date('2026-11-21T10:00:00Z');
const scope = `/subscriptions/${subscription}`;
const route = (at: string) => `post ${at}/providers/Microsoft.CostManagement/query`.toLowerCase();

function open(over: Partial<AzureSettings> = {}) {
  const spec = { provider: 'azure', credentials: fake, settings: settings(over) } as const;
  return openAzure(spec, endpointsOf(fake), now);
}

function rows(names: readonly string[], ...values: (string | number)[][]) {
  const columns = ['Cost', ...names, 'Currency'].map((name) => ({
    name,
    type: name === 'Cost' || name === 'UsageDate' ? 'Number' : 'String',
  }));
  return { status: 200, body: { properties: { nextLink: null, columns, rows: values } } };
}

interface Asked {
  type: string;
  timePeriod: { from: string; to: string };
  dataset: { granularity: string; grouping: { name: string }[]; filter?: { dimensions: { values: string[] } } };
}
const asked = ({ body }: AzureCall) => body as Asked;

async function monthOf(over: Partial<AzureSettings>, month: string) {
  const { costs } = open(over);
  const { files } = await costs.list(null, idle);
  const file = files.find((each) => each.month === month);
  if (!file) throw new Error(`${month} is not listed`);
  const local = await costs.fetch(file, folder, idle);
  expect((await stat(local)).mode & 0o777).toBe(0o600);
  const [header = '', ...lines] = (await readFile(local, 'utf8')).trimEnd().split('\n');
  return { header, lines };
}

describe('Query API source', () => {
  it('lists fourteen months without a request: closed ones permanently, the last two twice a day', async () => {
    const { files, warnings } = await open().costs.list(null, idle);
    expect(files.map(({ month, token }) => `${month} ${token}`)).toEqual([
      ...['2025-10', '2025-11', '2025-12', '2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'].map(
        (month) => `${month} closed`,
      ),
      ...['2026-07', '2026-08', '2026-09'].map((month) => `${month} closed`),
      '2026-10 2026-11-21 am',
      '2026-11 2026-11-21 am',
    ]);
    expect(warnings).toEqual([expect.stringMatching(/^No resources, tags or commitments/)]);
    expect(fake.calls).toEqual([]);
  });

  it('merges actual and amortized costs, with FOCUS charge categories', async () => {
    fake.routes.set(route(scope), (call) => {
      const names = ['UsageDate', 'ServiceName', 'ChargeType'];
      if (asked(call).type === 'ActualCost')
        return rows(
          names,
          [1.25, 20261001, 'Virtual Machines', 'Usage', 'EUR'],
          [876, 20261001, 'Virtual Machines', 'Purchase', 'EUR'],
          [-3.5e-7, 20261002, 'Storage', 'Refund', 'EUR'],
        );
      return rows(
        names,
        [3.65, 20261001, 'Virtual Machines', 'Usage', 'EUR'],
        [24, 20261001, 'Virtual Machines', 'UnusedReservation', 'EUR'],
      );
    });
    const { header, lines } = await monthOf({}, '2026-10');
    const period = '2026-11-01T00:00:00Z,2026-10-01T00:00:00Z';
    const costs = (effective: string, list: string) => `${list},${effective},Microsoft,${list},Microsoft,Microsoft`;
    const sub = `${subscription},"Shop, ""live"""`;
    const first = '2026-10-02T00:00:00Z,2026-10-01T00:00:00Z';
    expect(header).toMatch(/^BilledCost,BillingAccountId,BillingCurrency,BillingPeriodEnd,/);
    expect(lines).toEqual([
      `1.25,,EUR,${period},Usage,,Virtual Machines (Usage),${first},${costs('3.65', '3.65')},Virtual Machines,${sub}`,
      `876,,EUR,${period},Purchase,,Virtual Machines (Purchase),${first},${costs('0', '876')},Virtual Machines,${sub}`,
      `-0.00000035,,EUR,${period},Credit,Correction,Storage (Refund),2026-10-03T00:00:00Z,2026-10-02T00:00:00Z,${costs('0', '-0.00000035')},Storage,${sub}`,
      `0,,EUR,${period},Usage,,Virtual Machines (UnusedReservation),${first},${costs('24', '24')},Virtual Machines,${sub}`,
    ]);
    const queries = fake.calls.filter(({ method }) => method === 'POST');
    expect(queries.map((call) => [asked(call).type, asked(call).timePeriod.from, asked(call).timePeriod.to])).toEqual([
      ['ActualCost', '2026-10-01T00:00:00Z', '2026-10-31T23:59:59Z'],
      ['AmortizedCost', '2026-10-01T00:00:00Z', '2026-10-31T23:59:59Z'],
    ]);
    expect(queries.every(({ query }) => query['api-version'] === '2025-03-01')).toBe(true);
  });

  it('queries no future days, which Azure would shift silently', async () => {
    fake.routes.set(route(scope), () => ({ status: 204 }));
    expect((await monthOf({}, '2026-11')).lines).toEqual([]);
    expect(fake.calls.filter(({ method }) => method === 'POST').map((call) => asked(call).timePeriod.to)).toEqual([
      '2026-11-21T23:59:59Z',
      '2026-11-21T23:59:59Z',
    ]);
  });

  it('queries a billing scope once for each charge type of the month', async () => {
    const billingScope = '/providers/Microsoft.Billing/billingAccounts/8611537';
    fake.routes.set(route(billingScope), (call) => {
      const { dataset, type } = asked(call);
      if (dataset.granularity === 'None')
        return rows(
          ['ChargeType', 'PublisherType'],
          [5, 'Usage', 'Azure', 'USD'],
          [1, 'Usage', 'Marketplace', 'USD'],
          [2, 'Tax', 'Azure', 'USD'],
        );
      const [kind] = dataset.filter?.dimensions.values ?? [];
      return rows(
        ['UsageDate', 'SubscriptionId', 'ServiceName'],
        [type === 'ActualCost' ? 1 : 2, 20260501, subscription.toUpperCase(), `Of ${kind}`, 'USD'],
      );
    });
    const { lines } = await monthOf({ billingScope }, '2026-05');
    expect(lines.map((line) => line.split(',').filter((_, at) => [0, 1, 5, 11, 16, 17].includes(at)))).toEqual([
      ['1', billingScope.toLowerCase(), 'Usage', '2', 'Of Usage', subscription],
      ['1', billingScope.toLowerCase(), 'Tax', '2', 'Of Tax', subscription],
    ]);
    const groupings = fake.calls
      .filter(({ method }) => method === 'POST')
      .map((call) => asked(call).dataset.grouping.length);
    expect(groupings).toEqual([2, 2, 2, 2, 2, 2]);
  });

  it('queries PreTaxCost if an offer does not support Cost', async () => {
    fake.routes.set(route(scope), (call) => {
      const names = JSON.stringify(asked(call).dataset);
      if (names.includes('"PreTaxCost"'))
        return rows(['UsageDate', 'ServiceName', 'ChargeType'], [1, 20260501, 'A', 'Usage', 'USD']);
      const message = "Invalid query definition: Invalid dataset aggregation column: 'Cost'";
      return { status: 400, body: { error: { code: 'BadRequest', message } } };
    });
    expect((await monthOf({}, '2026-05')).lines).toHaveLength(1);
  });

  it('checks each scope before connecting', async () => {
    fake.routes.set(route(scope), () => ({
      status: 403,
      body: { error: { code: 'RBACAccessDenied', message: 'The client does not have authorization' } },
    }));
    await expect(open().check(idle)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining(`on "${scope}" (RBACAccessDenied, 403); assign role "Cost Management Reader"`),
    });
  });

  it.skipIf(!hasContracts)("reads Microsoft's published example", async () => {
    fake.routes.set(route(scope), () => ({
      status: 200,
      body: published('costmanagement-2025-03-01-SubscriptionQuery'),
    }));
    const endpoints = endpointsOf(fake);
    const management = azureManagement(servicePrincipal(fake, endpoints), endpoints);
    const found = await queryCosts(
      management,
      {
        scope,
        type: 'ActualCost',
        from: '2018-03-01',
        to: '2018-04-30',
        granularity: 'Daily',
        by: ['ResourceGroup', 'ChargeType'],
      },
      idle,
    );
    expect(
      found.map(({ cost, day, currency, dimensions }) => [cost, day, currency, dimensions['resourcegroup']]),
    ).toEqual([
      ['2.10333307059661', '2018-03-31', 'USD', 'ScreenSharingTest-peer'],
      ['218.68795741935486', '2018-03-31', 'USD', 'Ict_StratAndPlan_GoldSprova_Prod'],
      ['0.14384913581657052', '2018-04-01', 'USD', 'ssbciotelement01'],
      ['0.009865586851323632', '2018-04-29', 'USD', 'ict_stratandplan_goldsprova_prod'],
    ]);
  });
});
