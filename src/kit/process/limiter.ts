/** Work that holds a slot of a limiter, or waits for one. */
export interface Entry {
  /** Round-robin is between groups, such as organizations, and within one between its owners. */
  readonly group: string;
  readonly owner: string;
  /** Kind of work, for `eligible`. */
  readonly lane: string;
  /** Timestamp in milliseconds, from `performance.now()`. */
  readonly since: number;
}

/** Concurrency limits. */
export interface Limits {
  readonly limit: number;
  /** Maximum per owner; unlimited by default. */
  readonly limitPerOwner?: number;
  /** Filters the entries that may start next while fewer than `limit` run. */
  eligible?(waiting: readonly Entry[], running: readonly Entry[]): readonly Entry[];
}

type Waiting = Entry & { start(): void };
type Release = () => void;

/** Bounded concurrency: a semaphore that is round-robin between groups and their owners, so that one cannot starve the others,
 *  and first in, first out within one. */
export class Limiter {
  readonly #limits: Limits;
  readonly #running = new Set<Entry>();
  #waiting: Waiting[] = [];
  /** Sequence number of the last start of each group and owner. */
  readonly #lastStart = new Map<string, number>();
  #starts = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running.size;
  }

  get waiting(): readonly Entry[] {
    return this.#waiting;
  }

  /** Waits for a slot.
   *  @returns a function that releases it; later calls do nothing
   *  @throws the signal's reason, if it aborts first */
  async acquire({
    group = '',
    owner = '',
    lane = '',
    signal,
  }: Partial<Entry> & { signal?: AbortSignal } = {}): Promise<Release> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Release>();
    const abort = () => {
      this.#waiting = this.#waiting.filter((one) => one !== entry);
      reject(signal?.reason as Error);
    };
    const start = () => {
      signal?.removeEventListener('abort', abort);
      resolve(this.#start(entry));
    };
    const entry: Waiting = { group, owner, lane, since: performance.now(), start };
    signal?.addEventListener('abort', abort, { once: true });
    this.#waiting.push(entry);
    this.#dispatch();
    return promise;
  }

  /** Acquires a slot if one is free.
   *  @returns a function that releases it (later calls do nothing); null if none is free */
  tryAcquire({ group = '', owner = '', lane = '' }: Partial<Entry> = {}): Release | null {
    const entry = { group, owner, lane, since: performance.now() };
    return this.#eligible([entry]).includes(entry) ? this.#start(entry) : null;
  }

  /** Runs work in a slot, waiting for one first. */
  async run<Result>(work: () => Promise<Result>, options?: Parameters<Limiter['acquire']>[0]): Promise<Result> {
    const release = await this.acquire(options);
    try {
      return await work();
    } finally {
      release();
    }
  }

  #start(entry: Entry): Release {
    this.#running.add(entry);
    this.#starts += 1;
    this.#lastStart.set(entry.group, this.#starts).set(ownerOf(entry), this.#starts);
    return () => {
      if (this.#running.delete(entry)) this.#dispatch();
    };
  }

  #dispatch(): void {
    const lastStart = (key: string) => this.#lastStart.get(key) ?? 0;
    const isEarlier = (one: Entry, than: Entry) =>
      (lastStart(one.group) - lastStart(than.group) || lastStart(ownerOf(one)) - lastStart(ownerOf(than))) < 0;
    for (;;) {
      const [first, ...others] = this.#eligible(this.#waiting);
      if (!first) break;
      const next = others.reduce((best, one) => (isEarlier(one, best) ? one : best), first);
      const waiting = this.#waiting.find((one) => one === next);
      this.#waiting = this.#waiting.filter((one) => one !== next);
      waiting?.start();
    }
    if (this.#waiting.length + this.#running.size === 0) this.#lastStart.clear();
  }

  #eligible(waiting: readonly Entry[]): readonly Entry[] {
    const { limit, limitPerOwner = limit, eligible } = this.#limits;
    if (waiting.length === 0 || this.#running.size >= limit) return [];
    const running = [...this.#running];
    const counts = new Map<string, number>();
    for (const owner of running.map(ownerOf)) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    const free = waiting.filter((one) => (counts.get(ownerOf(one)) ?? 0) < limitPerOwner);
    return eligible ? eligible(free, running) : free;
  }
}

/** Key of an owner: owners of different groups are different. */
function ownerOf({ group, owner }: Entry): string {
  return JSON.stringify([group, owner]);
}

/** Maps with bounded concurrency, in the order of the items.
 *  @throws the first error; work not yet started is skipped */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  let hasFailed = false;
  const lane = async () => {
    for (const [index, item] of rest) {
      if (hasFailed) return;
      results[index] = await work(item);
    }
  };
  const lanes = Array.from({ length: Math.min(limit, items.length) }, lane);
  await Promise.all(lanes).catch((error: unknown) => {
    hasFailed = true;
    throw error;
  });
  return results;
}

/** Works on each item with bounded concurrency. An item that fails does not stop the others.
 *  @throws the first error, after all items */
export async function eachConcurrently<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  await mapConcurrently(items, limit, (item) => work(item).catch((error: unknown) => void errors.push(error)));
  if (errors.length > 0) throw errors[0];
}
