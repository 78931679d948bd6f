import { type MonthPart, recount, tablesOf } from '../batch.ts';
import { selectAs } from '../bill/layout.ts';
import { countings, numbers } from '../bill/line-items.ts';
import type { Duck } from '../duck.ts';
import { Refusal } from '../refusal.ts';
import { type Delivery, deliveryOf, isCommitted } from './deliveries.ts';

// Azure delivers a bill as actual and as amortized costs, in files with the same columns. They differ only where commitments are
// involved (learn.microsoft.com, "Get Enterprise Agreement and Microsoft Customer Agreement reservation costs and usage"): only actual
// costs have their purchases, and no cost for covered usage; amortized costs have the share of that usage, and the unused part.

/** Deliveries that are the two halves of one bill. */
export interface Pair {
  readonly actual: Delivery;
  readonly amortized: Delivery;
}

/** Finds plain files of cost details that are actual and amortized costs of one bill, over the table `trace`.
 *  @throws {Refusal} naming two that seem to be, but do not have the same usage */
export async function pairHalves(duck: Duck, part: MonthPart, deliveries: readonly Delivery[]): Promise<Pair[]> {
  const details = deliveries.filter(({ sources }) =>
    sources.every(({ file, layout }) => layout.dialect === 'azure-details' && file.speaksFor === 'all'),
  );
  if (details.length < 2) return [];
  const kinds = await kindsOf(duck, part, details);
  const of = (kind: 'actual' | 'amortized') => details.filter(({ no }) => kinds.get(no) === kind);
  const pairs: Pair[] = [];
  for (const actual of of('actual')) {
    for (const amortized of of('amortized')) {
      const likeness = await compare(duck, actual, amortized);
      if (likeness === 'same') pairs.push({ actual, amortized });
      if (likeness === 'uncertain') throw unlike(part.month, actual, amortized);
    }
  }
  return pairs;
}

/** Returns whether deliveries have actual or amortized costs, where their commitments show it. */
async function kindsOf(
  duck: Duck,
  { batch }: MonthPart,
  deliveries: readonly Delivery[],
): Promise<Map<number, 'actual' | 'amortized'>> {
  const rows = await duck.rows(`
    SELECT delivery, bool_or(category IN ('Purchase', 'Credit')) AS bought, bool_or(category = 'Usage' AND BilledCost <> 0) AS paid
    FROM ${tablesOf(batch).sums} JOIN (SELECT DISTINCT unnest(sigs) AS sig, ChargeCategory AS category FROM charge
      WHERE ${isCommitted}) USING (sig) JOIN ${deliveryOf(deliveries)} USING (file_no) GROUP BY 1`);
  return new Map(
    rows.flatMap(({ delivery, bought, paid }) => {
      // Neither half has both.
      if (bought === 'true' && paid === 'true') return [];
      return [[Number(delivery), paid === 'true' ? 'amortized' : 'actual'] as const];
    }),
  );
}

/** Compares what both halves of a bill have: charges without commitments; if there are none, the usage that commitments cover.
 *  Without a common subscription they are different bills. */
async function compare(duck: Duck, one: Delivery, other: Delivery): Promise<'same' | 'other' | 'uncertain'> {
  const are = (no: number) => `delivery = ${no}`;
  const both = `delivery IN (${one.no}, ${other.no})`;
  const isMet = await duck.value(
    `SELECT 1 FROM trace WHERE ${both} GROUP BY account HAVING count(DISTINCT delivery) = 2 LIMIT 1`,
  );
  if (isMet === null) return 'other';
  const [row] = await duck.rows(`
    WITH marks AS (SELECT role, if(role = 'plain', print, bare) AS mark, min(day) AS day, bool_or(${are(one.no)}) AS one,
      bool_or(${are(other.no)}) AS other FROM trace WHERE ${both} AND role <> 'fee' GROUP BY 1, 2)
    SELECT 10 * count(*) FILTER (one AND other) >= 9 * greatest(count(*) FILTER (one), count(*) FILTER (other))
      AND min(day) FILTER (one) = min(day) FILTER (other) AND max(day) FILTER (one) = max(day) FILTER (other) AS alike
    FROM marks GROUP BY role ORDER BY role = 'plain' DESC LIMIT 1`);
  return row?.['alike'] === 'true' ? 'same' : 'uncertain';
}

function unlike(month: string, actual: Delivery, amortized: Delivery): Refusal {
  return new Refusal(
    `"${actual.name}" has actual and "${amortized.name}" amortized costs of the same subscriptions for ${month}, but not of the same usage; export both for the same days and subscriptions, or remove one of them`,
  );
}

/** Counts billed costs from the actual half, effective costs from the amortized one, and what both have once. */
export async function countHalves(duck: Duck, part: MonthPart, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  const count = async (half: 'billed' | 'effective', deliveries: readonly Delivery[]) => {
    const charges = `(SELECT DISTINCT sig, ${selectAs(countings)} FROM (SELECT *, unnest(sigs) AS sig, '${half}' AS speaks_for FROM charge))`;
    await recount(duck, part, charges, numbers(deliveries.flatMap(({ sources }) => sources)));
  };
  await count(
    'billed',
    pairs.map(({ actual }) => actual),
  );
  await count(
    'effective',
    pairs.map(({ amortized }) => amortized),
  );
}
