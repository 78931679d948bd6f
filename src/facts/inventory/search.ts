import { Prisma } from '../../../prisma/generated/client/client.ts';
import { isUuid } from '../../kit/ids.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

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

/** Longer texts fit in no GIN index: their MD5 stands for them. */
const maxBytes = 500;

/** SQL of a relation with one column, `term`: two for each pair of a JSON object of tags, the key in lower case, and the
 *  key with U+001F and the value. In a key itself U+001F counts as U+001E. `inventory_resources.tag_terms` holds them, and filters by tag make the same of what they
 *  look for, in the database too, so that both agree on what lower case is.
 *  Each FROM holds one function: Citus 13 crashes on two in a correlated subquery.
 *  @param tags SQL of a jsonb object */
export function tagTerms(tags: string): string {
  const key = short(`lower(replace(regexp_replace(pair.key, '^(user:)+', ''), chr(31), chr(30)))`);
  const terms = `unnest(ARRAY[${key}, ${key} || chr(31) || ${short('pair.value')}])`;
  return `LATERAL (SELECT ${terms} AS term FROM jsonb_each_text(${tags}) AS pair) AS terms`;
}

function short(text: string): string {
  return `CASE WHEN octet_length(${text}) <= ${maxBytes} THEN ${text} ELSE md5(${text}) END`;
}

/** The resources of the inventory with these ids that the caller may see, gone or not, for queries that join them. Found
 *  account by account, as their index is. */
export function resourcesById({ organizationId, accountIds }: OrgScope, ids: readonly string[]): Prisma.Sql {
  const seen = accountIds ? Prisma.sql`AND a.id = ANY(${[...accountIds]}::uuid[])` : Prisma.empty;
  return Prisma.sql`SELECT i.account_id, i.resource_id, i.provider, i.native_id
    FROM accounts a JOIN inventory_resources i ON i.account_id = a.id AND i.organization_id = a.organization_id
    WHERE a.organization_id = ${organizationId}::uuid AND i.id = ANY(${[...ids]}::uuid[]) ${seen}`;
}
