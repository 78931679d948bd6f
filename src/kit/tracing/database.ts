import { AsyncResource } from 'node:async_hooks';
import type pg from 'pg';
import { beginSpan } from './spans.ts';

/** Maximum length of a statement in a span, in characters. */
const maxStatement = 2_000;

type Query = (...args: unknown[]) => unknown;

/** Adds a span for each statement of a pool, below the span of the request or job: its text, without values. */
export function traceQueries(pool: pg.Pool): void {
  pool.on('connect', traceClient);
  // A query that waits for a connection runs in the context of the one that releases it.
  const connect = pool.connect.bind(pool) as Query;
  pool.connect = ((...args: unknown[]) => connect(...args.map(bound))) as pg.Pool['connect'];
}

function bound(argument: unknown): unknown {
  return typeof argument === 'function' ? AsyncResource.bind(argument as Query) : argument;
}

function traceClient(client: pg.PoolClient): void {
  const query = client.query.bind(client) as Query;
  client.query = ((...args: unknown[]) => {
    const text = statementOf(args[0]);
    const span = text === null ? null : beginSpan(nameOf(text), 'inner', fieldsOf(text));
    if (span === null) return query(...args);
    const last = args.at(-1);
    if (typeof last === 'function') {
      const answer = (error: unknown, ...rest: unknown[]) => {
        span.end(error ? { error } : {});
        (last as Query)(error, ...rest);
      };
      return span.run(() => query(...args.slice(0, -1), AsyncResource.bind(answer)));
    }
    const result = span.run(() => query(...args));
    if (result instanceof Promise)
      result.then(
        () => span.end(),
        (error: unknown) => span.end({ error }),
      );
    else span.end();
    return result;
  }) as pg.PoolClient['query'];
}

/** The text of a query; null for COPY streams and cursors. */
function statementOf(query: unknown): string | null {
  if (typeof query === 'string') return query;
  if (typeof query !== 'object' || query === null || 'submit' in query) return null;
  return 'text' in query && typeof query.text === 'string' ? query.text : null;
}

/** The function named in our comment, otherwise the first word. */
function nameOf(text: string): string {
  const [, own] = /^\s*\/\*\s*(.{1,60}?)\s*\*\//.exec(text) ?? [];
  return `db ${own ?? /\w+/.exec(text)?.[0]?.toUpperCase() ?? 'query'}`;
}

function fieldsOf(text: string) {
  return { 'db.system.name': 'postgresql', 'db.query.text': text.trim().slice(0, maxStatement) };
}
