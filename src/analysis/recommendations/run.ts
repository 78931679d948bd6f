import { lockAccount } from '../../kit/database/account-lock.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import type { Deps } from '../../kit/deps.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { detectors } from './detectors/all.ts';
import { priceBook } from './prices.ts';
import { readBooks, readPrices, readSubjects } from './read-store.ts';
import { recommend, type Draft } from './recommend.ts';
import { remakeSums } from './sums-store.ts';
import { verifyApplied } from './verify-store.ts';
import { archiveOthers, saveDrafts } from './write-store.ts';

/** What an evaluation changed. */
export interface Evaluated {
  /** Recommendations that hold. */
  readonly found: number;
  /** Those that no longer did and were archived. */
  readonly archived: number;
}

/** Drafts written at a time: few, so that they are young when they are forgotten; of older ones a heap keeps hundreds of MiB. */
const batch = 50;

/** Finds what could be saved in an account by the bills of its last 30 complete days and its inventory, archives what is no
 *  longer true, and measures what was applied. Doing it twice changes nothing. Loads of the account wait for it. */
export async function evaluateRecommendations(
  deps: Pick<Deps, 'pool' | 'clock'>,
  scope: OrgScope,
  accountId: string,
): Promise<Evaluated> {
  return inTransaction(deps.pool, async (client) => {
    await lockAccount(client, accountId);
    const books = await readBooks(client, scope, accountId);
    if (books === null) return { found: 0, archived: 0 };
    const owner = { accountId, now: deps.clock.now(), window: books.window };
    const prices = priceBook(await readPrices(client, scope, books));
    const context = { window: books.window, dataFrom: books.dataFrom, prices };
    const found = new Set<string>();
    const reasons = new Map<string, string>();
    let pending: Draft[] = [];
    for await (const subject of readSubjects(client, scope, books)) {
      const { drafts, withheld } = recommend(subject, detectors, context);
      for (const { fingerprint, reason } of withheld) reasons.set(fingerprint, reason);
      for (const draft of drafts) {
        // What is billed in two currencies comes twice.
        if (!found.has(draft.fingerprint)) pending.push(draft);
        found.add(draft.fingerprint);
      }
      if (pending.length >= batch) {
        await saveDrafts(client, scope, owner, pending);
        pending = [];
      }
    }
    if (pending.length > 0) await saveDrafts(client, scope, owner, pending);
    const archived = await archiveOthers(client, scope, owner, { found, reasons });
    await verifyApplied(client, scope, books);
    await remakeSums(client, scope, accountId);
    return { found: found.size, archived };
  });
}
