import { Prisma } from '../../../../prisma/generated/client/client.ts';
import { idOf } from '../../../engine/codebook.ts';
import { dimensionsIn, type ValueRules } from '../../allocation/rule-sql.ts';
import { parseLive, type LiveDefinition } from '../../allocation/store.ts';
import { foldedTagKey, tagKeyOf } from '../dimensions.ts';
import type { CostQuery } from '../query.ts';
import type { Spellings, TagBasis } from './fact-values.ts';
import { tagKeysOf, virtualKeysOf } from './planner.ts';
import type { TaggedSlice } from './rollups.ts';
import { ownership, run, type LedgerSlice, type Reader } from './sql.ts';

/** Reads the key spellings and live rules that determine the values of a query's tags and virtual tags. */
export async function readTagBasis(reader: Reader, slice: TaggedSlice, query: CostQuery): Promise<TagBasis> {
  const live = await readLive(reader, slice, virtualKeysOf(query));
  return tagBasis(reader, slice, new Map<string, ValueRules>([...live, ...(slice.drafts ?? [])]), tagKeysOf(query));
}

/** Reads the spellings that rules and keys depend on.
 *  @param keys further tag keys, folded */
export async function tagBasis(
  reader: Reader,
  slice: Pick<LedgerSlice, 'organizationId' | 'accountIds'>,
  virtualTags: TagBasis['virtualTags'],
  keys: readonly string[] = [],
): Promise<TagBasis> {
  const used = [...virtualTags.values()].flatMap(({ rules }) => dimensionsIn(rules));
  const inRules = used.flatMap((dimension) => tagKeyOf(dimension) ?? []).map(foldedTagKey);
  return { virtualTags, spellings: await readSpellings(reader, slice, [...keys, ...inRules]) };
}

/** Reads the spellings of tag keys in the bills, by folded key. */
async function readSpellings(
  reader: Reader,
  slice: Pick<LedgerSlice, 'organizationId' | 'accountIds'>,
  keys: readonly string[],
): Promise<Spellings> {
  const ids = new Map(keys.map((key) => [idOf(key), key]));
  if (ids.size === 0) return new Map();
  const rows = await run<{ id: string; spelling: string }>(
    reader,
    Prisma.sql`/* costs: spellings */ SELECT DISTINCT id::text AS id, unnest(spellings) AS spelling FROM tag_keys
WHERE ${ownership(slice)} AND id = ANY(${[...ids.keys()]}) ORDER BY 1, 2`,
  );
  const spellings = new Map<string, string[]>();
  for (const { id, spelling } of rows) {
    const key = ids.get(id) ?? '';
    spellings.set(key, [...(spellings.get(key) ?? []), spelling]);
  }
  return spellings;
}

/** Reads the live definitions of an organization's enabled virtual tags, by key; keys without a virtual tag are absent.
 *  @param keys null: all */
export async function readLive(
  reader: Reader,
  { organizationId }: Pick<LedgerSlice, 'organizationId'>,
  keys: readonly string[] | null,
): Promise<ReadonlyMap<string, LiveDefinition>> {
  if (keys?.length === 0) return new Map();
  const rows = await run<{ key: string; live: unknown }>(
    reader,
    Prisma.sql`/* costs: virtual tags */ SELECT key, live FROM virtual_tags
WHERE organization_id = ${organizationId} AND (${keys}::text[] IS NULL OR key = ANY(${keys})) AND enabled ORDER BY key`,
  );
  return new Map(rows.map(({ key, live }) => [key, parseLive(live)]));
}
