import type { Log } from '../kit/log.ts';
import type { Caller } from './tools/tool.ts';

/** Whom a server answers, for as long as it does: one HTTP request, or one process over stdio. */
export interface Session {
  /** What one call works with.
   *  @param signal aborted when the client no longer waits */
  caller(signal?: AbortSignal): Caller;
  readonly log: Log;
  /** Hears how each call of a tool ended. */
  onCall(call: CallOutcome): void;
}

/** A call of a tool, without anything that was said in it. */
export interface CallOutcome {
  readonly tool: string;
  /** `OK`, or the code of its error. */
  readonly outcome: string;
  readonly ms: number;
}
