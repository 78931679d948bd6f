import { createHash } from 'node:crypto';
import type { Deps } from '../../kit/deps.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { AnswerCache } from './cache.ts';
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
