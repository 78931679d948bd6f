import { expect, it } from 'vitest';
import type { Api } from '../../src/mcp/api/client.ts';
import { getAnomaly, listAnomalies } from '../../src/mcp/tools/anomalies.ts';
import { getInventorySummary, listResources } from '../../src/mcp/tools/inventory.ts';
import { getRecommendation, listRecommendations } from '../../src/mcp/tools/recommendations.ts';

const now = new Date('2026-11-21T10:00:00Z');
const id = '0192f0a1-0000-7000-8000-00000000000a';
/** Two to six times longer in JSON. */
const long = '"\\\u0001é'.repeat(500);
const money = -123_456_789.123456;
const day = '2026-11-21';
const instant = now.toISOString();
const times = <Row>(count: number, row: (at: number) => Row) => Array.from({ length: count }, (_, at) => row(at));
const open = Object.fromEntries(times(12, (at) => [`${at}${long}`, { [long]: times(5, () => long) }]));

const resource = {
  id,
  name: long,
  native_id: long,
  resource_type: long,
  service: long,
  region: long,
  provider: long,
  account_id: id,
  cost_last_30_days: money,
  currency: 'USD',
  other_costs: [{ currency: 'EUR', cost_last_30_days: money }],
  tags: open,
  metadata: open,
  first_seen_at: day,
  last_seen_at: day,
  gone_at: instant,
};

const recommendation = {
  id,
  title: long,
  type: long,
  status: 'in_progress',
  status_reason: long,
  status_changed_at: instant,
  snoozed_until: instant,
  estimated_monthly_savings: money,
  realized_monthly_savings: money,
  currency: 'USD',
  description: long,
  confidence: 'medium',
  provider: long,
  account_id: id,
  created_at: instant,
  resource: { id, native_id: long, name: long },
  evidence: open,
  remediation_scripts: times(9, () => ({ kind: 'aws_cli', title: long, script: long, reversible: true })),
};

const anomaly = {
  id,
  service: long,
  region: long,
  provider: long,
  account_id: id,
  kind: 'new_service',
  severity: 'critical',
  status: 'acknowledged',
  status_reason: long,
  start_date: day,
  end_date: day,
  detected_at: instant,
  expected_cost: money,
  actual_cost: money,
  impact: money,
  impact_percent: money,
  currency: 'USD',
  explanation: {
    summary: long,
    drivers: times(60, () => ({ dimension: 'sub_account', key: null, value: long, change: money, share: money })),
    likely_causes: times(60, () => long),
    next_steps: times(60, () => long),
  },
  series: times(400, () => ({ date: day, cost: money, expected_cost: money })),
};

const counts = (name: string) => times(300, () => ({ [name]: long, count: 1_000_000, account_id: id }));

const answers: Readonly<Record<string, object>> = {
  '/inventory': pageOf(resource),
  [`/inventory/${id}`]: resource,
  '/inventory/summary': {
    total: 300_000_000,
    by_type: counts('resource_type'),
    by_region: counts('region'),
    by_account: counts('account_name'),
  },
  '/recommendations': pageOf(recommendation),
  [`/recommendations/${id}`]: recommendation,
  '/anomalies': pageOf(anomaly),
  [`/anomalies/${id}`]: anomaly,
};

function pageOf(row: object) {
  return { data: times(50, () => row), pagination: { page: 1, per_page: 50, total: 50, total_pages: 1 } };
}

/** An API whose texts are longer than those of any cloud. */
const api: Api = {
  get: async (path, _query, shape) => shape.parse(answers[path]),
  send: () => Promise.reject(new Error('Nothing is written')),
};

const caller = { api, now };

it.each([
  ['a list of resources', () => listResources.run(caller, { per_page: 50 })],
  ['a resource', () => listResources.run(caller, { resource_id: id })],
  ['an inventory summary', () => getInventorySummary.run(caller, { limit: 100 })],
  ['a list of recommendations', () => listRecommendations.run(caller, { per_page: 50 })],
  ['a recommendation', () => getRecommendation.run(caller, { recommendation_id: id })],
  ['a list of anomalies', () => listAnomalies.run(caller, { per_page: 50 })],
  ['an anomaly', () => getAnomaly.run(caller, { anomaly_id: id })],
])('limits the size of the answer for %s', async (_name, run) => {
  const answer = await run();
  expect(answer).toMatchObject({ truncated: true });
  expect(JSON.stringify(answer).length).toBeLessThan(60_000);
});
