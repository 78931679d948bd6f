import { z } from 'zod';
import type { Prisma, VirtualTag as TagRow } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import type { PageRequest, Rows } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import { Records } from '../../tenancy/accounts/about.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { ValueRules } from './rule-sql.ts';
import { allocationLimits, storedRules, type AllocationRule } from './rules.ts';
import { storedSplits, type Split } from './splits.ts';

/** Sort fields of virtual tags, in REST spelling. */
export const virtualTagSortFields = ['name', 'created_at'] as const;

/** A virtual tag as its use cases see it. */
export type VirtualTag = Omit<TagRow, 'rules' | 'splits' | 'live'> & {
  readonly rules: readonly AllocationRule[];
  readonly splits: readonly Split[];
};

/** Selects the organization's virtual tags: every member sees them, but restricted members do not see their rules. */
const visible = ({ organizationId }: OrgScope) => ({ organizationId });

/** The virtual tags of organizations. */
export const virtualTags = new Records<TagRow, VirtualTag>({
  noun: 'Virtual tag',
  plural: 'virtual tags',
  resourceType: 'virtual_tag',
  limit: allocationLimits.tags,
  model: (db) => db.virtualTag,
  visible,
  parse: ({ live: _live, rules, splits, ...row }) => ({
    ...row,
    rules: storedRules(rules),
    splits: storedSplits(splits),
  }),
  details: ({ key, name, enabled, rules, splits }) => ({
    key,
    name,
    enabled,
    rules: rules.length,
    splits: splits.map((split) => split.name),
  }),
});

/** Returns a page of selected virtual tags, newest first by default. */
export function pageVirtualTags(
  { db }: { readonly db: Db },
  scope: OrgScope,
  {
    enabled,
    sortBy,
  }: { readonly enabled?: boolean | null; readonly sortBy?: SortBy<typeof virtualTagSortFields> | null },
  page: PageRequest & { select: { id: true } },
): Rows {
  const sort = parseSort(sortBy, virtualTagSortFields);
  return virtualTags.page(db, scope, { filters: [{ enabled: enabled ?? undefined }], sort }, page);
}

/** Locks the organization's virtual tags until the transaction ends, and returns their keys and slots. */
export async function lockVirtualTags(
  db: Db,
  scope: Pick<OrgScope, 'organizationId'>,
): Promise<{ key: string; slot: number }[]> {
  await virtualTags.lockAll(db, scope);
  return db.virtualTag.findMany({ where: { organizationId: scope.organizationId }, select: { key: true, slot: true } });
}

/** Locks an enabled virtual tag against changes until the transaction ends.
 *  @returns false if there is none with the key */
export async function holdEnabledTag(
  db: Db,
  { organizationId }: Pick<OrgScope, 'organizationId'>,
  key: string,
): Promise<boolean> {
  if (key.includes('\0')) return false;
  const rows = await db.$queryRaw<object[]>`/* holdEnabledTag */
    SELECT 1 FROM virtual_tags WHERE organization_id = ${organizationId}::uuid AND key = ${key} AND enabled FOR SHARE`;
  return rows.length > 0;
}

/** Lists the names of the budgets and alert rules whose scope includes a virtual tag. */
export async function listTagUsers(
  db: Db,
  { organizationId }: Pick<OrgScope, 'organizationId'>,
  key: string,
): Promise<{ budgets: string[]; rules: string[] }> {
  const asked = { where: { organizationId, tagKey: `virtual:${key}` }, select: { name: true } } as const;
  const sorted = { ...asked, orderBy: { name: 'asc' } } as const;
  const [budgets, rules] = [await db.budget.findMany(sorted), await db.alertRule.findMany(sorted)];
  return { budgets: budgets.map(({ name }) => name), rules: rules.map(({ name }) => name) };
}

/** Lists the names of virtual tags with a split by a unit metric, in the definition in use or in the newest one. */
export async function listNamesByMetric(
  db: Db,
  { organizationId }: Pick<OrgScope, 'organizationId'>,
  metricId: string,
): Promise<string[]> {
  const split = JSON.stringify([{ metricId }]);
  const rows = await db.$queryRaw<{ name: string }[]>`/* listNamesByMetric */ SELECT name FROM virtual_tags
    WHERE organization_id = ${organizationId}::uuid AND (splits @> ${split}::jsonb OR live->'splits' @> ${split}::jsonb)
    ORDER BY name`;
  return rows.map(({ name }) => name);
}

/** The live definition of a virtual tag, which answers use. `goLive` writes the same in SQL. */
export interface LiveDefinition extends ValueRules {
  readonly splits: readonly Split[];
}

const liveSchema = z.object({ defaultValue: z.string(), rules: z.unknown(), splits: z.unknown() });

/** Parses the live definition of a stored virtual tag.
 *  @throws {ZodError} if it is invalid */
export function parseLive(stored: unknown): LiveDefinition {
  const { defaultValue, rules, splits } = liveSchema.parse(stored);
  return { defaultValue, rules: storedRules(rules), splits: storedSplits(splits) };
}

/** Returns the live definition, as stored. */
export function liveOf(tag: Pick<VirtualTag, 'defaultValue' | 'rules' | 'splits'>): Prisma.InputJsonObject {
  return { defaultValue: tag.defaultValue, rules: [...tag.rules], splits: [...tag.splits] };
}
