import type { CostRepair } from '../../../../engine/codebook.ts';
import type { Duck } from '../duck.ts';
import { Refusal } from '../refusal.ts';
import { deliveriesOf, type Delivery, deliveryOf, slicesOf, type SummedMonth, traceCharges } from './deliveries.ts';
import { countHalves, type Pair, pairHalves } from './halves.ts';

// A bill that is delivered twice would count twice, whatever its rows' order, quoting, compression or format. Deliveries of a month
// are therefore compared by their finished charges.

/** Maximum rows (per file, charge and day) that are compared at once. */
const tracedAtOnce = 2_000_000;

/** Rejects a month in which deliveries repeat each other, wholly or in part. Azure exports of the actual and the amortized
 *  costs of one bill are not rejected: each counts for its own costs only.
 *  @param atOnce maximum rows that are compared at once
 *  @returns deliveries with the same usage at other prices: one may restate the other, but both count
 *  @throws {Refusal} naming two deliveries, and which one to remove */
export async function refuseRepeats(duck: Duck, part: SummedMonth, atOnce = tracedAtOnce): Promise<CostRepair[]> {
  const deliveries = deliveriesOf(part.sources);
  if (deliveries.length < 2) return [];
  await refuseDialects(duck, part, deliveries);
  try {
    const pairs = await traceAll(duck, part, { deliveries, atOnce });
    const isPair = (one: Delivery, other: Delivery) =>
      pairs.some(({ actual, amortized }) => [one, other].every((each) => each === actual || each === amortized));
    const restated: CostRepair[] = [];
    for (const overlap of await findOverlaps(duck)) {
      const [one, other] = [deliveries[overlap.one], deliveries[overlap.other]];
      if (!one || !other || !areRivals(one, other) || isPair(one, other)) continue;
      if (isRepeat(overlap)) throw repeated(part, one, other, overlap);
      if (isRestated(overlap)) restated.push(...(await describeRestated(duck, part, [one, other], overlap.repriced)));
    }
    await countHalves(duck, part, pairs);
    return restated;
  } finally {
    await duck.run('DROP TABLE IF EXISTS trace; DROP TABLE IF EXISTS pair; DROP TABLE IF EXISTS cell');
  }
}

/** Creates the tables `pair` (numbers of fingerprints that two deliveries share, and of charges with the same usage at other
 *  prices) and `cell` (fingerprints of each delivery by sub-account and day), a slice of the charges at a time.
 *  @returns halves of one bill; a slice of the charges shows them */
async function traceAll(
  duck: Duck,
  part: SummedMonth,
  { deliveries, atOnce }: { readonly deliveries: readonly Delivery[]; readonly atOnce: number },
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  await duck.run(`CREATE OR REPLACE TABLE pair (one INTEGER, other INTEGER, shared BIGINT, repriced BIGINT, first DATE, last DATE);
    CREATE OR REPLACE TABLE cell (delivery INTEGER, account UBIGINT, day DATE, n BIGINT)`);
  for (const slice of await slicesOf(duck, part, atOnce)) {
    await traceCharges(duck, part, deliveries, slice);
    if (slice.no === 0) pairs.push(...(await pairHalves(duck, part, deliveries)));
    const isSameTime = 'a.delivery < b.delivery AND (a.hours = b.hours OR a.hours & b.hours <> 0)';
    await duck.run(`INSERT INTO pair SELECT a.delivery, b.delivery, count(*), 0, min(a.day), max(a.day)
        FROM trace a JOIN trace b ON a.print = b.print AND ${isSameTime} GROUP BY ALL;
      INSERT INTO pair SELECT a.delivery, b.delivery, 0, count(*), NULL, NULL
        FROM trace a JOIN trace b ON a.bare = b.bare AND a.print <> b.print AND ${isSameTime} GROUP BY ALL;
      INSERT INTO cell SELECT delivery, account, day, count(*) FROM trace GROUP BY ALL`);
  }
  return pairs;
}

