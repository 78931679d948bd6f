import { statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FactSet } from '../../src/engine/fact-set.ts';
import type { FactStore } from '../../src/engine/stores/fact-store.ts';
import { engineOver } from '../../src/engine/open.ts';
import { EngineProcess } from '../../src/engine/process.ts';
import { folderStore } from '../../src/engine/stores/folder.ts';
import { openLog } from '../../src/kit/log.ts';
import { aFolder } from './folder.ts';

const none = new FactSet({ organizationId: '11111111-1111-1111-1111-111111111111', userId: null }, [], []);

/** Runs for hours, and can be interrupted. */
const endless = 'SELECT count(*) AS n FROM range(10000000000) a(i), range(1000) b(j) WHERE hash(i + j) % 7 = 1';

/** An engine with its own process. */
function anEngine({
  memoryMiB = 256,
  timeoutMs = 30_000,
  store,
}: { memoryMiB?: number; timeoutMs?: number; store?: FactStore } = {}) {
  const folder = aFolder();
  const options = { folders: [folder], scratch: aFolder(), dataDir: folder, memoryMiB, threads: 2 };
  const process = new EngineProcess(options, openLog('silent'));
  onTestFinished(() => process.close());
  const parts = { store: store ?? folderStore(folder), log: openLog('silent'), timeoutMs };
  const engine = engineOver({ ...parts, process, onClose: () => process.close() });
  const ask = (sql: string, more = {}) => engine.rows<Record<string, unknown>>(none, { name: 'test', sql, ...more });
  return { engine, process, ask };
}

/** The reason a promise is rejected with. */
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

const unavailable = (message: RegExp) =>
  expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', message: expect.stringMatching(message) });

describe('batches', () => {
  const long = { name: 'test', sql: 'SELECT i::INTEGER AS i FROM range(100000) t(i) ORDER BY i' };

  it('arrive in order, in batches of limited size', async () => {
    const { engine } = anEngine();
    const sizes: number[] = [];
    let next = 0;
    for await (const rows of engine.batches<{ i: number }>(none, long)) {
      sizes.push(rows.length);
      for (const { i } of rows) expect(i).toBe(next++);
    }
    expect(next).toBe(100_000);
    expect(Math.max(...sizes)).toBeLessThan(4100);
  });

  it('wait for their reader while other queries run', async () => {
    const { engine, ask } = anEngine();
    const open = Array.from({ length: 5 }, () => engine.batches<{ i: number }>(none, long));
    for (const one of open) expect((await one.next()).value?.[0]).toEqual({ i: 0 });
    expect(await ask('SELECT 1::INTEGER AS one')).toEqual([{ one: 1 }]);
    for (const one of open) {
      let rows = 0;
      for await (const batch of one) rows += batch.length;
      expect(rows).toBeGreaterThan(90_000);
    }
  });

  it('stay separate for engines that share a process', async () => {
    const { engine, process } = anEngine();
    const parts = { process, store: folderStore(aFolder()), log: openLog('silent'), timeoutMs: 30_000 };
    const other = engineOver({ ...parts, onClose: () => process.close() });
    const readAll = async (from: typeof engine, start: number) => {
      const sql = `SELECT i::INTEGER AS i FROM range(${start}, ${start + 5000}) t(i) ORDER BY i`;
      const read: number[] = [];
      for await (const rows of from.batches<{ i: number }>(none, { name: 'test', sql }))
        read.push(...rows.map(({ i }) => i));
      expect(read).toEqual(Array.from({ length: 5000 }, (_, index) => start + index));
    };
    for (let turn = 0; turn < 20; turn += 1) await Promise.all([readAll(engine, turn), readAll(other, turn + 100_000)]);
    expect(process.restarts).toBe(0);
  });

  it.each([1, Infinity])('free their memory after %d batches were read', async (most) => {
    const { engine, ask } = anEngine();
    for (let turn = 0; turn < 10; turn += 1) {
      let read = 0;
      for await (const rows of engine.batches(none, long)) {
        expect(rows.length).toBeGreaterThan(0);
        if (++read >= most) break;
      }
    }
    const held = `SELECT sum(memory_usage_bytes)::DOUBLE AS bytes FROM duckdb_memory() WHERE tag = 'IN_MEMORY_TABLE'`;
    const [memory] = await ask(held);
    expect(memory?.['bytes']).toBeLessThan(1_500_000);
  });

  it('can exceed the memory limit in total', async () => {
    const { engine, process } = anEngine({ memoryMiB: 128 });
    const sql = `SELECT i, repeat(md5(i::VARCHAR), 20) AS text FROM range(400000) t(i)`;
    let rows = 0;
    for await (const batch of engine.batches(none, { name: 'test', sql })) rows += batch.length;
    expect(rows).toBe(400_000);
    const status = await readFile(`/proc/${process.pid}/status`, 'utf8').catch(() => 'VmHWM: 0 kB');
    expect(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1])).toBeLessThan(700 * 1024);
  }, 120_000);

  it('fail when the query fails midway, instead of ending early', async () => {
    const { ask } = anEngine();
    const failing = `SELECT CASE WHEN i = 1500000 THEN ('x' || i)::INTEGER ELSE i END AS v FROM range(2000000) t(i)`;
    await expect(ask(failing)).rejects.toThrow(/Conversion Error/);
  });
});

