import { Logger } from 'graphile-worker';
import type { Log } from '../kit/log.ts';

// graphile-worker logs each failed job, and so does our own wrapper, with the cause. One of them is enough.
const OURS = /^Failed task |^Completed task /;

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;

/** Forwards graphile-worker's log to ours; routine messages one level lower. */
export function graphileLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if (OURS.test(message)) return;
    const error = meta?.['error'];
    log[LEVELS[level as keyof typeof LEVELS] ?? 'debug'](error instanceof Error ? { err: error } : {}, message);
  });
}
