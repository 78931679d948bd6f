import { setTimeout as pause } from 'node:timers/promises';
import { ApiFailure } from '../../api/failure.ts';

/** Waits between questions, in ms: most reports are there within a second. About 20 seconds in all. */
const waitsMs = [250, 500, 750, 1000, 1500, 2000, 3000, 3500, 3500, 4000];

/** Whether a report's file has been written. */
interface Awaited {
  readonly status: 'pending' | 'ready' | 'failed';
}

/** Waits until a report is ready or has failed, for about 20 seconds at most: then it is answered pending. The report
 *  exists, so that a question that fails ends the waiting alone: an error would have it made again.
 *  @param created as it was answered when it was made
 *  @param ask asks for it again
 *  @param wait only tests bring their own */
export async function awaitReport<Report extends Awaited>(
  created: Report,
  ask: () => Promise<Report>,
  wait: (ms: number) => Promise<unknown> = pause,
): Promise<Report> {
  let report = created;
  for (const ms of waitsMs) {
    if (report.status !== 'pending') break;
    await wait(ms);
    const answer = await answered(ask);
    if (answer === null) break;
    report = answer;
  }
  return report;
}

async function answered<Report>(ask: () => Promise<Report>): Promise<Report | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ApiFailure) return null;
    throw error;
  }
}
