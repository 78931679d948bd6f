import { Prisma } from '../../../prisma/generated/client/client.ts';
import { isUuid } from '../../kit/ids.ts';

/** SQL of the text that a search looks into: `inventory_resources.search_text`.
 *  @param name SQL of the name
 *  @param nativeId SQL of the provider's id */
export function searchText(name: string, nativeId: string): string {
  return `lower(${name} || chr(31) || ${nativeId})`;
}

/** Whether a resource `r` has a text in its name or native id, in whatever case, or is the one of that id. The pattern is a
 *  constant to the planner, which then looks for its trigrams in an index. */
export function hasText(text: string): Prisma.Sql {
  // No column holds it, and no parameter may.
  if (text.includes('\0')) return Prisma.sql`false`;
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const found = Prisma.sql`r.search_text LIKE lower(${pattern})`;
  return isUuid(text) ? Prisma.sql`(${found} OR r.id = ${text}::uuid)` : found;
}
