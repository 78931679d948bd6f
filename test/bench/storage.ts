import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { addMonths, lastDay } from '../../src/kit/time/period.ts';
import { writerTo } from '../support/clouds/s3.ts';
import { exportMonths, layExport } from './export-tree.ts';
import { firstMonth, monthFiles, writeFocusFiles } from './focus-files.ts';
import { MemoryWatch, cpuSecondsOfTree, forgetPeak, printTable, timed } from './measure.ts';
import { connect, register, rest, type Running, start, synced } from './server.ts';

const keys = { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'x'.repeat(40) };
const allMonths = `start_date=${firstMonth}-01&end_date=${lastDay(addMonths(firstMonth, exportMonths - 1))}`;
/** Loads of each kind, alternating. The same load takes 50% longer on a machine with busy neighbours, so each is
 *  compared with the previous one, and the median of the ratios counts. */
const rounds = 5;

/** Compares the same export of 12 months, read from a local folder and from S3, alternating. `millions` is the number
 *  of line items. */
export async function measureStorage(
  serve: readonly string[],
  { env, root, millions }: { env: Record<string, string>; root: string; millions: readonly number[] },
): Promise<void> {
  const store = join(root, 's3');
  await rm(store, { recursive: true, force: true });
  const { child, url } = await startStore(store);
  const server = await start(serve, { ...env, FOCUS_ENDPOINTS: url }, '/ready');
  try {
    for (const each of millions) {
      const rows = each * 1_000_000;
      const name = `export-${rows}`;
      const files = join(root, `focus-${exportMonths}-${rows}`);
      await writeFocusFiles(files, Math.round((rows * monthFiles) / exportMonths));
      await layExport(files, join(root, name));
      await upload(url, join(root, name), name);
      printTable(`An export of 12 months, ${each} million line items`, [
        await compare(server, child, { url, name, rows }),
      ]);
    }
  } finally {
    await server.stop();
    child.kill();
    await rm(store, { recursive: true, force: true });
  }
}

async function compare(server: Running, store: ChildProcess, it: { url: string; name: string; rows: number }) {
  const local = { provider: 'focus', settings: { path: it.name } };
  const bucket = { bucket: 'bills', prefix: it.name, endpoint: it.url, region: 'us-east-1' };
  const remote = { provider: 'focus', credentials: keys, settings: bucket };
  const runs = { local: [] as Load[], remote: [] as (Load & { storeCpuSeconds: number })[] };
  for (let round = 0; round < rounds; round++) {
    runs.local.push(await loadOnce(server, local));
    await sinceLast(store);
    const load = await loadOnce(server, remote);
    runs.remote.push({ ...load, storeCpuSeconds: (await sinceLast(store)).cpuSeconds });
  }
  const [folder, s3] = [fastest(runs.local), fastest(runs.remote)];
  const ratios = runs.local.map(({ ms }, round) => ms / (runs.remote[round]?.ms ?? NaN)).sort((a, b) => a - b);
  if (folder.costs !== s3.costs) throw new Error('the costs read from the bucket differ from those of the folder');
  await sinceLast(store);
  await rest(server, `POST /accounts/${s3.accountId}/sync`, s3.token);
  await synced(server, s3.token, s3.accountId);
  return {
    'line items': String(it.rows),
    'folder, rows/s': (it.rows / folder.ms) * 1000,
    'S3, rows/s': (it.rows / s3.ms) * 1000,
    'S3 / folder': ratios[Math.floor(rounds / 2)] ?? NaN,
    'of each round': ratios.map((ratio) => ratio.toFixed(2)).join(' '),
    // Only these are comparable on a busy machine; the work of the database is the same.
    'folder, CPU s': folder.cpuSeconds,
    'S3, CPU s': s3.cpuSeconds,
    // It runs on the same cores, unlike a real S3.
    'S3 itself, CPU s': s3.storeCpuSeconds,
    'server MiB': s3.memory.own,
    'loader MiB': s3.memory.children,
    'connector MiB': s3.memory.connector,
    'folder: server, loader MiB': `${folder.memory.own.toFixed(0)}, ${folder.memory.children.toFixed(0)}`,
    'calls of an unchanged sync': (await sinceLast(store)).calls,
  };
}

interface Load {
  readonly ms: number;
  /** Of the server and the processes started for the load. */
  readonly cpuSeconds: number;
  readonly memory: MemoryWatch;
  readonly token: string;
  readonly accountId: string;
  /** The loaded data as returned by the API. */
  readonly costs: string;
}

async function loadOnce(server: Running, source: object): Promise<Load> {
  const token = await register(server);
  forgetPeak(server.pid);
  const memory = new MemoryWatch(server.pid);
  const cpuBefore = cpuSecondsOfTree(server.pid);
  const loaded = timed(() => connect(server, token, { name: 'bench', ...source }));
  const { ms, result } = await loaded.finally(() => memory.stop());
  const cpuSeconds = cpuSecondsOfTree(server.pid) - cpuBefore;
  const costs = await rest<{ data: object }>(server, `GET /costs/by-service?${allMonths}`, token);
  return { ms, cpuSeconds, memory, token, accountId: result.id, costs: JSON.stringify(costs.data) };
}

function fastest<L extends Load>(loads: readonly L[]): L {
  const [best] = loads.toSorted((a, b) => a.ms - b.ms);
  if (!best) throw new Error('nothing was measured');
  return best;
}

async function startStore(folder: string): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(new URL('./s3-process.ts', import.meta.url), [folder]);
  const [message]: { url: string }[] = await once(child, 'message');
  return { child, url: message?.url ?? '' };
}

/** Requests and their cost in the store, since the last call. */
async function sinceLast(child: ChildProcess): Promise<{ calls: number; cpuSeconds: number }> {
  const answer = once(child, 'message');
  child.send('since the last time');
  const [message]: { calls: number; cpuSeconds: number }[] = await answer;
  return message ?? { calls: NaN, cpuSeconds: NaN };
}

const partBytes = 8 * 1024 * 1024;

/** Copies a folder into the bucket, in parts like large objects. */
async function upload(url: string, folder: string, prefix: string): Promise<void> {
  const writer = writerTo(url);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const object = { Bucket: 'bills', Key: `${prefix}/${relative(folder, file).split(sep).join('/')}` };
    await uploadParts(writer, object, await readFile(file));
  }
  writer.destroy();
}

async function uploadParts(writer: S3Client, object: { Bucket: string; Key: string }, body: Buffer): Promise<void> {
  const { UploadId } = await writer.send(new CreateMultipartUploadCommand(object));
  const parts = { ...object, UploadId };
  const Parts = [];
  for (let at = 0; at < body.length; at += partBytes) {
    const PartNumber = at / partBytes + 1;
    const Body = body.subarray(at, at + partBytes);
    const { ETag } = await writer.send(new UploadPartCommand({ ...parts, PartNumber, Body }));
    Parts.push({ PartNumber, ETag });
  }
  await writer.send(new CompleteMultipartUploadCommand({ ...parts, MultipartUpload: { Parts } }));
}
