import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { CostQuestion } from './question.ts';
import type { CostAccount, Ledger } from './store.ts';

/** What the answers of one view may take. */
const maxBytes = 8 * 2 ** 20;
/** An estimate, on the safe side: keys and shared texts, which JSON repeats, are in memory once. */
const bytesPerCharacter = 2;

/** The key of an answer: a hash of everything it depends on, and of nothing else. Accounts that were asked for but are
 *  not the caller's leave no trace in it. */
export function answerKey(question: CostQuestion, ledger: Ledger, accounts: readonly CostAccount[]): string {
  const { organizationId, currency, ratesVersion } = ledger;
  const parts = [organizationId, currency, ratesVersion, accounts, { ...question, accountIds: null }];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);
}

/** Keeps the answers of one view, the least recently asked dropped first. A key never gets another answer, so nothing is
 *  ever invalidated. Each database has its own. */
export class AnswerCache<Answer extends object> {
  readonly #kept = new WeakMap<Pool, LRUCache<string, Answer>>();
  readonly #running = new WeakMap<Pool, Map<string, Promise<Answer>>>();

  /** The answer under the key; computed once, however many ask at the same time. A failure is not kept. */
  async get(pool: Pool, key: string, compute: () => Promise<Answer>): Promise<Answer> {
    const kept = entryOf(this.#kept, pool, newCache<Answer>);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const running = entryOf(this.#running, pool, () => new Map<string, Promise<Answer>>());
    const pending = running.get(key) ?? this.#start(kept, running, key, compute);
    return pending;
  }

  #start(
    kept: LRUCache<string, Answer>,
    running: Map<string, Promise<Answer>>,
    key: string,
    compute: () => Promise<Answer>,
  ): Promise<Answer> {
    const pending = compute()
      .then((answer) => {
        kept.set(key, answer);
        return answer;
      })
      .finally(() => running.delete(key));
    running.set(key, pending);
    return pending;
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
