import { utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectRetired, collectStrays } from '../../../src/engine/stores/collect.ts';
import { inTransaction } from '../../../src/kit/database/transaction.ts';
import { retireFacts } from '../../../src/kit/database/retire-facts.ts';
import { aFolder } from '../folder.ts';
import { engineWorld } from '../world.ts';

const { signal } = new AbortController();
const now = new Date('2026-11-22T04:27:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

/** An account with two months of facts. */
async function aWorld() {
  const world = await engineWorld();
  const { id, accountIds } = await world.organization(1);
  const [account = ''] = accountIds;
  for (const month of ['2026-01', '2026-02'] as const)
    await world.write(id, account, month, [{ ChargePeriodStart: `${month}-05` }]);
  const { deps } = world;
  const keys = async () => {
    const found: string[] = [];
    for await (const { key } of deps.factStore.list()) found.push(key);
    return found.sort();
  };
  const retire = (month: '2026-01' | null, at: Date) =>
    inTransaction(deps.pool, async (client) => {
      await retireFacts(client, { organizationId: id, accountId: account, month }, at);
      await client.query(`UPDATE billing_periods SET facts = '[]' WHERE $1::date IS NULL OR period = $1`, [
        month && `${month}-01`,
      ]);
    });
  const stray = async (key: string, ageMinutes: number) => {
    const file = path.join(aFolder(), 'stray');
    writeFileSync(file, 'stray');
    utimesSync(file, minutesAgo(ageMinutes), minutesAgo(ageMinutes));
    await deps.factStore.put(key, file);
    return key;
  };
  return { ...world, id, account, keys, retire, stray };
}

describe('collectRetired', () => {
  it('deletes retired files after 15 minutes and keeps those of other months', async () => {
    const { deps, keys, retire } = await aWorld();
    const before = await keys();
    await retire('2026-01', minutesAgo(14.9));
    expect(await collectRetired(deps, now, signal)).toBe(0);
    expect(await keys()).toEqual(before);
    expect(await collectRetired(deps, new Date(now.getTime() + 60_000), signal)).toBe(2);
    expect(await keys()).toEqual(before.filter((key) => key.includes('/2026-02/')));
    expect((await deps.pool.query('SELECT * FROM retired_fact_files')).rows).toEqual([]);
    expect(await collectRetired(deps, now, signal)).toBe(0);
  });

  it('keeps files that a billing month refers to', async () => {
    const { deps, keys, id } = await aWorld();
    const before = await keys();
    await inTransaction(deps.pool, (client) =>
      retireFacts(client, { organizationId: id, accountId: null, month: null }, minutesAgo(60)),
    );
    expect(await collectRetired(deps, now, signal)).toBe(0);
    expect(await keys()).toEqual(before);
  });

  it('restarts the 15 minutes of a file that was retired, referenced again and is retired now', async () => {
    const { deps, keys, retire } = await aWorld();
    await deps.pool.query(
      `INSERT INTO retired_fact_files SELECT file->>'key', $1 FROM billing_periods, jsonb_array_elements(facts) AS file`,
      [minutesAgo(60)],
    );
    await retire('2026-01', minutesAgo(14.9));
    const before = await keys();
    expect(await collectRetired(deps, now, signal)).toBe(0);
    expect(await keys()).toEqual(before);
  });

  it('retires files once, only of the given organization and account', async () => {
    const { deps, organization, write, retire } = await aWorld();
    const other = await organization(1);
    await write(other.id, other.accountIds[0] ?? '', '2026-01', [{ ChargePeriodStart: '2026-01-05' }]);
    await retire('2026-01', minutesAgo(60));
    await retire(null, minutesAgo(1));
    const { rows } = await deps.pool.query('SELECT retired_at FROM retired_fact_files ORDER BY 1');
    expect(rows.map((row: { retired_at: Date }) => row.retired_at)).toEqual([60, 60, 1, 1].map(minutesAgo));
  });
});

describe('collectStrays', () => {
  it('deletes unreferenced files of known accounts after a day', async () => {
    const { deps, keys, stray, account } = await aWorld();
    const used = await keys();
    const young = await stray(`${account}/2026-01/young-days-0.parquet`, 23 * 60);
    const foreign = await stray('0198c1a0-0000-7000-8000-000000000000/2026-01/foreign-days-0.parquet', 9000);
    const unrelated = await stray('photos/holiday.jpg', 9000);
    await stray(`${account}/2026-01/old-days-0.parquet`, 25 * 60);
    await stray(`${account}/2026-03/older-months-0.parquet.0198c1a0.part`, 90 * 60);

    expect(await collectStrays(deps, now, signal)).toBe(2);
    expect(await keys()).toEqual([...used, young, foreign, unrelated].sort());
  });

  it('keeps retired files: their grace period may not be over', async () => {
    const { deps, keys, retire, stray, account } = await aWorld();
    await retire(null, minutesAgo(1));
    const key = await stray(`${account}/2026-01/old-days-0.parquet`, 9000);
    await deps.pool.query(`INSERT INTO retired_fact_files VALUES ($1, $2)`, [key, minutesAgo(1)]);
    expect(await collectStrays(deps, now, signal)).toBe(0);
    expect(await keys()).toContain(key);
  });
});
