import { deflateSync, inflateSync } from 'node:zlib';
import { openFacts, type FactRange, type FactSet, type Reader } from '../../../engine/fact-set.ts';
import { readExchange } from '../../../facts/currencies.ts';
import { readThenWrite, type ReadAccount } from '../../../facts/consistent.ts';
import type { Deps } from '../../../kit/deps.ts';
import { addDays, type Day } from '../../../kit/time/period.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { detectors } from '../detectors/all.ts';
import { priceBook } from '../detectors/prices.ts';
import { readPrices, readSubjects, windowOf } from './read-store.ts';
import { recommend, type Draft } from './recommend.ts';
import { remakeSums } from '../sums-store.ts';
import type { Window } from '../detectors/subject.ts';
import { lookBackDays, readAppliedCosts, saveSavings, type AppliedCost } from './verify-store.ts';
import { archiveOthers, rowsOf, saveDrafts, type Outcome, type Owner } from './write-store.ts';

/** The result of an evaluation. */
export interface Evaluated {
  /** Number of current recommendations. */
  readonly found: number;
  /** Number archived because they no longer apply. */
  readonly archived: number;
}

/** Everything that an evaluation writes. */
interface Evaluation extends Outcome {
  readonly owner: Owner;
  /** Rows of the drafts, compressed: as text, those of a large account take hundreds of MiB. */
  readonly batches: readonly Buffer[];
  readonly appliedCosts: readonly AppliedCost[];
}

/** Drafts per batch. */
const batchSize = 50;

/** Finds savings in an account from its bills of the last 30 complete days and its inventory, archives recommendations that
 *  no longer apply, and measures applied ones. Idempotent. The account is locked only while the results are written. */
export async function evaluateRecommendations(
  deps: Pick<Deps, 'pool' | 'clock' | 'engine'>,
  scope: OrgScope,
  accountId: string,
): Promise<Evaluated> {
  const evaluated = await readThenWrite(deps, scope, accountId, {
    read: (account) => evaluate(deps, scope, account),
    write: async (client, evaluation) => {
      if (evaluation === null) return null;
      const { owner, batches, found, appliedCosts } = evaluation;
      for (const batch of batches) await saveDrafts(client, scope, owner, inflateSync(batch).toString());
      const archived = await archiveOthers(client, scope, owner, evaluation);
      await saveSavings(client, scope, accountId, appliedCosts);
      await remakeSums(client, scope, accountId);
      return { found: found.size, archived };
    },
  });
  return evaluated ?? { found: 0, archived: 0 };
}

/** Finds the recommendations of an account and reads the costs of applied ones. Writes nothing.
 *  @returns null before the account's first complete day */
async function evaluate(
  deps: Pick<Deps, 'pool' | 'clock' | 'engine'>,
  scope: OrgScope,
  account: ReadAccount,
): Promise<Evaluation | null> {
  const window = windowOf(account);
  if (window === null || account.dataFrom === null) return null;
  const exchange = await readExchange(deps.pool, scope, account.id);
  const source = {
    accountId: account.id,
    facts: await factsOf(deps.pool, scope, account.id, window),
    window,
    exchange,
  };
  const prices = priceBook(await readPrices(deps, source));
  const context = { window, dataFrom: account.dataFrom, prices };
  const owner = { accountId: account.id, now: deps.clock.now(), window };
  const found = new Set<string>();
  const reasons = new Map<string, string>();
  const batches: Buffer[] = [];
  let pending: Draft[] = [];
  const close = () => {
    if (pending.length > 0) batches.push(deflateSync(rowsOf(pending, owner), { level: 1 }));
    pending = [];
  };
  for await (const subject of readSubjects(deps, scope, source)) {
    const { drafts, withheld } = recommend(subject, detectors, context);
    for (const { fingerprint, reason } of withheld) reasons.set(fingerprint, reason);
    for (const draft of drafts) {
      pending.push(draft);
      found.add(draft.fingerprint);
    }
    if (pending.length >= batchSize) close();
  }
  close();
  return { owner, found, reasons, batches, appliedCosts: await readAppliedCosts(deps, scope, source) };
}

/** Selects the account's facts up to the window's end: daily rows for the days that are compared, and monthly rows before,
 *  which show when a resource was first billed. */
async function factsOf(reader: Reader, scope: OrgScope, accountId: string, { end }: Window): Promise<FactSet> {
  const firstCompared = addDays(end, -lookBackDays);
  const open = (start: Day | null, until: Day, grain: FactRange['grain']) =>
    openFacts(reader, scope, { accountIds: [accountId], start, end: until, grain });
  const before = await open(null, firstCompared, 'month');
  return before.union(await open(firstCompared, end, 'day'));
}