describe('written result', () => {
  it('is a file in the scratch folder', async () => {
    const { engine, process, ask } = anEngine();
    const query = { name: 'test', sql: `SELECT i, 'a,b' AS text FROM range($n) t(i)`, parameters: { n: 3 } };
    const csv = await engine.write(none, query, 'csv');
    expect(csv.startsWith(process.options.scratch)).toBe(true);
    expect(await readFile(csv, 'utf8')).toBe('i,text\n0,"a,b"\n1,"a,b"\n2,"a,b"\n');
    const parquet = await engine.write(none, query, 'parquet');
    expect(statSync(parquet).size).toBeGreaterThan(100);
    expect(await ask(`SELECT count(*)::INTEGER AS n FROM read_parquet('${parquet}')`)).toEqual([{ n: 3 }]);
  });
});

describe('endless query', () => {
  it('stops when its signal is aborted, and frees its slot', async () => {
    const { ask } = anEngine();
    const leaving = new AbortController();
    const asked = [1, 2].map(() => ask(endless, { signal: leaving.signal }));
    const waiting = ask('SELECT 1::INTEGER AS one');
    setTimeout(() => leaving.abort(new Error('the client left')), 300);
    await Promise.all(asked.map((one) => expect(one).rejects.toThrow('the client left')));
    expect(await waiting).toEqual([{ one: 1 }]);
    await expect(ask('SELECT 1', { signal: leaving.signal })).rejects.toThrow('the client left');
  });

  it('stops however early it is aborted', async () => {
    const { ask, process } = anEngine();
    await ask('SELECT 1');
    for (let afterMs = 0; afterMs < 40; afterMs += 1) {
      const leaving = new AbortController();
      const asked = failureOf(ask(endless, { signal: leaving.signal }));
      await sleep(afterMs / 4);
      leaving.abort(new Error('the client left'));
      expect(await asked).toEqual(new Error('the client left'));
    }
    expect(await ask('SELECT 1::INTEGER AS one')).toEqual([{ one: 1 }]);
    expect(process.restarts).toBe(0);
  });

  it('stops at the time limit with a message that suggests what to narrow', async () => {
    const { ask, process } = anEngine({ timeoutMs: 400 });
    await expect(ask(endless)).rejects.toEqual(
      unavailable(/longer than 0.4 seconds; request fewer.*ENGINE_TIMEOUT_SECONDS/),
    );
    expect(await ask('SELECT 1::INTEGER AS one')).toEqual([{ one: 1 }]);
    expect(process.restarts).toBe(0);
  });

  it('has no request time limit in a job', async () => {
    const { ask } = anEngine({ timeoutMs: 100 });
    const slow = `SELECT count(*)::INTEGER AS n FROM range(4000000) a(i) WHERE md5(i::VARCHAR) LIKE 'x%'`;
    expect(await ask(slow, { lane: 'job' })).toEqual([{ n: 0 }]);
  });
});

