import { Limiter, type Entry } from '../../../kit/process/limiter.ts';

/** The organization that loads bills. */
export type LoaderTurn = Pick<Entry, 'group' | 'lane'>;

/** Returns the group and lane in which an organization requests a loader slot.
 *  @param isShared other organizations also load bills on this server */
export function loaderTurn(organizationId: string, isShared: boolean): LoaderTurn {
  return { group: organizationId, lane: isShared ? 'shared' : alone };
}

const alone = 'alone';

const byCount = new Map<number, Limiter>();

/** Returns the semaphore for loader processes of this process: each needs its memory, and one or two cores. A load may take
 *  hours, so the last free slot is for an organization without one, unless there is only one. */
export function loaderSlots(limit: number): Limiter {
  const eligible = (waiting: readonly Entry[], running: readonly Entry[]) => {
    if (running.length < limit - 1) return waiting;
    return waiting.filter(({ group, lane }) => lane === alone || running.every((one) => one.group !== group));
  };
  const known = byCount.get(limit) ?? new Limiter({ limit, eligible });
  byCount.set(limit, known);
  return known;
}
