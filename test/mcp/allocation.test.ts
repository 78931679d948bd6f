import { expect, it } from 'vitest';
import { formatMoney } from '../../src/kit/text/format.ts';
import { readPdf } from '../actions/reports/pdf/read.ts';
import { runJobs } from '../support/jobs.ts';
import { mcpWorld } from './world.ts';

interface Breakdown {
  readonly total_cost: number;
  readonly groups: { keys: Record<string, string>; cost: number; direct_cost?: number; shared_cost?: number }[];
  readonly hint?: string;
}

const world = mcpWorld(async ({ rest, accessToken: token }) => {
  const rules = [{ value_from: { dimension: 'tag:team' } }];
  const splits = [
    { name: 'Platform', source_values: ['Unallocated'], method: 'even' },
    { name: 'To nobody', source_values: ['jobs'], method: 'proportional', targets: ['gone'] },
  ];
  await rest('POST', '/virtual-tags', { token, body: { name: 'Team', rules, splits } });
});

const lastMonth = { period: 'last_month', group_by: ['virtual:team'] };
const ask = (args: object) => world().callTool<Breakdown>('get_cost_breakdown', { ...lastMonth, ...args });

it('returns the cost of a team with and without shared costs, like the API', async () => {
  const { rest, accessToken: token } = world();
  const direct = await ask({});
  const team = direct.groups[0]?.keys['virtual:team'] ?? '';
  const shared = await ask({ include_shared: true, filters: { 'virtual:team': [team] } });
  const [row] = shared.groups;
  expect(shared.groups).toHaveLength(1);
  expect(row?.direct_cost).toBe(direct.groups[0]?.cost);
  expect(row?.cost).toBe(shared.total_cost);
  const days = await world().callTool<{ start_date: string; end_date: string }>('get_cost_breakdown', lastMonth);
  const range = `start_date=${days.start_date}&end_date=${days.end_date}`;
  const { body } = await rest<{ total_cost: number }>(
    'GET',
    `/costs?group_by=virtual:team&include_shared=true&virtual=team:${team}&${range}`,
    { token },
  );
  expect(body.total_cost).toBe(shared.total_cost);
});

it('names splits without a target', async () => {
  expect((await ask({ include_shared: true })).hint).toContain('To nobody in ');
});

it('returns the same cost of a team including shared costs as its showback in PDF', async () => {
  const { rest, accessToken: token, deps, jobs, url } = world();
  const [first] = (await ask({})).groups;
  const team = first?.keys['virtual:team'] ?? '';
  const answer = await ask({ include_shared: true, filters: { 'virtual:team': [team] } });
  const made = await rest<{ id: string }>('POST', '/reports', {
    token,
    body: { type: 'showback', format: 'pdf', filters: { tag_key: 'virtual:team', tag_value: team } },
  });
  await runJobs(deps, jobs);
  const file = await fetch(`${url}/api/v1/reports/${made.body.id}/download`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const texts = readPdf(Buffer.from(await file.arrayBuffer())).flatMap(({ lines }) => lines.map(({ text }) => text));
  expect(texts).toContain(formatMoney(answer.total_cost, 'USD'));
  expect(answer.total_cost).not.toBe(first?.cost);
});
