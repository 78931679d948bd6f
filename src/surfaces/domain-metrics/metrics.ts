import { statfs } from 'node:fs/promises';
import { Gauge, type Metric } from 'prom-client';
import { jobKinds } from '../../jobs/kinds.ts';
import type { Deps } from '../../kit/deps.ts';
import { readiness } from '../readiness.ts';
import { readDomainState, type AccountRow, type DomainState, type JobRow } from './read.ts';

type MetricDeps = Pick<Deps, 'pool' | 'config' | 'clock' | 'log'>;

/** Metrics of accounts, jobs and notifications. */
export interface DomainMetrics {
  readonly all: readonly Metric[];
  /** Reads the values, unless they are recent. */
  refresh(): Promise<void>;
}

/** Cache lifetime of the values, in milliseconds: several scrapers cost no more than one. */
const keptMs = 10_000;

/** Creates the metrics that are read from the database at a scrape. While it is unavailable, only `costkeep_ready` and the
 *  disk have values. */
export function createDomainMetrics(deps: MetricDeps): DomainMetrics {
  const gauges = createGauges();
  let readAt = -Infinity;
  let reading: Promise<void> | null = null;
  const read = async () => {
    const [isReady, state, disk] = await Promise.all([isServerReady(deps), stateOf(deps), diskOf(deps.config.dataDir)]);
    for (const each of Object.values(gauges)) each.reset();
    gauges.ready.set(isReady ? 1 : 0);
    if (disk) {
      gauges.diskFree.set(disk.bavail * disk.bsize);
      gauges.diskSize.set(disk.blocks * disk.bsize);
    }
    if (state) show(gauges, state);
    readAt = performance.now();
  };
  const refresh = () => {
    if (performance.now() - readAt < keptMs) return Promise.resolve();
    reading ??= read().finally(() => (reading = null));
    return reading;
  };
  return { all: Object.values(gauges), refresh };
}

type Gauges = ReturnType<typeof createGauges>;

const ofAccount = ['account_id', 'account', 'provider'] as const;

function createGauges() {
  return {
    ready: gauge('costkeep_ready', 'Whether the server is ready (1) or not (0), as in /ready'),
    diskFree: gauge('costkeep_data_free_bytes', 'Free space on the disk of DATA_DIR'),
    diskSize: gauge('costkeep_data_size_bytes', 'Size of the disk of DATA_DIR'),
    accounts: gauge('costkeep_accounts', 'Connected accounts, by status of their sync', ['status']),
    age: gauge(
      'costkeep_sync_age_seconds',
      'Time since the last successful sync of an account; since its connection, if it had none',
      ofAccount,
    ),
    duration: gauge(
      'costkeep_sync_last_duration_seconds',
      'Duration of the last sync of an account; absent while one runs',
      ofAccount,
    ),
    rows: gauge('costkeep_sync_last_line_items', 'Line items that the last sync of an account read', ofAccount),
    lineItems: gauge('costkeep_loaded_line_items', 'Line items of the loaded billing months of an account', ofAccount),
    jobs: gauge('costkeep_jobs', 'Background jobs, by kind and state', ['kind', 'state']),
    oldest: gauge('costkeep_job_oldest_waiting_seconds', 'Time that the oldest due job of a kind has waited', ['kind']),
    deliveries: gauge('costkeep_notification_deliveries', 'Notifications of the last 24 hours, by channel and result', [
      'channel',
      'result',
    ]),
    cost: gauge(
      'costkeep_month_to_date_cost',
      'Effective cost of an account in the current month (UTC), in the currency of its bill; only with METRICS_COSTS',
      [...ofAccount, 'currency'],
    ),
  };
}

function gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Gauge<Label> {
  return new Gauge({ name, help, labelNames, registers: [] });
}

async function isServerReady(deps: MetricDeps): Promise<boolean> {
  return Object.values(await readiness(deps)).every((check) => check !== 'failed');
}

async function stateOf(deps: MetricDeps): Promise<DomainState | null> {
  try {
    return await readDomainState(deps);
  } catch (err) {
    deps.log.warn({ err }, 'Metrics could not be read from the database');
    return null;
  }
}

async function diskOf(folder: string) {
  return statfs(folder).catch(() => null);
}

function show(gauges: Gauges, { accounts, statuses, jobs, deliveries, costs }: DomainState): void {
  for (const { status, accounts: count } of statuses) gauges.accounts.set({ status }, count);
  for (const account of accounts) showAccount(gauges, account);
  // A series that begins with the first failure would show no increase.
  for (const kind of Object.keys(jobKinds)) gauges.jobs.set({ kind, state: 'failed' }, 0);
  for (const { kind, state, jobs: count } of jobs) gauges.jobs.set({ kind, state }, count);
  for (const [kind, seconds] of oldestByKind(jobs)) gauges.oldest.set({ kind }, seconds);
  for (const { channel, result, deliveries: count } of deliveries) gauges.deliveries.set({ channel, result }, count);
  const byId = new Map(accounts.map((account) => [account.id, account]));
  for (const { accountId, currency, cost } of costs) {
    const account = byId.get(accountId);
    if (account) gauges.cost.set({ ...labelsOf(account), currency }, cost);
  }
}

function showAccount(gauges: Gauges, account: AccountRow): void {
  const labels = labelsOf(account);
  gauges.age.set(labels, account.age);
  gauges.lineItems.set(labels, account.lineItems);
  if (account.duration !== null) gauges.duration.set(labels, account.duration);
  if (account.rows !== null) gauges.rows.set(labels, account.rows);
}

function labelsOf({ id, name, provider }: AccountRow) {
  return { account_id: id, account: name, provider };
}

/** The longest wait of each kind: a kind can have waiting and retrying jobs. */
function oldestByKind(jobs: readonly JobRow[]): Map<string, number> {
  const oldest = new Map<string, number>();
  for (const { kind, oldest: seconds } of jobs)
    if (seconds !== null) oldest.set(kind, Math.max(seconds, oldest.get(kind) ?? 0));
  return oldest;
}
