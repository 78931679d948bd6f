import { availableParallelism } from 'node:os';
import type { Piscina } from 'piscina';

/** Priority lane of the work: a request or a job. Each lane has its own threads, so that a request never queues behind the
 *  replay of a year: jobs have one, requests one per processor and at most four, because one request can ask for twenty
 *  forecasts. */
export type Lane = 'request' | 'job';

/** Functions exported by a module, with one argument and a result, both structured-cloned between threads. */
type Work = Readonly<Record<string, unknown>>;

type InputOf<Job> = Job extends (input: infer Input) => unknown ? Input : never;
type OutputOf<Job> = Job extends (...input: never[]) => infer Output ? Awaited<Output> : never;

/** Calls an exported function of a module by name in a thread. */
export type InThread<Module> = <Name extends keyof Module & string>(
  name: Name,
  input: InputOf<Module[Name]>,
  lane: Lane,
) => Promise<OutputOf<Module[Name]>>;

/** Maximum number of threads of requests: they share the processors with DuckDB and PostgreSQL. */
const mostThreads = 4;
/** Idle time after which a thread ends, in milliseconds; it holds some 40 MiB. */
const idleMs = 60_000;

const pools = new Map<Lane, Promise<Piscina>>();

/** Runs work in threads that would block the event loop for more than about 20 ms. Threads start on demand, do not
 *  keep the process alive, and end when idle. A piece of work should take at most a second, since nothing can
 *  overtake it.
 *  @param module URL of a module without side effects, relative to `import.meta.url`
 *  @returns rejects with the function's error, or if the thread dies */
export function inThread<Module extends Work>(module: URL): InThread<Module> {
  const { href } = module;
  return async (name, input, lane) => (await poolOf(lane)).run(input, { filename: href, name });
}

/** Ends the threads after their current work; queued work fails. New work starts them again. */
export async function closeThreads(): Promise<void> {
  const open = [...pools.values()];
  pools.clear();
  await Promise.all(open.map(async (pool) => (await pool).close({ force: true })));
}

function poolOf(lane: Lane): Promise<Piscina> {
  const known = pools.get(lane);
  if (known !== undefined) return known;
  const pool = openPool(lane === 'request' ? Math.min(mostThreads, availableParallelism()) : 1);
  pools.set(lane, pool);
  return pool;
}

async function openPool(maxThreads: number): Promise<Piscina> {
  const { Piscina: Pool } = await import('piscina');
  // Otherwise each thread would inherit the server's young generation size, which is meant for many concurrent
  // requests.
  const resourceLimits = { maxYoungGenerationSizeMb: 12 };
  // Without Atomics.wait, an idle thread does not keep the process alive.
  return new Pool({ minThreads: 0, maxThreads, idleTimeout: idleMs, atomics: 'disabled', resourceLimits });
}
