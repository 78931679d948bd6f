import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeInventoryFile } from './inventory-files.ts';
import { forgetPeak, memoryMiB, percentile, printTable, timed } from './measure.ts';
import { measureReports } from './reports.ts';
import { load, register, rest, type Running } from './server.ts';

/** The measurements of an evaluation in its own process. */
type Evaluation = {
  readonly evaluation: string;
  readonly seconds: number;
  readonly peakMiB: number;
};

/** Measures the evaluation of an account with many resources by time and memory, and each of its lists by its 95th
 *  percentile as a multiple of `/costs/by-service`. `root` is the folder that the server reads. */
export async function measureAnalysis(
  server: Running,
  env: Record<string, string>,
  { root, resources }: { root: string; resources: number },
): Promise<void> {
  const folder = `inventory-${resources}`;
  const facts = await writeInventoryFile(join(root, folder), resources);
  const token = await register(server);
  const { id: organization } = await rest<{ id: string }>(server, 'GET /org', token);
  await rest(server, 'POST /tag-policies', token, policy);
  const account = await load(server, token, folder);
  const evaluations = [
    await firstEvaluation(server, token),
    await evaluate(env, ['everything', organization, account.id]),
    await evaluate(env, ['recommendations', organization, account.id]),
  ];
  printTable(`Evaluation of ${resources} resources, ${facts} facts`, evaluations);
  printTable(`Lists of ${resources} resources`, await measureLists(server, token));
  const days = ['2026-10-01', '2026-10-31'] as const;
  const reports = ['inventory', 'recommendations'].map((type) => ({ type, days }));
  printTable(`Reports of ${resources} resources`, await measureReports(server, token, reports));
}

const policy = { name: 'Teams', rules: [{ key: 'team' }, { key: 'env', allowed_values: ['prod'] }] };

/** The work of the server after a sync. Recommendations are written last. */
async function firstEvaluation(server: Running, token: string): Promise<Evaluation> {
  forgetPeak(server.pid);
  const { ms } = await timed(async () => {
    while (!(await rest<{ total_count: number }>(server, 'GET /recommendations/summary', token)).total_count)
      await sleep(200);
  });
  return { evaluation: 'first, in the server', seconds: ms / 1000, peakMiB: memoryMiB(server.pid).peak };
}

async function evaluate(env: Record<string, string>, args: readonly string[]): Promise<Evaluation> {
  const child = fork(join(import.meta.dirname, 'evaluate-account.ts'), args, {
    // The options of `npm run worker`.
    execArgv: ['--max-semi-space-size=16'],
    env: { ...process.env, ...env, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [message]: Omit<Evaluation, 'evaluation'>[] = await once(child, 'message');
  if (!message) throw new Error('the evaluation reported nothing');
  await once(child, 'exit');
  return { evaluation: `${args[0]} again`, ...message };
}

const rounds = 40;

/** Every request is different, so that no result is cached. */
const questions: Readonly<Record<string, (round: number) => `/${string}`>> = {
  '/costs/by-service': (round) => `/costs/by-service?${range(round)}`,
  '/inventory': (round) => `/inventory?per_page=${20 + round}`,
  '/inventory by cost': (round) => `/inventory?sort_by=-cost_last_30_days&per_page=${20 + round}`,
  '/inventory by text': (round) => `/inventory?search=resource-${1234 + 97 * round}`,
  '/inventory by text of many': (round) => `/inventory?search=source-${1 + round}`,
  '/inventory by type and region': (round) =>
    `/inventory?resource_type=Type%203&region=region-3&per_page=${20 + round}`,
  '/inventory by tag': (round) => `/inventory?tag_key=team&tag_value=team-${round % 10}&per_page=${20 + round}`,
  '/inventory/summary': (round) => `/inventory/summary?region=region-${round % 12}`,
  '/tags': (round) => `/tags?per_page=${20 + round}`,
  '/tags/violations': (round) => `/tags/violations?per_page=${20 + round}`,
  '/tags/violations by key': (round) => `/tags/violations?key=env&sort_by=key&per_page=${20 + round}`,
  '/tag-policies': (round) => `/tag-policies?per_page=${20 + round}`,
  '/recommendations': (round) => `/recommendations?per_page=${20 + round}`,
  '/recommendations by savings': (round) =>
    `/recommendations?sort_by=-estimated_monthly_savings&per_page=${20 + round}`,
  '/recommendations with a minimum saving': (round) => `/recommendations?min_savings=${round}`,
  '/recommendations of a type': (round) => `/recommendations?type=aws_ebs_gp2_gp3&per_page=${20 + round}`,
  '/recommendations/summary': (round) => `/recommendations/summary?status=open&min_savings=${round}`,
  '/coverage': (round) => `/coverage?${range(round)}`,
  '/coverage/daily': (round) => `/coverage/daily?region=region-${round % 12}`,
  '/coverage/gaps': (round) => `/coverage/gaps?${range(round)}`,
  '/coverage/planner': () => '/coverage/planner',
};

function range(round: number): string {
  const day = (value: number) => `2026-10-${String(value).padStart(2, '0')}`;
  return `start_date=${day(1 + (round % 20))}&end_date=${day(22 + Math.floor(round / 20))}`;
}

/** Requests the lists round-robin, so that noise affects all alike. */
async function measureLists(server: Running, token: string) {
  const times = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [name, question] of Object.entries(questions)) {
      const { ms } = await timed(() => rest(server, `GET ${question(round)}`, token));
      times.set(name, [...(times.get(name) ?? []), ms]);
    }
  }
  const base = percentile(times.get('/costs/by-service') ?? [], 0.95);
  return [...times].map(([list, values]) => ({
    list,
    'p50 ms': percentile(values, 0.5),
    'p95 ms': percentile(values, 0.95),
    'p95 / by-service': percentile(values, 0.95) / base,
  }));
}
