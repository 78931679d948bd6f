import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ApiFailure } from '../../src/mcp/api/failure.ts';
import { awaitReport } from '../../src/mcp/tools/reports.ts';
import { runJobs } from '../support/jobs.ts';
import { mcpWorld } from './world.ts';

interface Report {
  readonly id: string;
  readonly status: string;
  readonly download_url: string;
  readonly download_command: string;
  readonly sha256: string;
  readonly size_bytes: number;
}

const world = mcpWorld();

/** Generates a report while a worker runs the queued jobs. */
async function generate(args: object): Promise<Report> {
  const { deps, jobs } = world();
  const runs: Promise<void>[] = [];
  const worker = setInterval(() => void runs.push(runJobs(deps, jobs)), 50);
  try {
    return await world().callTool<Report>('generate_report', args);
  } finally {
    clearInterval(worker);
    // The mail about the report is sent after its file is ready.
    await Promise.all(runs);
  }
}

describe('generate_report', () => {
  it('returns a finished report with a download command', async () => {
    const report = await generate({
      type: 'cost_by_service',
      format: 'csv',
      period: 'last_month',
      filters: { provider: ['aws'], service: 'Amazon S3' },
    });
    expect(report).toMatchObject({
      status: 'ready',
      failure_reason: null,
      start_date: '2026-10-01',
      end_date: '2026-10-31',
      expires_at: '2026-12-21T10:00:00.000Z',
    });
    const command = `curl -f -H "Authorization: Bearer $SVC_API_TOKEN" -o cost_by_service_2026-10-01_2026-10-31.csv '${report.download_url}'`;
    expect(report.download_command).toBe(command);
    const { token } = world();
    const file = await world().rest('GET', new URL(report.download_url).pathname.replace('/api/v1', ''), { token });
    // 31 days at 10.25.
    expect(file.text).toContain('317.75');
    expect(file.text).not.toContain('Lambda');
    expect(createHash('sha256').update(file.text).digest('hex')).toBe(report.sha256);
    expect(Buffer.byteLength(file.text)).toBe(report.size_bytes);
  });

  it("uses the API's default dates", async () => {
    const report = await generate({ type: 'budgets', format: 'json' });
    expect(report).toMatchObject({ status: 'ready', start_date: '2026-10-23', end_date: '2026-11-21' });
    expect(report).not.toHaveProperty('hint');
  });

  it.each(['budgets', 'inventory', 'recommendations'])(
    'states that %s show the current state, whatever dates are requested',
    async (type) => {
      const report = await generate({ type, format: 'json', period: 'last_month' });
      expect(report).toMatchObject({ status: 'ready', hint: expect.stringContaining('shows the current state') });
    },
  );

  it.each([
    [{ type: 'cost_by_tag', format: 'pdf' }, 'tag_key'],
    [{ type: 'cost_summary', format: 'pdf', filters: { colour: 'red' } }, 'colour'],
    [{ type: 'cost_summary', format: 'docx' }, 'format'],
    [{ type: 'cost_summary', format: 'pdf', period: 'last_month', end_date: '2026-10-01' }, 'period'],
  ])('rejects %j, naming %s', async (args, named) => {
    const answer = await world().tryTool('generate_report', args);
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('VALIDATION_ERROR') });
    expect(answer.text).toContain(named);
  });
});

describe('awaitReport', () => {
  const report = (status: 'pending' | 'ready' | 'failed') => ({ status });
  const limited = () =>
    new ApiFailure({ code: 'RATE_LIMITED', status: 429, message: 'Too many', retryAfterS: 9, requestId: null });

  async function waited(answers: readonly (() => ReturnType<typeof report>)[]) {
    const waits: number[] = [];
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return answers[Math.min(asked, answers.length) - 1]?.() ?? report('pending');
    };
    const { status } = await awaitReport(report('pending'), ask, async (ms) => waits.push(ms));
    return { status, asked, seconds: waits.reduce((sum, ms) => sum + ms, 0) / 1000 };
  }

  it('ends when the report is ready or has failed', async () => {
    const later = [() => report('pending'), () => report('ready')];
    expect(await waited(later)).toEqual({ status: 'ready', asked: 2, seconds: 0.75 });
    expect(await waited([() => report('failed')])).toMatchObject({ status: 'failed', asked: 1 });
  });

  it('ends after 20 seconds and few requests', async () => {
    expect(await waited([])).toEqual({ status: 'pending', asked: 10, seconds: 20 });
  });

  it('returns the last known status when a request fails, so that the report is not created twice', async () => {
    const failing = () => {
      throw limited();
    };
    expect(await waited([failing])).toMatchObject({ status: 'pending', asked: 1 });
  });

  it('rethrows programming errors', async () => {
    const broken = () => {
      throw new TypeError('ours');
    };
    await expect(waited([broken])).rejects.toThrow('ours');
  });
});
