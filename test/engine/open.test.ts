import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { FactSet } from '../../src/engine/fact-set.ts';
import { engineOver, openEngine } from '../../src/engine/open.ts';
import { EngineProcess } from '../../src/engine/process.ts';
import { folderStore } from '../../src/engine/stores/folder.ts';
import { readConfig } from '../../src/kit/config/config.ts';
import { openLog } from '../../src/kit/log.ts';
import { aFolder } from './folder.ts';
import { engineWorld } from './world.ts';

const none = new FactSet({ organizationId: '11111111-1111-1111-1111-111111111111', userId: null }, [], []);
const root = path.resolve(import.meta.dirname, '../..');

describe('openEngine', () => {
  it('creates its own scratch folder, and removes those of dead servers', async () => {
    const dataDir = aFolder();
    const scratch = path.join(dataDir, 'engine');
    const gone = path.join(scratch, '4194305-abcdef');
    const alive = path.join(scratch, `${process.ppid}-abcdef`);
    for (const folder of [gone, alive]) mkdirSync(folder, { recursive: true });
    const store = folderStore(path.join(dataDir, 'facts'));
    const config = readConfig({ DATA_DIR: dataDir, ENGINE_MEMORY_MIB: '100' });
    const [one, other] = [openEngine(config, store, openLog('silent')), openEngine(config, store, openLog('silent'))];
    expect([existsSync(gone), existsSync(alive), readdirSync(scratch).length]).toEqual([false, true, 3]);
    const file = await one.write(none, { name: 'test', sql: 'SELECT 1 AS one' }, 'csv');
    expect(path.dirname(path.dirname(file))).toBe(scratch);
    await one.close();
    expect([existsSync(file), readdirSync(scratch).length]).toEqual([false, 2]);
    await other.close();
  });

  it('applies the configured limits', async () => {
    const config = readConfig({ DATA_DIR: aFolder(), ENGINE_MEMORY_MIB: '100', ENGINE_THREADS: '3' });
    const engine = openEngine(config, folderStore(aFolder()), openLog('silent'));
    const sql = `SELECT current_setting('memory_limit') AS memory, current_setting('threads') AS threads,
      current_setting('TimeZone') AS zone, current_setting('enable_external_access') AS access`;
    const limits = { memory: '100.0 MiB', threads: '3', zone: 'UTC', access: false };
    expect(await engine.rows(none, { name: 'test', sql })).toEqual([limits]);
    await engine.close();
  });

  it.runIf(process.platform === 'linux')('runs every thread at a lower priority than the server', async () => {
    const own = new EngineProcess(
      { folders: [], scratch: aFolder(), dataDir: aFolder(), memoryMiB: 100, threads: 2 },
      openLog('silent'),
    );
    const engine = engineOver({
      process: own,
      store: folderStore(aFolder()),
      log: openLog('silent'),
      timeoutMs: 30_000,
      onClose: () => own.close(),
    });
    await engine.rows(none, { name: 'test', sql: 'SELECT count(*) AS n FROM range(1000000)' });
    const tasks = `/proc/${own.pid}/task`;
    const niceness = readdirSync(tasks).map((id) =>
      Number(
        readFileSync(`${tasks}/${id}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')[16],
      ),
    );
    expect(niceness.length).toBeGreaterThan(2);
    expect(new Set(niceness)).toEqual(new Set([os.getPriority() + 10]));
    await engine.close();
  });

  it('keeps no process alive, and stops its own with the server', async () => {
    const dataDir = aFolder();
    const script = `
      import { FactSet } from '${root}/src/engine/fact-set.ts';
      import { EngineProcess } from '${root}/src/engine/process.ts';
      import { engineOver } from '${root}/src/engine/open.ts';
      import { folderStore } from '${root}/src/engine/stores/folder.ts';
      import { openLog } from '${root}/src/kit/log.ts';
      const log = openLog('silent');
      const options = { folders: ['${dataDir}'], scratch: '${dataDir}', dataDir: '${dataDir}', memoryMiB: 100, threads: 1 };
      const engineProcess = new EngineProcess(options, log);
      const engine = engineOver({ process: engineProcess, store: folderStore('${dataDir}'), log, timeoutMs: 30_000 });
      const rows = await engine.rows(new FactSet({ organizationId: 'a', userId: null }, [], []), { name: 'test', sql: 'SELECT 7::INTEGER AS seven' });
      console.log(JSON.stringify([rows, engineProcess.pid]));`;
    const ran = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { timeout: 30_000 });
    const [rows, pid] = JSON.parse(ran.stdout) as [unknown, number];
    expect(rows).toEqual([{ seven: 7 }]);
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  });
});

describe('fact file that is missing or truncated', () => {
  it('is named by account, month and remedy, counted as damaged and logged once', async () => {
    const { deps, set, write, organization, ask } = await engineWorld();
    const { id, accountIds } = await organization(1);
    await write(id, accountIds[0] ?? '', '2026-01', [{ ChargePeriodStart: '2026-01-05' }]);
    const facts = await set(id);
    const sum = 'SELECT sum(EffectiveCost) AS cost FROM facts';
    expect(await ask(facts, sum)).toEqual([{ cost: '0.00000000' }]);
    const lost = vi.spyOn(deps.log, 'error');
    const expectLost = (damage: RegExp) =>
      expect(ask(facts, sum)).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        message: expect.stringMatching(
          `^The cost data of account "${accountIds[0]}" for 2026-01 cannot be read: a file ${damage.source}; have the operator restore it from a backup, or delete the account`,
        ),
        headers: {},
      });
    const key = facts.parts[0]?.files[0]?.key ?? '';
    truncateSync(path.join(deps.factStore.folder, key), 20);
    await expectLost(/has 20 bytes where \d+ were written/);
    rmSync(deps.factStore.folder, { recursive: true });
    await expectLost(/is missing/);
    expect(lost.mock.calls).toEqual([
      [expect.objectContaining({ code: 'fact_file_lost', key }), 'A fact file is missing or damaged'],
    ]);
    const counted = (await deps.engine.metrics[0]?.get())?.values;
    expect(counted).toContainEqual(expect.objectContaining({ labels: { outcome: 'damaged' }, value: 2 }));
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
