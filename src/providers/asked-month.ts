import { dayOf } from '../kit/period.ts';
import type { SourceFile } from './contract.ts';

/** A month that a provider is asked for, as the file that its answer becomes.
 *  @param token changes when it is worth asking for again */
export function askedMonth(
  key: string,
  { month, token, snapshotAt = null }: { month: string; token: string; snapshotAt?: Date | null },
): SourceFile {
  return { key, token, sizeBytes: 0, format: 'csv', month, snapshotAt, expectedRows: null, speaksFor: 'all' };
}

/** Half of a UTC day, `2026-11-21 am`: a token that changes twice a day. */
export function halfDay(now: Date): string {
  return `${dayOf(now)} ${now.getUTCHours() < 12 ? 'am' : 'pm'}`;
}
