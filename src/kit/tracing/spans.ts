/** Values of a span: never secrets, and never values of queries. */
export type SpanFields = Readonly<Record<string, string | number | boolean>>;

/** Where a span is in the tree. `entry`: the beginning of a trace, or the continuation of the caller's. `inner`: only below
 *  another span, so that polling makes no traces. */
export type SpanPlace = { readonly entry: 'server' | 'consumer'; readonly headers?: object } | 'inner';

/** A span that has begun. */
export interface OpenSpan {
  /** Runs work below the span. */
  run<Result>(work: () => Result): Result;
  /** Ends it. A later call has no effect. */
  end(ending?: { readonly error?: unknown; readonly name?: string; readonly fields?: SpanFields }): void;
  /** Ids for log lines. */
  readonly logFields: TraceFields;
}

/** Fields of log lines in a trace. */
export type TraceFields = { readonly trace_id: string; readonly span_id: string } | Record<string, never>;

/** The tracer of the process. */
export interface Tracer {
  begin(name: string, place: SpanPlace, fields: SpanFields): OpenSpan | null;
  /** Ids of the current span. */
  logFields(): TraceFields;
}

let tracer: Tracer | null = null;

/** Sets the tracer of the process; null: none. */
export function useTracer(next: Tracer | null): void {
  tracer = next;
}

/** Whether the process is traced. */
export function isTraced(): boolean {
  return tracer !== null;
}

/** Begins a span; null if the process is not traced, or an inner span would have no parent. */
export function beginSpan(name: string, place: SpanPlace, fields: SpanFields = {}): OpenSpan | null {
  return tracer?.begin(name, place, fields) ?? null;
}

/** Runs work in a span. */
export async function inSpan<Result>(
  name: string,
  fields: SpanFields,
  work: () => Promise<Result>,
  place: SpanPlace = 'inner',
): Promise<Result> {
  const span = beginSpan(name, place, fields);
  if (span === null) return work();
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end({ error });
    throw error;
  }
}

/** Ids of the current span for a log line; empty without one. */
export function traceFields(): TraceFields {
  return tracer?.logFields() ?? {};
}