describe('query that exceeds the memory limit', () => {
  it('fails with a message that suggests what to narrow, and the next query runs', async () => {
    const { ask, process } = anEngine({ memoryMiB: 64 });
    const large = `SELECT list(md5(i::VARCHAR)) AS all_of_them FROM range(5000000) t(i)`;
    await expect(ask(large)).rejects.toEqual(unavailable(/more memory.*fewer days.*ENGINE_MEMORY_MIB \(now 64\)/));
    expect(await ask('SELECT 1::INTEGER AS one')).toEqual([{ one: 1 }]);
    expect(process.restarts).toBe(0);
  });
});

describe('sum beyond the exact range', () => {
  it.each([
    ['when amounts are added up', 'SELECT sum(x) FROM (SELECT 9e25::DECIMAL(38,12) AS x FROM range(3))'],
    ['when they are converted', 'SELECT 1e15::DECIMAL(38,12)::DECIMAL(38,24)'],
    ['when they are multiplied by a rate', 'SELECT x * 160::DECIMAL(38,12) FROM (SELECT 1e13::DECIMAL(38,12) AS x)'],
  ])('is rejected %s', async (_, sql) => {
    const message = expect.stringMatching(/too many digits.*fewer days/);
    await expect(anEngine().ask(sql)).rejects.toEqual(expect.objectContaining({ code: 'VALIDATION_ERROR', message }));
  });
});

describe('engine process that dies', () => {
  const kill = async (engine: EngineProcess) => {
    await vi.waitFor(() => expect(engine.pid).toBeDefined());
    globalThis.process.kill(engine.pid ?? 0, 'SIGKILL');
  };

  it('is restarted, and retries the running query', async () => {
    const { ask, process } = anEngine();
    const slow = `SELECT count(*)::INTEGER AS n FROM range(8000000) a(i) WHERE md5(i::VARCHAR) LIKE 'x%'`;
    const asked = ask(slow);
    await sleep(700);
    await kill(process);
    expect(await asked).toEqual([{ n: 0 }]);
    expect(process.restarts).toBe(1);
  });

  it('fails a query that kills it twice, but no later query', async () => {
    const { ask, process } = anEngine();
    const asked = failureOf(ask(endless));
    await sleep(700);
    await kill(process);
    await vi.waitFor(() => expect(process.restarts).toBe(1));
    await sleep(700);
    await kill(process);
    expect(await asked).toEqual(unavailable(/stopped during the query; try again/));
    expect(await ask('SELECT 1::INTEGER AS one')).toEqual([{ one: 1 }]);
    expect(process.restarts).toBe(2);
  });

  it('fails a query that has already returned rows', async () => {
    const { engine, process } = anEngine();
    const batches = engine.batches(none, { name: 'test', sql: 'SELECT i FROM range(100000) t(i)' });
    await batches.next();
    await kill(process);
    await expect(batches.next()).rejects.toEqual(unavailable(/try again/));
  });

  it('stays down after the engine was closed', async () => {
    const { engine, ask } = anEngine();
    await ask('SELECT 1');
    const asked = failureOf(ask(endless));
    await sleep(50);
    await engine.close();
    expect(await asked).toEqual(unavailable(/stopped/));
    await expect(ask('SELECT 1')).rejects.toEqual(unavailable(/stopped/));
  });
});

describe('damaged file', () => {
  it('makes the data unavailable without revealing a path', async () => {
    const { ask, process } = anEngine();
    const [folder] = process.options.folders;
    writeFileSync(`${folder}/a.parquet`, 'PAR1 and then nothing that is Parquet');
    const broken = ask(`SELECT * FROM read_parquet('${folder}/a.parquet')`);
    await expect(broken).rejects.toEqual(unavailable(/^The cost data in the fact files cannot be read now/));
  });
});
