import type { CostHistory, PreparedHistory } from '../../facts/costs/history/history.ts';
import type { Ledger } from '../../facts/costs/ledger.ts';
import { listEnding, readEnds, type CommitmentEnd, type EndingCommitment } from '../../facts/coverage/ending.ts';
import type { Deps } from '../../kit/deps.ts';
import { addDays, daysBetween, type Day } from '../../kit/time/period.ts';
import type { KnownChange } from './divided-series.ts';

type ChangeDeps = Pick<Deps, 'pool' | 'engine'>;

/** Dimensions by which the use of commitments is known. */
const known = new Set(['account', 'provider', 'service']);

/** Lists the commitments that end within the days after a history, if they change its costs. Only EffectiveCost changes: in the
 *  other metrics, the cost of committed usage does not depend on the commitment, or is its fee.
 *  @param ledger from which the history was prepared
 *  @param days number of days */
export async function listChanges(
  { pool }: Pick<Deps, 'pool'>,
  ledger: Ledger,
  { used, range, query }: PreparedHistory,
  days: number,
): Promise<EndingCommitment[]> {
  const isKnown = [...query.include, ...query.exclude].every(
    ({ dimension }) => typeof dimension === 'string' && known.has(dimension),
  );
  if (range === null || !isKnown || used.length === 0 || query.costMetric !== 'effective') return [];
  const last = addDays(range.end, days - 1);
  const isUsed = ({ accountId, date }: EndingCommitment) =>
    date >= range.end && date <= last && used.some(({ id }) => id === accountId);
  return (await listEnding(pool, ledger)).filter(isUsed);
}

/** Reads the changes in cost when these commitments end. */
export async function readChanges(
  deps: ChangeDeps,
  { ledger, used, range, query }: PreparedHistory,
  ending: readonly EndingCommitment[],
): Promise<CommitmentEnd[]> {
  const slice = { ...ledger, accountIds: used.map(({ id }) => id) };
  return range ? readEnds(deps, slice, { history: range, query }, ending) : [];
}

/** Assigns changes to the parts of a history: that of the service, or of all others.
 *  @param next the first day after the history */
export function changesOf({ parts }: CostHistory, next: Day, ends: readonly CommitmentEnd[]): KnownChange[] {
  const others = parts.length - 1;
  return ends.map(({ service, date, dailyChange }) => {
    const part = parts.findIndex((each) => each.service === service);
    return { part: part < 0 ? others : part, from: daysBetween(next, date), daily: dailyChange };
  });
}

/** Returns the part of a cache key that stands for changes. */
export function changesKey(ending: readonly EndingCommitment[]): string {
  return ending.length === 0 ? '' : JSON.stringify(ending);
}
