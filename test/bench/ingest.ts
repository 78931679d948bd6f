import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { monthFiles } from './focus-files.ts';
import { MemoryWatch, memoryMiB, timed } from './measure.ts';
import { load, type Running } from './server.ts';

/** The duration of DuckDB alone to read and aggregate the same files, in its own process. */
export interface Reference {
  /** Facts and rollups. */
  ms: number;
  /** Only facts. */
  factsMs: number;
  peakMiB: number;
}

/** DuckDB reading the same columns of the same files, and aggregating them to the same facts and rollups. */
async function duckdbReference(folder: string): Promise<Reference> {
  const child = fork(new URL('./duckdb-reference.ts', import.meta.url), [folder, String(monthFiles)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [message]: Omit<Reference, 'peakMiB'>[] = await once(child, 'message');
  const peakMiB = memoryMiB(child.pid ?? 0).peak;
  child.kill();
  return { ms: message?.ms ?? NaN, factsMs: message?.factsMs ?? NaN, peakMiB };
}

/** One load by the running server, with the reference before and after it. Awaits `onLoaded` after the load, before the
 *  reference runs again. */
export async function measureIngest(
  server: Running,
  token: string,
  { root, folder, rows, onLoaded }: { root: string; folder: string; rows: number; onLoaded?: () => Promise<void> },
) {
  const before = await duckdbReference(join(root, folder));
  const watch = new MemoryWatch(server.pid);
  const { ms } = await timed(() => load(server, token, folder));
  watch.stop();
  await onLoaded?.();
  const after = await duckdbReference(join(root, folder));
  const reference = Math.min(before.ms, after.ms);
  return {
    'line items': String(rows),
    'DuckDB alone, rows/s': (rows / reference) * 1000,
    'ingest, rows/s': (rows / ms) * 1000,
    'ingest / DuckDB': reference / ms,
    '(its facts alone)': Math.min(before.factsMs, after.factsMs) / ms,
    'DuckDB peak MiB': before.peakMiB,
    'loader peak MiB': watch.children,
    'server peak MiB': watch.own,
  };
}
