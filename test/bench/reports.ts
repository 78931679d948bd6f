import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { forgetPeak, memoryMiB, MemoryWatch, timed } from './measure.ts';
import { rest, type Running } from './server.ts';

/** A measured report. */
export interface Wanted {
  readonly type: string;
  readonly filters?: object;
  /** First and last day. */
  readonly days: readonly [string, string];
}

interface Report {
  readonly id: string;
  readonly status: 'pending' | 'ready' | 'failed';
  readonly sha256: string | null;
}

const formats = ['csv', 'json', 'xlsx', 'pdf'] as const;

/** Measures reports in every format: duration, size, and memory of the server and of the process that writes them.
 *  Throws if a report fails or does not match its checksum. */
export async function measureReports(server: Running, token: string, wanted: readonly Wanted[]) {
  const rows = [];
  for (const { type, filters = {}, days } of wanted) {
    for (const format of formats) {
      forgetPeak(server.pid);
      const before = memoryMiB(server.pid).now;
      const body = { type, format, filters, start_date: days[0], end_date: days[1] };
      const watch = new MemoryWatch(server.pid);
      const made = await timed(() => make(server, token, body));
      watch.stop();
      const sent = await timed(() => download(server, token, made.result));
      const peak = memoryMiB(server.pid).peak;
      rows.push({
        report: type,
        format,
        seconds: made.ms / 1000,
        'download ms': sent.ms,
        MiB: sent.result / 2 ** 20,
        'writer peak MiB': watch.children,
        'server growth MiB': peak - before,
        'under 300 MiB': watch.children + peak - before < 300 ? 'yes' : 'NO',
      });
    }
  }
  return rows;
}

async function make(server: Running, token: string, body: object): Promise<Report> {
  const { id } = await rest<Report>(server, 'POST /reports', token, body);
  for (;;) {
    const { data } = await rest<{ data: Report[] }>(server, 'GET /reports?per_page=100', token);
    const report = data.find((candidate) => candidate.id === id);
    if (report?.status === 'ready') return report;
    if (report?.status !== 'pending') throw new Error(`the report ${JSON.stringify(body)} is ${report?.status}`);
    await sleep(50);
  }
}

/** Returns its size in bytes. */
async function download(server: Running, token: string, { id, sha256 }: Report): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${server.url}/api/v1/reports/${id}/download`, { headers });
  if (!response.ok || response.body === null) throw new Error(`the download of report ${id}: ${response.status}`);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of response.body) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  if (hash.digest('hex') !== sha256) throw new Error(`the file of report ${id} does not match its checksum`);
  return bytes;
}
