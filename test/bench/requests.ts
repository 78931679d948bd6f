import autocannon from 'autocannon';
import { cpuSeconds } from './measure.ts';
import type { Running } from './server.ts';

/** Number of concurrent connections. */
export const connections = 8;
const burstSeconds = 3;
const bursts = 4;
const firstDay = Date.UTC(2025, 10, 1);
let asked = 0;

/** A new date range for each request, so that no result is cached. */
function freshRange(): { start: string; end: string } {
  const day = (offset: number) => new Date(firstDay + offset * 86_400_000).toISOString().slice(0, 10);
  const start = asked % 180;
  const end = 364 - (Math.floor(asked / 180) % 180);
  asked += 1;
  return { start: day(start), end: day(end) };
}

/** One kind of request to one server. */
export interface Contender {
  name: string;
  server: Running;
  /** Sends the next request. */
  next(): { method: 'GET' | 'POST'; path: string; body?: string };
}

/** `/costs/by-service` with a new range, through REST. */
export function byService(name: string, server: Running): Contender {
  return {
    name,
    server,
    next() {
      const { start, end } = freshRange();
      return { method: 'GET', path: `/api/v1/costs/by-service?start_date=${start}&end_date=${end}` };
    },
  };
}

/** The same query through GraphQL. */
export function byServiceGraphql(name: string, server: Running): Contender {
  const query = `query ($start: Date!, $end: Date!) { costsByService(startDate: $start, endDate: $end) {
    startDate endDate currency costMetric totalCost completeThrough unconverted { currency cost }
    groups { service serviceCategory provider cost percentage } } }`;
  return {
    name,
    server,
    next: () => ({ method: 'POST', path: '/graphql', body: JSON.stringify({ query, variables: freshRange() }) }),
  };
}

/** The list of accounts with their syncs. */
export function accountList(name: string, server: Running): Contender {
  return { name, server, next: () => ({ method: 'GET', path: '/api/v1/accounts?per_page=100' }) };
}

async function burst(contender: Contender, token: string): Promise<{ requests: number; cpu: number }> {
  const before = cpuSeconds(contender.server.pid);
  const result = await autocannon({
    url: contender.server.url,
    connections,
    duration: burstSeconds,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    requests: [{ setupRequest: (request) => ({ ...request, ...contender.next() }) }],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${contender.name}: ${result.non2xx} bad answers, ${result.errors} errors`);
  return { requests: result['2xx'], cpu: cpuSeconds(contender.server.pid) - before };
}

/** Requests per CPU second of each contender's process, relative to the first: interleaved, so that noise affects all
 *  alike. */
export async function measureRequests(contenders: readonly Contender[], token: string) {
  const sums = contenders.map(() => ({ requests: 0, cpu: 0 }));
  for (const contender of contenders) await burst(contender, token);
  for (let round = 0; round < bursts; round++) {
    for (const [index, contender] of contenders.entries()) {
      const { requests, cpu } = await burst(contender, token);
      const sum = sums[index];
      if (sum) Object.assign(sum, { requests: sum.requests + requests, cpu: sum.cpu + cpu });
    }
  }
  const perCpu = sums.map((sum) => sum.requests / sum.cpu);
  return contenders.map((contender, index) => ({
    contender: contender.name,
    'requests/s': (sums[index]?.requests ?? 0) / (bursts * burstSeconds),
    'requests / CPU s': perCpu[index] ?? 0,
    ratio: (perCpu[index] ?? 0) / (perCpu[0] ?? 1),
  }));
}