/** The halves of an Azure bill, of actual and of amortized costs, do not conflict: each cost counts from one of them. */
function areRivals(one: Delivery, other: Delivery): boolean {
  const [a, b] = [one, other].map(({ sources }) => sources[0]?.file.speaksFor);
  return a === b || a === 'all' || b === 'all';
}

const dialectNames = {
  focus: 'FOCUS',
  'aws-report': 'an AWS Cost and Usage Report',
  'azure-details': 'Azure cost details',
} as const;

/** Rejects a sub-account's month in two dialects, such as FOCUS and a Cost and Usage Report: each has the whole bill. */
async function refuseDialects(duck: Duck, part: SummedMonth, deliveries: readonly Delivery[]): Promise<void> {
  const dialectOf = ({ sources }: Delivery) => sources[0]?.layout.dialect ?? 'focus';
  if (new Set(deliveries.map(dialectOf)).size < 2) return;
  const dialects = deliveries.map((each) => `(${each.no}, '${dialectOf(each)}')`).join(', ');
  const [found] = await duck.rows(`
    WITH billed AS (SELECT DISTINCT delivery, dialect, x_Provider, SubAccountId
      FROM ${part.sums} JOIN (SELECT DISTINCT unnest(sigs) AS sig, x_Provider, SubAccountId FROM charge) USING (sig)
      JOIN ${deliveryOf(deliveries)} USING (file_no) JOIN (VALUES ${dialects}) AS k(delivery, dialect) USING (delivery)
      WHERE SubAccountId <> 'unassigned')
    SELECT a.delivery AS kept, b.delivery AS extra, a.SubAccountId AS account FROM billed a JOIN billed b
      ON a.x_Provider = b.x_Provider AND a.SubAccountId = b.SubAccountId AND a.dialect <> b.dialect
    ORDER BY a.dialect <> 'focus', 1, 2, 3 LIMIT 1`);
  const [kept, extra] = [found?.['kept'], found?.['extra']].map((no) => deliveries[Number(no ?? NaN)]);
  if (!kept || !extra) return;
  const described = (delivery: Delivery) => `"${delivery.name}" (${dialectNames[dialectOf(delivery)]})`;
  throw new Refusal(
    `${described(kept)} and ${described(extra)} are both bills of sub-account "${found?.['account']}" for ${part.month}; ${removal(part, `"${extra.name}"`, [extra])}, ${twice}`,
  );
}

/** Numbers of fingerprints of two deliveries. */
interface Overlap {
  readonly one: number;
  readonly other: number;
  readonly shared: number;
  /** Charges with the same usage at other prices. */
  readonly repriced: number;
  /** Fingerprints of each delivery. */
  readonly whole: readonly [number, number];
  /** Fingerprints of each delivery in the sub-accounts and days that both have. */
  readonly near: readonly [number, number];
  /** First and last day with shared fingerprints. */
  readonly days: readonly [string, string];
}

/** Returns the pairs of deliveries that share any charge or usage, from the tables `pair` and `cell`. */
async function findOverlaps(duck: Duck): Promise<Overlap[]> {
  const rows = await duck.rows(`
    WITH pairs AS (SELECT one, other, sum(shared) AS shared, sum(repriced) AS repriced, min(first) AS first, max(last) AS last FROM pair GROUP BY 1, 2),
      cells AS MATERIALIZED (SELECT delivery, account, day, sum(n) AS n FROM cell GROUP BY ALL),
      whole AS (SELECT delivery, sum(n) AS n FROM cells GROUP BY 1),
      near AS (SELECT one, other, sum(a.n) AS near_one, sum(b.n) AS near_other FROM cells a JOIN pairs ON a.delivery = one
        JOIN cells b ON b.delivery = other AND a.account = b.account AND a.day = b.day GROUP BY 1, 2)
    SELECT pairs.*, near_one, near_other, w.n AS whole_one, v.n AS whole_other FROM pairs JOIN near USING (one, other)
      JOIN whole w ON w.delivery = one JOIN whole v ON v.delivery = other ORDER BY one, other`);
  return rows.map((row) => {
    const number = (name: string) => Number(row[name]);
    return {
      one: number('one'),
      other: number('other'),
      shared: number('shared'),
      repriced: number('repriced'),
      whole: [number('whole_one'), number('whole_other')],
      near: [number('near_one'), number('near_other')],
      days: [row['first'] ?? '', row['last'] ?? ''],
    };
  });
}

