import { expect } from 'vitest';
import { aws } from '../../../src/sample/aws/cloud.ts';
import { demoRates } from '../../../src/demo/organization/exchange-rates.ts';
import { listingOf } from '../../../src/sample/inventory/listing.ts';
import { sampleSpikes } from '../../sample/spikes.ts';
import { sampleWaste } from '../../sample/waste.ts';
import { addDays, dayOf, instantOf } from '../../../src/kit/time/period.ts';
import { now } from '../world.ts';
import { today } from './demo-world.ts';
import { days, expectMoney, type Known, type Question } from './question.ts';

interface Listed<Row> {
  readonly data: Row[];
  readonly pagination: { total: number };
}

interface Resource {
  readonly id: string;
  readonly native_id: string;
  readonly cost_last_30_days: number;
  readonly metadata?: Record<string, unknown>;
}

interface Recommendation {
  readonly id: string;
  readonly status: string;
  readonly snoozed_until: string | null;
  readonly estimated_monthly_savings: number;
  readonly currency: string;
  readonly resource: { native_id: string } | null;
}

interface Anomaly {
  readonly id: string;
  readonly service: string;
  readonly region: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly actual_cost: number;
  readonly currency: string;
  readonly status: string;
}

const diskTypes = ['aws_ebs_unattached', 'azure_disk_unattached', 'gcp_disk_unattached'];

const largest = async ({ call }: Known) => {
  const { data } = await call<Listed<Recommendation>>('list_recommendations', { provider: ['aws'], per_page: 1 });
  const [first] = data;
  if (!first) throw new Error('Nothing can be saved');
  return first;
};

/** The latest anomaly of a service. */
const latest = async ({ call }: Known, service: string) => {
  const { data } = await call<Listed<Anomaly>>('list_anomalies', { service: [service], per_page: 1 });
  const [first] = data;
  if (!first) throw new Error(`${service} has no anomaly`);
  return first;
};

