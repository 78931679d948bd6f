/** A finding of `doctor`. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  /** What to do about it; null with `ok`. */
  readonly remedy: string | null;
}

/** A check that found nothing. */
export function ok(name: string, detail: string): Check {
  return { name, status: 'ok', detail, remedy: null };
}

export function warning(name: string, detail: string, remedy: string): Check {
  return { name, status: 'warning', detail, remedy };
}

export function failed(name: string, detail: string, remedy: string): Check {
  return { name, status: 'failed', detail, remedy };
}

/** Turns an exception of a check into its failure. */
export async function orFailed(name: string, remedy: string, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    return failed(name, reasonOf(error), remedy);
  }
}

/** The text of an exception, also of one per address of a host. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message || error.name}${cause}`;
}
