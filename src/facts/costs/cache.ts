import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { Deps } from '../../kit/deps.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { passes, withoutFilters, type CostQuery } from './query.ts';
import { readLedger, type CostAccount, type Ledger } from './store.ts';

/** What cost answers need of the outside world. */
export type CostDeps = Pick<Deps, 'pool' | 'clock' | 'engine'>;

/** A resolved question and the versions of everything it will be answered from. */
export interface Prepared<Question> {
  readonly question: Question;
  readonly ledger: Ledger;
  /** The accounts in the caller's scope and question. */
  readonly accounts: readonly CostAccount[];
  /** Equal keys have equal answers: the cache goes by it, and it is the ETag. */
  readonly key: string;
}

/** Chooses the accounts of a question, so that nothing later can tell an id outside of the scope from one that never existed:
 *  in the key, too, it leaves no trace. */
export function prepare<Question extends { readonly query: CostQuery }>(
  ledger: Ledger,
  asked: Question,
): Prepared<Question> {
  const { organizationId, currency, ratesVersion } = ledger;
  const accounts = ledger.accounts.filter(({ id }) => passes(asked.query, 'account', id));
  const question = { ...asked, query: { ...asked.query, ...withoutFilters(asked.query, 'account') } };
  const parts = [organizationId, currency, ratesVersion, accounts, question];
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);
  return { question, ledger, accounts, key };
}

/** Who waits for an answer: the context of a request is one. */
export interface Caller {
  /** Hears the key before the answer is worked out, and throws when the client has the answer already. */
  readonly dependsOn?: ((key: string) => void) | undefined;
  /** Aborted when the caller leaves. */
  readonly signal?: AbortSignal | undefined;
}

/** Makes the function that answers a kind of question: each answer is worked out once, and kept.
 *  @param work its signal is aborted when nobody waits for the answer any more */
export function answering<Question extends { readonly query: CostQuery }, Answer extends object>(
  work: (deps: CostDeps, prepared: Prepared<Question>, signal: AbortSignal) => Promise<Answer>,
) {
  const cache = new AnswerCache<Answer>();
  return async (
    deps: CostDeps,
    scope: OrgScope,
    question: Question,
    { dependsOn, signal }: Caller,
  ): Promise<Answer> => {
    const prepared = prepare(await readLedger(deps.pool, scope), question);
    dependsOn?.(prepared.key);
    return cache.get(deps.pool, prepared.key, (shared) => work(deps, prepared, shared), signal);
  };
}

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
