import type { CalendarDay, ChargeKey } from './calendar.ts';
import { median } from './stats.ts';

/** What is charged once a month, beside what is spent each day. */
export interface Charge {
  readonly key: ChargeKey;
  /** The median of the last three times. */
  readonly amount: number;
}

export interface FoundCharges {
  /** At most one of a position. */
  readonly charges: readonly Charge[];
  /** What of each day's cost is such a charge, as it was that day. */
  readonly charged: readonly number[];
}

const mostCharges = 8;
/** How many months tell which position it is that a charge keeps to. */
const rememberedMonths = 12;
/** With equal evidence, the day of the month is the likelier rule. */
const kinds = ['d', 'l', 'b', 'e'];

interface Candidate extends Charge {
  readonly hits: readonly number[];
}

/** Finds charges that recur each month: a position in the month at which at least two of its last three days stood out. The
 *  position that explains most days comes first; what it explains, no other can.
 *  @param excess of each day over what the level and the weekday say
 *  @param threshold by how much a day must exceed them to stand out */
export function findCharges(
  excess: readonly number[],
  threshold: readonly number[],
  calendar: readonly CalendarDay[],
): FoundCharges {
  const left = [...excess];
  const charged = excess.map(() => 0);
  const charges: Charge[] = [];
  const positions = positionsOf(calendar.slice(0, excess.length));
  while (charges.length < mostCharges) {
    const found = strongest(positions, left, threshold);
    if (!found) break;
    charges.push({ key: found.key, amount: found.amount });
    for (const at of found.hits) {
      charged[at] = (charged[at] ?? 0) + (left[at] ?? 0);
      left[at] = 0;
    }
  }
  return { charges, charged };
}

/** What is charged on a day by its position in the month. */
export function chargedOn(day: CalendarDay, charges: readonly Charge[]): number {
  return charges.reduce((sum, { key, amount }) => sum + (day.keys.includes(key) ? amount : 0), 0);
}

/** The days at each position, in order. */
function positionsOf(calendar: readonly CalendarDay[]): Map<ChargeKey, number[]> {
  const positions = new Map<ChargeKey, number[]>();
  for (const [at, { keys }] of calendar.entries())
    for (const key of keys) {
      const days = positions.get(key);
      if (days) days.push(at);
      else positions.set(key, [at]);
    }
  return positions;
}

function strongest(
  positions: Map<ChargeKey, number[]>,
  excess: readonly number[],
  threshold: readonly number[],
): Candidate | undefined {
  const standsOut = (at: number) => (excess[at] ?? NaN) > (threshold[at] ?? Infinity);
  const candidates: Candidate[] = [];
  for (const [key, days] of positions) {
    const last = days.slice(-3);
    if (last.filter(standsOut).length < 2) continue;
    const amount = median(last.map((at) => excess[at] ?? NaN));
    candidates.push({ key, amount, hits: days.slice(-rememberedMonths).filter(standsOut) });
  }
  const rank = ({ key }: Candidate) => kinds.indexOf(key.charAt(0));
  return candidates.sort((a, b) => b.hits.length - a.hits.length || rank(a) - rank(b) || b.amount - a.amount)[0];
}