/** Questions about resources, waste and anomalies. */
export const savingsQuestions: readonly Question[] = [
  {
    ask: 'How many machines do we run on AWS?',
    async answer({ call, sql }) {
      const args = { provider: ['aws'], resource_type: ['Instance'] };
      const { total } = await call<{ total: number }>('get_inventory_summary', args);
      const [counted] = await sql<{ count: string }>(
        `SELECT count(*) FROM inventory_resources WHERE provider = 'aws' AND resource_type = 'Instance' AND gone_at IS NULL`,
      );
      expect(total).toBe(Number(counted?.count));
      expect(total).toBeGreaterThan(10);
    },
  },
  {
    ask: 'Which single resources cost us most?',
    async answer({ call, exports }) {
      const { data } = await call<Listed<Resource>>('list_resources', { per_page: 5 });
      const rows = await exports.rows(`
        SELECT resource, CAST(sum(effective) AS DOUBLE) AS cost FROM lines
        WHERE resource IS NOT NULL AND ${days.last30Complete} GROUP BY 1 ORDER BY sum(usd) DESC LIMIT 5`);
      expect(data.map(({ native_id }) => native_id)).toEqual(rows.map(({ resource }) => resource));
      for (const [at, { cost }] of rows.entries()) expectMoney(data[at]?.cost_last_30_days, Number(cost));
    },
  },
  {
    ask: 'Which database version does the ERP run on?',
    async answer({ call }) {
      const found = await call<Listed<Resource>>('list_resources', { search: 'erp-db' });
      const id = found.data.find(({ native_id }) => native_id.endsWith(':db:erp-db'))?.id;
      const { data } = await call<Listed<Resource>>('list_resources', { resource_id: id });
      const listed = listingOf(aws, today).find(({ nativeId }) => nativeId === data[0]?.native_id);
      expect(listed?.metadata).toMatchObject({ engineVersion: '5.7.44' });
      expect(JSON.stringify(data[0]?.metadata)).toContain('5.7.44');
    },
  },
  {
    ask: 'How much could we save a month?',
    async answer({ call, sql }) {
      interface Sum {
        total_count: number;
        total_estimated_monthly_savings: number;
      }
      const sum = await call<Sum>('get_recommendations_summary');
      const dollars = demoRates(today).find(({ month }) => month === '2026-11')?.rate ?? 0;
      const rows = await sql<{ count: string; savings: string }>(
        `SELECT count(*), sum(estimated_monthly_savings * CASE currency WHEN 'EUR' THEN $1::numeric ELSE 1 END)::text AS savings
         FROM recommendations WHERE status IN ('open', 'in_progress') AND coalesce(snoozed_until, $2) <= $2`,
        [dollars, now],
      );
      expect(sum.total_count).toBe(Number(rows[0]?.count));
      expectMoney(sum.total_estimated_monthly_savings, Number(rows[0]?.savings));
    },
  },
  {
    ask: 'Which disks do we pay for that are attached to nothing?',
    async answer({ call }) {
      const { data } = await call<Listed<Recommendation>>('list_recommendations', { type: diskTypes });
      const known = sampleWaste.filter(({ kind }) => kind === 'unattached_disk').map(({ nativeId }) => nativeId);
      expect(data.map(({ resource }) => resource?.native_id).toSorted()).toEqual(known.toSorted());
    },
  },
  {
    ask: 'What is the best thing to do on AWS, and how exactly is it done?',
    async answer(known) {
      interface Details extends Recommendation {
        remediation_scripts: { kind: string; script: string }[];
      }
      const { id } = await largest(known);
      const shown = await known.call<Details>('get_recommendation', { recommendation_id: id });
      const rows = await known.sql<{ id: string; native_id: string; scripts: { script: string }[]; savings: string }>(
        `SELECT id, native_id, scripts, estimated_monthly_savings::text AS savings FROM recommendations
         WHERE provider = 'aws' AND status IN ('open', 'in_progress') AND coalesce(snoozed_until, $1) <= $1
         ORDER BY estimated_monthly_savings DESC LIMIT 1`,
        [now],
      );
      expect(shown).toMatchObject({ id: rows[0]?.id, resource: { native_id: rows[0]?.native_id } });
      expectMoney(shown.estimated_monthly_savings, Number(rows[0]?.savings));
      expect(shown.remediation_scripts.map(({ script }) => script)).toEqual(
        rows[0]?.scripts.map(({ script }) => script),
      );
    },
  },
  {
    ask: 'Snooze that recommendation for two weeks.',
    async answer(known) {
      const { id } = await largest(known);
      await known.call('update_recommendation', { recommendation_id: id, snooze_days: 14 });
      const rows = await known.sql<{ until: Date }>(
        'SELECT snoozed_until AS until FROM recommendations WHERE id = $1',
        [id],
      );
      expect(rows[0]?.until).toEqual(instantOf(addDays(dayOf(now), 14)));
      expect((await largest(known)).id).not.toBe(id);
    },
  },
  {
    ask: 'Was anything unusual since the beginning of October?',
    async answer({ call }) {
      const { data } = await call<Listed<Anomaly>>('list_anomalies', { start_date: '2026-10-01' });
      const found = data.map(({ service, region, start_date }) => `${start_date} ${service} ${region}`);
      const spikes = sampleSpikes(today).filter(({ start }) => start >= '2026-10-01');
      expect(spikes.length).toBeGreaterThan(1);
      expect(found).toEqual(
        expect.arrayContaining(spikes.map(({ start, service, region }) => `${start} ${service} ${region}`)),
      );
    },
  },
  {
    ask: 'Why did Azure OpenAI jump this month?',
    async answer(known) {
      interface Explained extends Anomaly {
        explanation: { drivers: { dimension: string; value: string }[] };
        series: { date: string; cost: number }[];
      }
      const { id } = await latest(known, 'Azure OpenAI');
      const shown = await known.call<Explained>('get_anomaly', { anomaly_id: id });
      const spike = sampleSpikes(today).findLast(({ service }) => service === 'Azure OpenAI');
      expect(shown).toMatchObject({ start_date: spike?.start, end_date: spike?.end, currency: 'EUR' });
      const where = `service = 'Azure OpenAI' AND region = 'swedencentral' AND charge = 'Usage'`;
      const during = `day BETWEEN '${shown.start_date}' AND '${shown.end_date}'`;
      expectMoney(shown.actual_cost, await known.exports.sum(`${where} AND ${during}`, 'effective'));
      const resource = shown.explanation.drivers.find(({ dimension }) => dimension === 'resource');
      expect(resource?.value).toMatch(/\/support-assistant$/);
    },
  },
  {
    ask: 'We know about the Lambda spike: acknowledge it.',
    async answer(known) {
      const { id, start_date } = await latest(known, 'AWS Lambda');
      expect(start_date).toBe(sampleSpikes(today).findLast(({ service }) => service === 'AWS Lambda')?.start);
      await known.call('update_anomaly', { anomaly_id: id, status: 'acknowledged', reason: 'Fixed the next day' });
      expect(await known.sql('SELECT status, status_reason FROM anomalies WHERE id = $1', [id])).toEqual([
        { status: 'acknowledged', status_reason: 'Fixed the next day' },
      ]);
    },
  },
];
