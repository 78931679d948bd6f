import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';

/** What the answers of one view may take. */
const maxBytes = 8 * 2 ** 20;
/** An estimate, on the safe side: keys and shared texts, which JSON repeats, are in memory once. */
const bytesPerCharacter = 2;

/** An answer that is being computed for several callers. */
interface Pending<Answer> {
  readonly answer: Promise<Answer>;
  readonly controller: AbortController;
  /** Callers that still wait for it. */
  waiting: number;
}

/** Keeps the answers of one view, the least recently asked dropped first. A key never gets another answer, so nothing is
 *  ever invalidated. Each database has its own. */
export class AnswerCache<Answer extends object> {
  readonly #kept = new WeakMap<Pool, LRUCache<string, Answer>>();
  readonly #running = new WeakMap<Pool, Map<string, Pending<Answer>>>();

  /** The answer under the key; computed once for concurrent callers. A failure is not kept.
   *  @param compute its signal is aborted when every caller has left
   *  @param signal aborted when this caller leaves */
  async get(
    pool: Pool,
    key: string,
    compute: (signal: AbortSignal) => Promise<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const kept = entryOf(this.#kept, pool, newCache<Answer>);
    const known = kept.get(key);
    if (known !== undefined) return known;
    signal?.throwIfAborted();
    const running = entryOf(this.#running, pool, () => new Map<string, Pending<Answer>>());
    const pending = running.get(key) ?? start(kept, running, key, compute);
    return signal === undefined ? untilEnd(pending) : untilLeft(running, key, pending, signal);
  }
}

function start<Answer extends object>(
  kept: LRUCache<string, Answer>,
  running: Map<string, Pending<Answer>>,
  key: string,
  compute: (signal: AbortSignal) => Promise<Answer>,
): Pending<Answer> {
  const controller = new AbortController();
  const answer = compute(controller.signal)
    .then((made) => {
      kept.set(key, made);
      return made;
    })
    .finally(() => {
      if (running.get(key) === pending) running.delete(key);
    });
  const pending: Pending<Answer> = { answer, controller, waiting: 0 };
  running.set(key, pending);
  return pending;
}

/** Waits to the end: the caller cannot leave. */
function untilEnd<Answer>(pending: Pending<Answer>): Promise<Answer> {
  pending.waiting += 1;
  return pending.answer;
}

/** Waits until the caller leaves; the last one to leave ends the computation. */
async function untilLeft<Answer>(
  running: Map<string, Pending<Answer>>,
  key: string,
  pending: Pending<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  pending.waiting += 1;
  const { promise: left, reject } = Promise.withResolvers<never>();
  const leave = () => {
    pending.waiting -= 1;
    // A caller that comes later must not wait for a computation that has been ended.
    if (pending.waiting === 0) {
      if (running.get(key) === pending) running.delete(key);
      pending.controller.abort(signal.reason);
    }
    reject(signal.reason);
  };
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([pending.answer, left]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function newCache<Answer extends object>(): LRUCache<string, Answer> {
  return new LRUCache<string, Answer>({
    maxSize: maxBytes,
    sizeCalculation: (answer) => JSON.stringify(answer).length * bytesPerCharacter,
  });
}

function entryOf<Key extends object, Value>(map: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
