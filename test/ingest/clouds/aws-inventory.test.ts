import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { tasks } from '../../../src/tasks.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import { readConfig } from '../../../src/kit/config/config.ts';
import { addDays, dayOf, type Day } from '../../../src/kit/time/period.ts';
import { startFakeAws } from '../../support/clouds/aws/fake.ts';
import { stsAnswers } from '../../support/clouds/aws/identity.ts';
import { explored, explorerOf, exploring, inventoryAnswers, regionsOn } from '../../support/clouds/aws/inventory.ts';
import { refuseWrites, startS3 } from '../../support/clouds/s3.ts';
import { aLine, csvOf, focusColumns, type FocusRow } from '../../support/focus.ts';
import { aWorld } from '../../support/world.ts';

const account = '123456789012';
const volume = `arn:aws:ec2:eu-west-1:${account}:volume/vol-0aaaaaaaa`;
const plan = `arn:aws:savingsplans::${account}:savingsplan/11111111-aaaa`;
const queue = `arn:aws:sqs:eu-west-1:${account}:orders`;
const keys = { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY00' };

/** A volume, identified by its own id on the bill, and an unused savings plan. */
function linesOf(day: Day): FocusRow[] {
  const at = { day, RegionId: 'eu-west-1', SubAccountId: account, BillingAccountId: account };
  const ec2 = { ...at, ServiceName: 'Amazon Elastic Compute Cloud', SkuId: 'SKU1' };
  return [
    aLine({
      ...ec2,
      cost: '3',
      ResourceId: 'vol-0aaaaaaaa',
      ResourceType: 'volume',
      SkuMeter: 'EU-EBS:VolumeUsage.gp3',
      PricingQuantity: '36',
      PricingUnit: 'GB-Mo',
    }),
    aLine({
      ...ec2,
      cost: '5',
      ResourceId: plan,
      PricingCategory: 'Committed',
      CommitmentDiscountId: plan,
      CommitmentDiscountCategory: 'Spend',
      CommitmentDiscountType: 'Compute Savings Plans',
      CommitmentDiscountStatus: 'Unused',
    }),
  ];
}

async function startClouds(today: Day) {
  const [aws, s3] = await Promise.all([
    startFakeAws({
      ...stsAnswers({ keys: { [keys.access_key_id]: account } }),
      ...inventoryAnswers({
        ...regionsOn('eu-west-1'),
        ...explorerOf('eu-west-1', ['eu-west-1']),
        'ec2.DescribeVolumes': {
          '*': {
            Volumes: [
              {
                VolumeId: 'vol-0aaaaaaaa',
                Size: 36,
                VolumeType: 'gp3',
                State: 'available',
                Tags: [
                  { Key: 'Name', Value: 'old-data' },
                  { Key: 'team', Value: 'shop' },
                ],
              },
            ],
          },
        },
        'savingsplans.DescribeSavingsPlans': {
          '*': {
            savingsPlans: [
              {
                savingsPlanArn: plan,
                savingsPlanType: 'Compute',
                state: 'active',
                end: `${addDays(today, 200)}T00:00:00.000Z`,
              },
            ],
          },
        },
      }),
      ...exploring([explored(queue, 'sqs:queue', { team: 'shop' })]),
    }),
    startS3(),
  ]);
  onTestFinished(async () => void (await Promise.all([aws.stop(), s3.stop()])));
  return { aws, s3 };
}

interface Page<T> {
  data: T[];
}

interface Resource {
  native_id: string;
  name: string;
  resource_type: string;
  tags: Record<string, string>;
  metadata: Record<string, unknown>;
  cost_last_30_days: number;
}

interface Recommendation {
  id: string;
  type: string;
  evidence: Record<string, unknown>;
}

describe('AWS account', () => {
  it('is synced with its inventory, whose metadata leads to recommendations', async () => {
    const today = dayOf(new Date());
    const { aws, s3 } = await startClouds(today);
    const days = Array.from({ length: 40 }, (_, index) => addDays(today, index - 40));
    for (const [month, own] of Map.groupBy(days, (day) => day.slice(0, 7))) {
      const key = `exports/daily/data/BILLING_PERIOD=${month}/daily-00001.csv.gz`;
      const text = csvOf(own.flatMap(linesOf), { columns: focusColumns['1.2'] });
      await s3.put('bills', key, gzipSync(text));
      const manifest = JSON.stringify({ executionId: 'e', dataFiles: [`s3://bills/${key}`] });
      await s3.put('bills', `exports/daily/metadata/BILLING_PERIOD=${month}/daily-Manifest.json`, manifest);
    }
    const clouds = { ...readConfig({}).clouds, awsEndpoint: aws.url, s3Endpoint: s3.url };
    const world = await aWorld({ config: { clouds, syncCron: null }, hasQueue: true });
    const { token } = await world.register();
    const worker = await startWorker(world.deps, tasks);
    onTestFinished(() => worker.stop());

    const settings = { bucket: 'bills', prefix: 'exports', export_name: 'daily' };
    const body = { name: 'Production', provider: 'aws', credentials: keys, settings };
    const connected = await world.rest<{ id: string; external_id: string }>('POST', '/accounts', { token, body });
    expect(connected).toMatchObject({ status: 201, body: { external_id: account } });

    const found = await vi.waitFor(
      async () => {
        const answer = await world.rest<Page<Recommendation>>('GET', '/recommendations', { token });
        expect(answer.body.data).toHaveLength(2);
        return answer.body.data;
      },
      { timeout: 80_000, interval: 100 },
    );
    const state = await world.rest<{ last_sync_error: null; sync_warnings: string[] }>(
      'GET',
      `/accounts/${connected.body.id}`,
      { token },
    );
    expect(state.body).toMatchObject({ sync_status: 'succeeded', last_sync_error: null, sync_warnings: [] });

    const { body: inventory } = await world.rest<Page<Resource>>('GET', '/inventory', { token });
    const byId = new Map(inventory.data.map((each) => [each.native_id, each]));
    expect([...byId.keys()].toSorted()).toEqual([plan, queue, 'vol-0aaaaaaaa']);
    expect(byId.get('vol-0aaaaaaaa')).toMatchObject({
      name: 'old-data',
      resource_type: 'Volume',
      tags: { Name: 'old-data', team: 'shop' },
      metadata: { state: 'available', attachedTo: null, sizeGib: 36 },
      cost_last_30_days: 90,
    });
    expect(byId.get(queue)).toMatchObject({ resource_type: 'Queue', tags: { team: 'shop' } });
    expect(byId.has(volume)).toBe(false);

    // Both depend on the inventory, not only on the bill.
    const kinds = new Map(found.map((each) => [each.type, each]));
    expect([...kinds.keys()].toSorted()).toEqual(['aws_ebs_unattached', 'savings_plan_unused']);
    expect(kinds.get('savings_plan_unused')?.evidence['ends_at']).toBe(`${addDays(today, 200)}T00:00:00.000Z`);

    refuseWrites(s3.proxy.log);
    const asked = aws.log.map(({ operation }) => operation);
    expect(asked.filter((name) => !/^(Describe|List|Get)/.test(name))).toEqual([]);
  }, 90_000);
});
