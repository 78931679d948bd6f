import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';

/** Size of one cache, in bytes. */
const maxBytes = 8 * 2 ** 20;
/** A conservative estimate: keys and shared texts, which JSON repeats, are in memory only once. */
const bytesPerCharacter = 2;

/** An answer that is being computed for several callers. */
interface Pending<Answer> {
  readonly answer: Promise<Answer>;
  readonly controller: AbortController;
  /** Number of callers still waiting. */
  waiting: number;
}

/** LRU cache of the answers to one kind of question, per database. A key's answer never changes, so nothing is ever invalidated. */
export class AnswerCache<Answer extends object> {
  readonly #kept = new WeakMap<Pool, LRUCache<string, Answer>>();
  readonly #running = new WeakMap<Pool, Map<string, Pending<Answer>>>();

  /** Returns the answer for the key, computed once for concurrent callers. Failures are not cached.
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

/** Returns the answer to a caller that cannot leave. */
function untilEnd<Answer>(pending: Pending<Answer>): Promise<Answer> {
  pending.waiting += 1;
  return pending.answer;
}

/** Waits for the answer or until the caller leaves; the last caller to leave aborts the computation. */
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
    // Later callers must not wait for an aborted computation.
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
    sizeCalculation: (answer) => JSON.stringify(answer, textOfBigints).length * bytesPerCharacter,
  });
}

function textOfBigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function entryOf<Key extends object, Value>(map: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
