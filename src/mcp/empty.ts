import type { z } from 'zod';
import type { pagination } from './output.ts';

/** What to say of a page without rows; nothing where it has some.
 *  @param nothing what to try instead, where the whole list is empty */
export function emptyHint(
  page: z.output<typeof pagination>,
  rows: readonly unknown[],
  nothing: string,
): { hint?: string } {
  if (rows.length > 0) return {};
  return { hint: page.total === 0 ? nothing : `Page ${page.page} is after the last one, ${page.total_pages}` };
}
