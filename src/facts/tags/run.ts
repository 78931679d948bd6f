import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { parseProviders } from '../provider.ts';
import type { Deps } from '../../kit/deps.ts';
import { type Amount, amountToNumber, parseAmount } from '../../kit/money.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import { tagKeyName } from '../../kit/tag-key.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { AnswerCache } from '../../kit/answer-cache.ts';
import { otherCostsOf } from '../month-costs.ts';
import { readLedger } from '../costs/ledger.ts';
import type { CostArgs } from '../costs/question.ts';
import type { LedgerSlice } from '../costs/reading/sql.ts';
import { countValues, keySortFields, listKeys, readTaggableCost, type KeyFilter, type KeyRow } from './list-store.ts';
import { listViolations, violationSortFields, type ViolationRow } from './violation-list-store.ts';
import type { TagKey, TagViolation } from './graphql-types.ts';
import { enabledPolicies } from './policies/store.ts';
import type { TagPolicy, TagProblem } from './policies/rule.ts';

/** Filters of a tag key list; null means any. */
export interface KeyQuery extends Pick<CostArgs, 'accountId' | 'provider'> {
  readonly search?: string | null;
  readonly sortBy?: SortBy<typeof keySortFields> | null;
}

/** Filters of a violation list; null means any. */
export interface ViolationQuery extends Pick<CostArgs, 'accountId' | 'provider'> {
  readonly policyId?: readonly string[] | null;
  readonly key?: readonly string[] | null;
  readonly problem?: readonly TagProblem[] | null;
  readonly resourceType?: readonly string[] | null;
  readonly byResource?: boolean | null;
  readonly sortBy?: SortBy<typeof violationSortFields> | null;
}

/** Returns a page of tag keys used by resources and charges in the last 30 days, largest cost first by default. */
export async function pageTags(
  deps: Pick<Deps, 'pool'>,
  scope: OrgScope,
  query: KeyQuery,
  page: PageRequest,
): Promise<{ rows: TagKey[]; total: number }> {
  const filter = {
    search: query.search ?? null,
    providers: parseProviders(query.provider),
    sort: parseSort(query.sortBy, keySortFields),
  };
  const slice = await sliceOf(deps, scope, query.accountId);
  const { rows, total } = await listKeys(deps.pool, slice, filter, page);
  const [taggable, values] = await Promise.all([
    readTaggableCost(deps.pool, slice, filter.providers),
    valuesOf(deps.pool, slice, filter, rows),
  ]);
  const whole = parseAmount(taggable);
  return {
    rows: rows.map((row) => ({
      key: row.key,
      valueCount: values.get(row.foldedKey) ?? row.mostValues,
      resourceCount: row.resourceCount,
      costLast30Days: rounded(row.cost),
      currency: slice.currency,
      coveragePercent: percentOf(parseAmount(row.taggableCost), whole),
    })),
    total,
  };
}

const counted = new AnswerCache<Record<string, number>>();

/** Counts the distinct values of keys that several accounts or providers use. Comparing hundreds of thousands of values is
 *  slow, so counts are cached until one of the accounts is evaluated again. */
async function valuesOf(
  pool: Pool,
  slice: LedgerSlice,
  filter: KeyFilter,
  rows: readonly KeyRow[],
): Promise<ReadonlyMap<string, number>> {
  const scattered = rows.filter(({ places }) => places > 1);
  if (scattered.length === 0) return new Map();
  const keys = scattered.map(({ foldedKey }) => foldedKey);
  const parts = [slice.organizationId, scattered.map(({ foldedKey, version }) => [foldedKey, version])];
  const version = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  const values = await counted.get(pool, version, () => countValues(pool, slice, filter, keys));
  return new Map(Object.entries(values));
}

/** Returns a page of violations of enabled policies, largest cost first by default. */
export async function pageViolations(
  deps: Pick<Deps, 'pool' | 'db'>,
  scope: OrgScope,
  query: ViolationQuery,
  page: PageRequest,
): Promise<{ rows: TagViolation[]; total: number }> {
  const sort = parseSort(query.sortBy, violationSortFields);
  const asked = once(query.policyId);
  const [slice, policies] = await Promise.all([sliceOf(deps, scope, query.accountId), enabledPolicies(deps.db, scope)]);
  const filter = {
    policyIds: policies.map(({ id }) => id).filter((id) => asked === null || asked.includes(id)),
    keys: query.key ? ruleKeys(policies, query.key) : null,
    problems: once(query.problem),
    resourceTypes: once(query.resourceType),
    providers: parseProviders(query.provider),
    sort,
    byResource: query.byResource ?? false,
  };
  const names = new Map(policies.map(({ id, name }) => [id, name]));
  const { rows, total } = await listViolations(deps.pool, slice, filter, page);
  return { rows: rows.map((row) => violationOf(row, names.get(row.policyId) ?? '')), total };
}

function violationOf(row: ViolationRow, policyName: string): TagViolation {
  const { policyId, key, problem, value, currency, cost, monthCosts, ...resource } = row;
  const costs = { costLast30Days: rounded(cost), currency, otherCosts: otherCostsOf(row), monthCosts };
  return { policyId, policyName, resource, key, problem, value, ...costs };
}

/** Returns the rules' keys that match the requested ones, ignoring case and the AWS prefix. */
function ruleKeys(policies: readonly TagPolicy[], asked: readonly string[]): string[] {
  const folded = new Set(asked.map((key) => tagKeyName(key).toLowerCase()));
  const keys = new Set(policies.flatMap(({ rules }) => rules.map(({ key }) => key)));
  return [...keys].filter((key) => folded.has(key.toLowerCase()));
}

/** Reads the slice of the requested accounts. Drops ids outside the scope, so that they are indistinguishable from ids that
 *  never existed. */
async function sliceOf(
  { pool }: Pick<Deps, 'pool'>,
  scope: OrgScope,
  asked: readonly string[] | null | undefined,
): Promise<LedgerSlice> {
  const ledger = await readLedger(pool, scope);
  const known = ledger.accounts.map(({ id }) => id);
  const accountIds = asked ? known.filter((id) => asked.includes(id)) : known;
  return { organizationId: scope.organizationId, currency: ledger.currency, accountIds };
}

/** Removes duplicates: a client can repeat a value more often than a query accepts parameters. */
function once<Value>(values: readonly Value[] | null | undefined): Value[] | null {
  return values ? [...new Set(values)] : null;
}

function rounded(amount: string): number {
  return amountToNumber(parseAmount(amount));
}

/** Returns a percentage with 2 decimals, halves rounded away from zero; null if the whole is 0. */
function percentOf(part: Amount, whole: Amount): number | null {
  if (whole === 0n) return null;
  const scaled = (part * 100_000n) / whole;
  return Number((scaled < 0n ? scaled - 5n : scaled + 5n) / 10n) / 100;
}
