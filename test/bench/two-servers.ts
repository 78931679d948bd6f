import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { findPrograms, startServerPostgres } from '../support/server-postgres.ts';
import { writeFocusFiles } from './focus-files.ts';
import { goalRows } from './goals.ts';
import { printTable } from './measure.ts';
import { byService, type Contender, connections } from './requests.ts';
import { load, register, start, type Running } from './server.ts';

const lineItems = 100_000;
const burstSeconds = 4;
const bursts = 4;

/** Each server gets this share of one processor, so that two servers, the database and the clients fit on two. */
const share = 0.2;
const sliceMs = 20;

/** Throughput of two servers relative to one. */
const least = 1.7;

/** Compares the requests per second of one server with those of two on the same PostgreSQL and fact files. Every server is
 *  stopped for 80% of each 20 milliseconds, as if its machine were slower: otherwise the two would share the processors of
 *  one. */
export async function measureTwoServers(serve: readonly string[], root: string): Promise<void> {
  const programs = findPrograms();
  if (programs === null) return console.log('\nTwo servers: SKIPPED, because PostgreSQL is not installed');
  const folder = `focus-${lineItems}`;
  await writeFocusFiles(join(root, folder), lineItems);
  const postgres = await startServerPostgres(programs);
  const dataDir = await mkdtemp(join(tmpdir(), 'costkeep-bench-servers-'));
  const servers: Running[] = [];
  try {
    const key = () => randomBytes(32).toString('base64');
    const keys = { JWT_KEY: key(), ENCRYPTION_KEY: key() };
    const env = { DATA_DIR: dataDir, DATABASE_URL: await postgres.freshUrl(), FOCUS_ROOT: root, ...keys };
    for (let index = 0; index < 2; index++) servers.push(await start(serve, env, '/ready'));
    const [first, second] = servers as [Running, Running];
    const token = await register(first);
    await load(first, token, folder);
    const contenders = [byService('one', first), byService('two', second)] as const;
    // Warms up at full speed: JIT-compiled code makes more of a difference than the second server.
    for (const contender of contenders) await burst(contender, token);
    const ends = servers.map(({ pid }, index) => slow(pid, (index * sliceMs) / 2));
    try {
      const [one, two] = await compare(contenders, token);
      printTable('Requests of /costs/by-service per second, uncached, each server on a part of a processor', [
        { servers: 'one', 'requests/s': one },
        { servers: 'two', 'requests/s': two },
      ]);
      printTable('Goals of servers', goalRows([{ what: 'requests of two servers / one', figure: two / one, least }]));
    } finally {
      for (const end of ends) end();
    }
  } finally {
    for (const server of servers) await server.stop();
    await postgres.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Requests per second of the first alone, and of both. Bursts of both kinds alternate, so that noise affects them alike. */
async function compare([first, second]: readonly [Contender, Contender], token: string): Promise<[number, number]> {
  let [one, two] = [0, 0];
  for (let round = 0; round < bursts; round++) {
    one += await burst(first, token);
    const both = await Promise.all([burst(first, token), burst(second, token)]);
    two += both[0] + both[1];
  }
  return [one / bursts, two / bursts];
}

async function burst({ name, server, next }: Contender, token: string): Promise<number> {
  const result = await autocannon({
    url: server.url,
    connections,
    duration: burstSeconds,
    headers: { authorization: `Bearer ${token}` },
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${name}: ${result.non2xx} bad answers, ${result.errors} errors`);
  return result['2xx'] / burstSeconds;
}

/** Lets a process run for its share of each slice.
 *  @returns a function that lifts the limit */
function slow(pid: number, offsetMs: number): () => void {
  let timer: NodeJS.Timeout;
  const pause = () => {
    process.kill(pid, 'SIGSTOP');
    timer = setTimeout(resume, sliceMs * (1 - share));
  };
  const resume = () => {
    process.kill(pid, 'SIGCONT');
    timer = setTimeout(pause, sliceMs * share);
  };
  timer = setTimeout(pause, offsetMs);
  return () => {
    clearTimeout(timer);
    process.kill(pid, 'SIGCONT');
  };
}
