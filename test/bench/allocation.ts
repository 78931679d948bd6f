import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOfTree, percentile, printTable, timed } from './measure.ts';
import { goalRows } from './goals.ts';
import { rest, type Running } from './server.ts';

const rules = Array.from({ length: 200 }, (_, at) => ({
  value: `team-${at % 25}`,
  conditions: [
    { dimension: 'tag:application', operator: 'in', values: [`app-${at}`, `app-${at + 200}`] },
    { dimension: 'service', operator: at % 2 === 0 ? 'exists' : 'not_in', ...(at % 2 === 1 && { values: ['None'] }) },
  ],
}));

const rounds = 20;

/** Measures a virtual tag of 200 rules over the bill of an organization: the CPU of its evaluation, and its answers as a multiple
 *  of those by service. */
export async function measureAllocation(server: Running, token: string, millions: number): Promise<void> {
  const before = cpuSecondsOfTree(server.pid);
  const { id } = await rest<{ id: string }>(server, 'POST /virtual-tags', token, { name: 'Team', rules });
  for (;;) {
    const tag = await rest<{ evaluated_percent: number }>(server, `GET /virtual-tags/${id}`, token);
    if (tag.evaluated_percent === 100) break;
    await sleep(500);
  }
  const seconds = cpuSecondsOfTree(server.pid) - before;
  const times = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++)
    for (const by of ['service', 'virtual:team']) {
      const start = `2025-11-${String(2 + round).padStart(2, '0')}`;
      const { ms } = await timed(() => rest(server, `GET /costs?group_by=${by}&start_date=${start}`, token));
      times.set(by, [...(times.get(by) ?? []), ms]);
    }
  const median = (by: string) => percentile(times.get(by) ?? [], 0.5);
  printTable(
    `A virtual tag of 200 rules over ${millions} million line items`,
    goalRows([
      { what: 'CPU seconds of the evaluation per 10 million', figure: (seconds / millions) * 10, most: 30 },
      {
        what: 'group_by=virtual:team / group_by=service',
        figure: median('virtual:team') / median('service'),
        most: 3,
      },
    ]),
  );
}
