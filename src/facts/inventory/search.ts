import { Prisma } from '../../../prisma/generated/client/client.ts';
import { isUuid } from '../../kit/ids.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** Returns SQL of the searchable text: `inventory_resources.search_text`.
 *  @param name SQL of the name
 *  @param nativeId SQL of the provider's id */
export function searchText(name: string, nativeId: string): string {
  return `lower(${name} || chr(31) || ${nativeId})`;
}

/** Returns a condition for resources `r` whose name or native id contains a text, ignoring case, or whose id it is. The
 *  pattern is constant to the planner, which can therefore use the trigram index. */
export function hasText(text: string): Prisma.Sql {
  // NUL is in no column and not allowed in parameters.
  if (text.includes('\0')) return Prisma.sql`false`;
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const found = Prisma.sql`r.search_text LIKE lower(${pattern})`;
  return isUuid(text) ? Prisma.sql`(${found} OR r.id = ${text}::uuid)` : found;
}

/** Maximum bytes of a term in a GIN index; longer texts are replaced by their MD5. */
const maxBytes = 500;

/** Returns SQL of a relation with one column, `term`: two terms for each tag in a JSON object, the lower-case key, and the
 *  key with U+001F and the value. U+001F in a key is replaced by U+001E. `inventory_resources.tag_terms` stores the terms;
 *  filters by tag compute theirs in the database too, so that both use the same lower-casing.
 *  Each FROM has one function: Citus 13 crashes on two in a correlated subquery.
 *  @param tags SQL of a jsonb object */
export function tagTerms(tags: string): string {
  const key = short(`lower(replace(regexp_replace(pair.key, '^(user:)+', ''), chr(31), chr(30)))`);
  const terms = `unnest(ARRAY[${key}, ${key} || chr(31) || ${short('pair.value')}])`;
  return `LATERAL (SELECT ${terms} AS term FROM jsonb_each_text(${tags}) AS pair) AS terms`;
}

function short(text: string): string {
  return `CASE WHEN octet_length(${text}) <= ${maxBytes} THEN ${text} ELSE md5(${text}) END`;
}

/** Returns SQL of the inventory resources with these ids that the caller can see, gone or not, for joins. Searches account
 *  by account, to match the index. */
export function resourcesById({ organizationId, accountIds }: OrgScope, ids: readonly string[]): Prisma.Sql {
  const seen = accountIds ? Prisma.sql`AND a.id = ANY(${[...accountIds]}::uuid[])` : Prisma.empty;
  return Prisma.sql`SELECT i.account_id, i.resource_id, i.provider, i.native_id
    FROM accounts a JOIN inventory_resources i ON i.account_id = a.id AND i.organization_id = a.organization_id
    WHERE a.organization_id = ${organizationId}::uuid AND i.id = ANY(${[...ids]}::uuid[]) ${seen}`;
}
