import { availableParallelism } from 'node:os';
import type { Piscina } from 'piscina';
import { Limiter } from './limiter.ts';

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
  caller?: Caller,
) => Promise<OutputOf<Module[Name]>>;

/** Maximum number of threads of requests: they share the processors with DuckDB and PostgreSQL. */
const mostThreads = 4;
/** Idle time after which a thread ends, in milliseconds; it holds some 40 MiB. */
const idleMs = 60_000;

/** The organization and member that request the work. Threads are assigned round-robin to organizations and their members, and a
 *  member has at most half of them. */
interface Caller {
  readonly organizationId: string;
  readonly userId: string | null;
}

/** The threads of a lane. */
interface ThreadPool {
  readonly piscina: Promise<Piscina>;
  readonly limiter: Limiter;
  readonly limit: number;
  readonly closing: AbortController;
}

const pools = new Map<Lane, ThreadPool>();

/** Returns a function that runs work of a module in a thread, because it would block the event loop for more than about 20 ms.
 *  Threads start on demand, do not keep the process alive, and end when idle. A piece of work should take at most a second,
 *  since it cannot be preempted.
 *  @param module URL of a module without side effects, relative to `import.meta.url`
 *  @returns a function whose promise rejects with the error of the work, or if the thread dies */
export function inThread<Module extends Work>(module: URL): InThread<Module> {
  const { href } = module;
  return (name, input, lane, caller) => {
    const { piscina, limiter, closing } = poolOf(lane);
    const turn = { group: caller?.organizationId ?? '', owner: caller?.userId ?? '', signal: closing.signal };
    return limiter.run(async () => (await piscina).run(input, { filename: href, name }), turn);
  };
}

/** Ends the threads after their current work; queued work fails. New work starts them again. */
export async function closeThreads(): Promise<void> {
  const open = [...pools.values()];
  pools.clear();
  await Promise.all(
    open.map(async ({ piscina, limiter, limit, closing }) => {
      closing.abort(new Error('The task has been aborted'));
      // All slots are free once the current work has ended.
      await Promise.all(Array.from({ length: limit }, (_, index) => limiter.acquire({ owner: `${index}` })));
      await (await piscina).close();
    }),
  );
}

function poolOf(lane: Lane): ThreadPool {
  const known = pools.get(lane);
  if (known !== undefined) return known;
  const limit = lane === 'request' ? Math.min(mostThreads, availableParallelism()) : 1;
  const limiter = new Limiter({ limit, limitPerOwner: Math.max(1, Math.floor(limit / 2)) });
  const pool = { piscina: openPool(limit), limiter, limit, closing: new AbortController() };
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
