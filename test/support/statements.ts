import pg from 'pg';
import { onTestFinished, vi } from 'vitest';

/** Records the SQL that this process sends until the test ends. Returns a function that runs some work and returns the
 *  statements sent meanwhile. */
export function statementRecorder(): (work: () => Promise<unknown>) => Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => spy.mockRestore());
  return async (work) => {
    spy.mockClear();
    await work();
    return spy.mock.calls
      .map(([query]) => textOf(query))
      .filter((text) => !/^(BEGIN|COMMIT|ROLLBACK|SET)\b/i.test(text));
  };
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : '';
}
