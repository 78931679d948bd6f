import { Registry } from 'prom-client';
import { describe, expect, it, vi } from 'vitest';
import type { Deps } from '../../src/kit/deps.ts';
import { createDomainMetrics } from '../../src/surfaces/domain-metrics/metrics.ts';
import { maxAccounts } from '../../src/surfaces/domain-metrics/read.ts';
import { aWorld, type World } from '../support/world.ts';

/** The metrics of a server, and their text. */
function metricsOf(deps: Deps) {
  const registry = new Registry();
  const { all, refresh } = createDomainMetrics(deps);
  for (const metric of all) registry.registerMetric(metric);
  const text = async () => {
    await refresh();
    return registry.metrics();
  };
  return { refresh, text };
}

/** Connects accounts that synced 1, 2, 3 … hours ago. */
async function connect({ deps, register }: World, count: number): Promise<void> {
  await register();
  await deps.pool.query(
    `INSERT INTO accounts (id, organization_id, name, provider, external_id)
     SELECT gen_random_uuid(), o.id, 'a' || n, 'focus', 'x' || n FROM organizations o, generate_series(1, $1::int) n`,
    [count],
  );
  await deps.pool.query(
    `INSERT INTO account_syncs (account_id, organization_id, status, last_synced_at)
     SELECT id, organization_id, 'succeeded', now() - substr(name, 2)::int * interval '1 hour' FROM accounts`,
  );
}

describe('metrics from the database', () => {
  it('are read once for scrapes that are close together', async () => {
    const { deps } = await aWorld();
    const { refresh } = metricsOf(deps);
    const begun = vi.spyOn(deps.pool, 'connect');
    await Promise.all([refresh(), refresh()]);
    const once = begun.mock.calls.length;
    expect(once).toBeGreaterThan(0);
    await refresh();
    expect(begun).toHaveBeenCalledTimes(once);
    begun.mockRestore();
  });

  it('have at most 500 accounts, those with the oldest syncs, and no costs by default', async () => {
    const world = await aWorld();
    await connect(world, maxAccounts + 1);
    const text = await metricsOf(world.deps).text();
    const series = text.match(/^costkeep_sync_age_seconds\{.*$/gm) ?? [];
    expect(series).toHaveLength(maxAccounts);
    expect(series.filter((line) => line.includes('account="a1",'))).toEqual([]);
    const oldest = series.find((line) => line.includes('account="a501",'));
    expect(Number(oldest?.split(' ').at(-1)) / 3600).toBeCloseTo(501, 1);
    expect(text).toContain('costkeep_accounts{status="succeeded"} 501\n');
    expect(text).not.toMatch(/^costkeep_month_to_date_cost\{/m);
  });

  it('say that the server is not ready while the database is unavailable, and show no old values', async () => {
    const world = await aWorld();
    await connect(world, 1);
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { text } = metricsOf(world.deps);
      expect(await text()).toMatch(/^costkeep_sync_age_seconds\{/m);
      vi.advanceTimersByTime(60_000);
      vi.spyOn(world.deps.pool, 'query').mockRejectedValue(new Error('gone'));
      vi.spyOn(world.deps.pool, 'connect').mockRejectedValue(new Error('gone'));
      const now = await text();
      expect(now).toContain('costkeep_ready 0\n');
      expect(now).not.toMatch(/^costkeep_sync_age_seconds\{/m);
    } finally {
      vi.useRealTimers();
      vi.restoreAllMocks();
    }
  });
});
