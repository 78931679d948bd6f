import type { Piscina } from 'piscina';

/** Who waits for a piece of work: somebody at a screen, or a job. Each has a thread of its own, so that a request never
 *  queues behind the replay of a year. */
export type Lane = 'request' | 'job';

/** Work that a module exports: one argument, which is copied to the thread, and a result, which is copied back. */
type Work = Readonly<Record<string, unknown>>;

type InputOf<Job> = Job extends (input: infer Input) => unknown ? Input : never;
type OutputOf<Job> = Job extends (...input: never[]) => infer Output ? Awaited<Output> : never;

/** Calls an exported function of a module in a thread, by its name. */
export type InThread<Module> = <Name extends keyof Module & string>(
  name: Name,
  input: InputOf<Module[Name]>,
  lane: Lane,
) => Promise<OutputOf<Module[Name]>>;

/** A thread that had nothing to do for so long ends: it holds some 40 MiB. */
const idleMs = 60_000;

const pools = new Map<Lane, Promise<Piscina>>();

/** Work that would stall the event loop for more than some 20 ms, done in threads. These start with the first work, keep no
 *  process alive, and end after a while without any. A piece of work should take a second at most: nothing overtakes it.
 *  @param module URL of a module without side effects, such as `new URL('./replay-work.ts', import.meta.url)`
 *  @returns rejects with what the function throws, or when the thread dies */
export function inThread<Module extends Work>(module: URL): InThread<Module> {
  const { href } = module;
  return async (name, input, lane) => (await poolOf(lane)).run(input, { filename: href, name });
}

/** Ends the threads once what is in hand is done; what is waiting fails. More work starts them again. */
export async function closeThreads(): Promise<void> {
  const open = [...pools.values()];
  pools.clear();
  await Promise.all(open.map(async (pool) => (await pool).close({ force: true })));
}

function poolOf(lane: Lane): Promise<Piscina> {
  const known = pools.get(lane);
  if (known !== undefined) return known;
  const pool = openPool();
  pools.set(lane, pool);
  return pool;
}

async function openPool(): Promise<Piscina> {
  const { Piscina: Pool } = await import('piscina');
  // The server's own young generation, which each thread would get as well, is for many requests at a time.
  const resourceLimits = { maxYoungGenerationSizeMb: 12 };
  // Without shared-memory waiting, an idle thread does not keep a process alive.
  return new Pool({ minThreads: 0, maxThreads: 1, idleTimeout: idleMs, atomics: 'disabled', resourceLimits });
}