/** Minimum number of equal charges that is no coincidence: two parts of a bill may have a fee of the same amount. */
const enough = 5;

/** Returns whether deliveries repeat each other: one is in the other and makes up half of it, or most charges coincide where both
 *  have the same sub-account and day. Files by hour, day, service or account share none. */
function isRepeat({ shared, whole, near }: Overlap): boolean {
  const [least, most] = [Math.min(...whole), Math.max(...whole)];
  return (shared === least && 2 * shared >= most) || (shared >= enough && 2 * shared >= Math.min(...near));
}

/** Returns per currency what the second of two deliveries adds to the month. */
async function describeRestated(
  duck: Duck,
  { sums }: SummedMonth,
  [one, other]: readonly [Delivery, Delivery],
  charges: number,
): Promise<CostRepair[]> {
  const rows = await duck.rows(`
    SELECT BillingCurrency AS currency, sum(BilledCost) AS amount
    FROM ${sums} JOIN (SELECT DISTINCT unnest(sigs) AS sig, BillingCurrency FROM charge) USING (sig) JOIN ${deliveryOf([other])} USING (file_no)
    GROUP BY 1 ORDER BY 1`);
  return rows.map(({ currency, amount }, no) => ({
    kind: 'restated',
    currency: currency ?? '',
    charges: no === 0 ? charges : 0,
    amount: amount ?? '0',
    resources: [one.name, other.name],
  }));
}

/** Returns whether most charges of a delivery have the same usage in another one, at other prices: most of all its charges, or of
 *  those on the days and in the sub-accounts that both have. */
function isRestated({ repriced, whole, near }: Overlap): boolean {
  const most = 2 * repriced;
  return (repriced >= enough && most >= Math.min(...near)) || (repriced > 1 && most >= Math.min(...whole));
}

function repeated(part: SummedMonth, one: Delivery, other: Delivery, overlap: Overlap): Refusal {
  const { shared, whole, near, days } = overlap;
  const { month } = part;
  const names = `"${one.name}" and "${other.name}"`;
  if (shared === whole[0] && shared === whole[1])
    return new Refusal(
      `${names} contain the same charges of ${month}; ${removal(part, 'one of them', [one, other])}, ${twice}`,
    );
  const [inner, outer] = shared === whole[0] ? [one, other] : [other, one];
  if (shared === Math.min(...whole))
    return new Refusal(
      `"${outer.name}" contains all charges of ${month} that "${inner.name}" has; ${removal(part, `"${inner.name}"`, [inner])}, ${twice}`,
    );
  const share = Math.floor((100 * shared) / Math.min(...near));
  const when = days[0] === days[1] ? `of ${days[0]}` : `from ${days[0]} to ${days[1]}`;
  return new Refusal(
    `${names} overlap: they share ${share}% of their charges ${when}; ${removal(part, 'the older one', [one, other])}, or export them again without overlapping days; otherwise their shared costs would count twice`,
  );
}

const twice = 'or its costs would count twice';

/** Returns what to remove: a delivery, or perhaps only its charges of the month, if its other months would be lost too. */
function removal({ month, spanning }: SummedMonth, what: string, deliveries: readonly Delivery[]): string {
  const isSpanning = deliveries.some(({ sources }) => sources.some(({ file }) => spanning.has(file.key)));
  return isSpanning
    ? `remove ${what} (if its other months are not repeated, only its charges of ${month})`
    : `remove ${what}`;
}
