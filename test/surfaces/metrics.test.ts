import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { parse } from 'yaml';
import { jobKinds } from '../../src/jobs/kinds.ts';
import { newToken } from '../../src/tenancy/tokens/run.ts';
import { aLine, writeFocus } from '../support/focus.ts';
import { anInstallation, callApi, runProgram } from '../support/programs.ts';

const root = path.resolve(import.meta.dirname, '../..');
const patient = { timeout: 120_000, interval: 200 };

let text = '';

/** The value of a series; undefined if there is none. */
function valueOf(series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

/** The series of a metric, without the value. */
const seriesOf = (name: string) => text.split('\n').filter((line) => new RegExp(`^${name}(\\{| )`).test(line));

const today = new Date().toISOString().slice(0, 10);

describe('the metrics of a server after a sync', () => {
  let account = '';

  it('are complete', { timeout: 300_000 }, async () => {
    const { env, folder, query } = await anInstallation(inject('postgres').template);
    const lines = [aLine({ day: today, cost: '1.25' }), aLine({ day: today, cost: '2.5', ServiceName: 'Database' })];
    await writeFocus(path.join(folder, 'bills/now.csv'), lines);
    const token = newToken();
    const init = {
      COSTKEEP_INIT_ORGANIZATION: 'Plum',
      COSTKEEP_INIT_EMAIL: 'ana@example.com',
      COSTKEEP_INIT_PASSWORD: 'plum kite orbit',
      COSTKEEP_INIT_TOKEN: token,
    };
    const backups = { BACKUP_CRON: '0 3 * * *', BACKUP_URL: path.join(folder, 'backups') };
    const server = runProgram(['serve'], { ...env, ...init, ...backups, FOCUS_ROOT: folder, METRICS_COSTS: 'true' });
    const url = await server.url;
    const body = { name: 'Bills "1"', provider: 'focus', settings: { path: 'bills' } };
    const connected = await callApi(url, ['POST', '/accounts'], { token, body });
    const id = String(connected.body['id']);
    await vi.waitFor(async () => {
      const { body: now } = await callApi(url, ['GET', `/accounts/${id}`], { token });
      expect(now).toMatchObject({ sync_status: 'succeeded' });
    }, patient);
    const range = `start_date=${today}&end_date=${today}`;
    expect(await callApi(url, ['GET', `/costs?${range}&group_by=service`], { token })).toMatchObject({ status: 200 });
    expect(await callApi(url, ['GET', `/costs?${range}&group_by=resource`], { token })).toMatchObject({ status: 200 });
    await query(`INSERT INTO deliveries (id, organization_id, channel, recipient, kind, subject_key, content, status, created_at, next_attempt_at)
      SELECT gen_random_uuid(), id, 'email', 'ana@example.com', 'report', 'x', '{}', 'failed', now(), now() FROM organizations`);
    await query(`SELECT graphile_worker.add_job('nothing_known', run_at := now() - interval '90 seconds')`);
    // Values are kept for 10 seconds, so poll until all jobs of the sync are done.
    await vi.waitFor(async () => {
      text = await (await fetch(`${url}/metrics`)).text();
      expect(seriesOf('costkeep_notification_deliveries')).toHaveLength(1);
      expect(seriesOf('costkeep_jobs').filter((line) => line.includes('"nothing_known"'))).toHaveLength(1);
    }, patient);
    account = `account_id="${id}",account="Bills \\"1\\"",provider="focus"`;
    await expect(
      query(`SELECT 1 FROM pg_stat_activity WHERE query LIKE '%metrics: %' AND state LIKE 'idle in%'`),
    ).resolves.toEqual([]);
  });

  it('have the age, duration and size of the sync, by account', () => {
    expect(valueOf('costkeep_ready')).toBe(1);
    expect(valueOf(`costkeep_sync_age_seconds{${account}}`)).toBeLessThan(200);
    expect(valueOf(`costkeep_sync_last_duration_seconds{${account}}`)).toBeGreaterThan(0);
    expect(valueOf(`costkeep_sync_last_line_items{${account}}`)).toBe(2);
    expect(valueOf(`costkeep_loaded_line_items{${account}}`)).toBe(2);
    expect(seriesOf('costkeep_accounts')).toEqual(['costkeep_accounts{status="succeeded"} 1']);
  });

  it('have the cost of the month, by account and currency', () => {
    expect(seriesOf('costkeep_month_to_date_cost')).toEqual([
      `costkeep_month_to_date_cost{${account},currency="USD"} 3.75`,
    ]);
  });

  it('have jobs, the oldest due one, and notifications by result', () => {
    expect(valueOf('costkeep_jobs{kind="nothing_known",state="waiting"}')).toBe(1);
    const waited = valueOf('costkeep_job_oldest_waiting_seconds{kind="nothing_known"}');
    expect(waited).toBeGreaterThanOrEqual(90);
    expect(waited).toBeLessThan(300);
    expect(valueOf('costkeep_notification_deliveries{channel="email",result="failed"}')).toBe(1);
  });

  it('have the failed jobs of every kind, so that the first failure is an increase', () => {
    const failed = seriesOf('costkeep_jobs').filter((line) => line.includes('state="failed"'));
    expect(failed.toSorted()).toEqual(
      Object.keys(jobKinds)
        .map((kind) => `costkeep_jobs{kind="${kind}",state="failed"} 0`)
        .toSorted(),
    );
  });

  it('have answers by source, and the memory of the engine', () => {
    expect(valueOf('costkeep_cost_answers_total{plan="rollups"}')).toBeGreaterThan(0);
    expect(valueOf('costkeep_cost_answers_total{plan="facts"}')).toBeGreaterThan(0);
    expect(valueOf('fact_engine_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(valueOf('costkeep_data_free_bytes')).toBeLessThanOrEqual(valueOf('costkeep_data_size_bytes') ?? 0);
  });

  it('have help, and names as Prometheus recommends', () => {
    const own = [...text.matchAll(/^# TYPE (costkeep_\w+) (\w+)$/gm)].map(([, name = '', type = '']) => ({
      name,
      type,
    }));
    expect(own.length).toBeGreaterThan(10);
    for (const { name, type } of own) {
      expect(text).toMatch(new RegExp(`^# HELP ${name} \\w`, 'm'));
      expect({ name, isTotal: name.endsWith('_total') }).toEqual({ name, isTotal: type === 'counter' });
    }
  });

  describe('that deploy/grafana uses', () => {
    const expressions: string[] = [];
    beforeAll(() => {
      const dashboard: unknown = JSON.parse(
        readFileSync(path.join(root, 'deploy/grafana/costkeep-dashboard.json'), 'utf8'),
      );
      const alerts: unknown = parse(readFileSync(path.join(root, 'deploy/grafana/alerts.yaml'), 'utf8'));
      expressions.push(...expressionsIn(dashboard), ...expressionsIn(alerts));
    });

    it('exist', () => {
      expect(expressions.length).toBeGreaterThan(30);
      const known = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));
      const used = expressions.flatMap((one) => one.match(/\b(?:costkeep|fact|http|process|nodejs)_\w+/g) ?? []);
      const unknown = used.filter((name) => !known.has(name.replace(/_(bucket|count|sum)$/, '')));
      expect(unknown).toEqual([]);
    });

    it('have the labels that their expressions name', () => {
      const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, name = '']) => name));
      const given = new Set(['job', 'instance']);
      const used = expressions.flatMap((one) =>
        [...one.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(',').map((name) => name.trim())),
      );
      expect(used.filter((name) => !labels.has(name) && !given.has(name))).toEqual([]);
    });
  });
});

/** Every `expr` in a document, at any depth. */
function expressionsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(expressionsIn);
  if (typeof value !== 'object' || value === null) return [];
  const own = 'expr' in value && typeof value.expr === 'string' ? [value.expr] : [];
  return [...own, ...Object.values(value).flatMap(expressionsIn)];
}
