import { specOf } from '../../src/jobs/queue.ts';
import { tasks } from '../../src/tasks.ts';
import type { Deps } from '../../src/kit/deps.ts';

/** A recorded job. */
export interface QueuedJob {
  readonly task: string;
  readonly payload: Record<string, unknown>;
}

/** A queue that records jobs instead of queueing them. */
export function recordingQueue(jobs: QueuedJob[]): Deps['queue'] {
  const keys = new WeakMap<QueuedJob, string>();
  return {
    async add(task, payload) {
      const { jobKey } = specOf(task, payload);
      const job = { task, payload };
      jobs.push(job);
      if (jobKey) keys.set(job, jobKey);
    },
    remove: async () => {},
    async pending(name, payloads) {
      const known = new Set(jobs.map((job) => keys.get(job)));
      return payloads.filter((payload) => known.has(specOf(name, payload).jobKey ?? ''));
    },
  };
}

/** A queue that discards all jobs. */
export const noQueue: Deps['queue'] = {
  add: async () => {},
  remove: async () => {},
  pending: async () => [],
};

/** Runs the jobs in sequence, including those that they queue, until none is left. */
export async function runJobs(deps: Deps, jobs: QueuedJob[]): Promise<void> {
  for (let queued = jobs.shift(); queued; queued = jobs.shift()) {
    const { task: name, payload } = queued;
    const task = tasks.find((known) => known.name === name);
    if (!task) throw new Error(`No task is called ${name}`);
    const signal = new AbortController().signal;
    // Serializes the payload like the queue does, which drops values that are not JSON.
    const sent: unknown = JSON.parse(JSON.stringify(payload));
    await task.handle(deps, sent, { id: '1', attempt: 1, maxAttempts: 25, runAt: deps.clock.now(), signal });
  }
}
