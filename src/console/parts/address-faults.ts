import { faultOf, mostDays } from './day-range.tsx';

/** What an address asks that cannot be answered: in words, and the keys that ask it. */
export interface Fault {
  readonly text: string;
  readonly keys: readonly string[];
}

interface AskedDays {
  readonly from: string | null;
  readonly to: string | null;
}

/** What keeps the days of an address, either of which may be left out, from being asked.
 *  @param most days that can be asked for at once */
export function dayFaults({ from, to }: AskedDays, most = mostDays): Fault[] {
  const first = from ?? to;
  const last = to ?? from;
  if (first === null || last === null) return [];
  const fault = faultOf({ from: first, to: last }, most) ?? strangeDays(first, last);
  if (!fault) return [];
  const asked = from !== null && to !== null ? `The days ${from} to ${to}` : `The day ${first}`;
  return [{ text: `${asked}: ${lowerFirst(fault)}.`, keys: ['from', 'to'] }];
}

/** No bill is as old as the first, and arithmetic ends with the calendar of four digits. */
function strangeDays(first: string, last: string): string | null {
  return first < '2000-01-01' || last > '2099-12-31' ? 'Only the years 2000 to 2099 are known' : null;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
