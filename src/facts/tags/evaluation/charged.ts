import { idSql } from '../../../engine/codebook.ts';
import { openFacts, type FactRange } from '../../../engine/fact-set.ts';
import { tagKeysSql } from '../../../engine/sql.ts';
import type { Deps } from '../../../kit/deps.ts';
import { addDays, type Day } from '../../../kit/time/period.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { stageFacts, type StagedFacts } from '../../staged.ts';

/** Whether a charge is for something that can be tagged: a resource that is used, or purchased other than as a commitment.
 *  Taxes, credits, adjustments, unused commitments, support plans and charges without a resource cannot be tagged. */
const taggable = `(ResourceId IS NOT NULL AND x_PricingKind NOT IN ('unused_reservation', 'unused_savings_plan')
  AND (ChargeCategory = 'Usage' OR (ChargeCategory = 'Purchase' AND CommitmentDiscountId IS NULL))
  AND ServiceName NOT ILIKE '%support%')`;

/** Days of charges that decide whether a resource can be tagged: more than the interval of monthly charges. */
const taggableDays = 93;

/** Cost by provider, currency and calendar month, as exact decimals. */
export interface ChargedCost {
  /** As spelled on the bill; null: all charges, tagged or not. */
  readonly key: string | null;
  readonly provider: string;
  readonly currency: string;
  readonly month: Day;
  readonly cost: string;
  /** Cost of taggable charges; null if none are taggable. */
  readonly taggableCost: string | null;
}

/** Tag usage of an account's charges in the last 30 complete days. */
export interface ChargedTags {
  readonly costs: readonly ChargedCost[];
  /** The table `charged_values`: ids of each key's values, by provider. */
  readonly values: StagedFacts;
}

/** Reads how charges use tags.
 *  @param last the last complete day */
export async function readChargedTags(
  deps: Pick<Deps, 'pool' | 'engine'>,
  scope: OrgScope,
  accountId: string,
  last: Day,
): Promise<ChargedTags> {
  const range = { start: addDays(last, -29), end: addDays(last, 1), grain: 'month' } as const;
  const facts = await openFacts(deps.pool, scope, { accountIds: [accountId], ...range });
  const costs = await deps.engine.rows<ChargedCost>(facts, { name: 'chargedKeys', sql: costsSql, lane: 'job' });
  const columns = 'provider text, key text, value_id bigint';
  const query = { name: 'chargedValues', sql: valuesSql };
  return {
    costs,
    values: await stageFacts(deps, scope, accountId, [{ name: 'charged_values', columns, range, query }]),
  };
}

const groups = 'provider, currency, month';

const costsSql = `WITH sets AS MATERIALIZED (
  SELECT x_Provider AS provider, BillingCurrency AS currency, date_trunc('month', ChargePeriodStart)::DATE AS month, Tags,
    sum(EffectiveCost) AS cost, sum(EffectiveCost) FILTER (${taggable}) AS taggable
  FROM facts GROUP BY ALL
), pairs AS (
  SELECT ${groups}, cost, taggable, unnest(${tagKeysSql('Tags')}) AS key FROM sets WHERE Tags IS NOT NULL
), sums AS (
  SELECT key, ${groups}, cost, taggable FROM pairs UNION ALL SELECT NULL, ${groups}, cost, taggable FROM sets
)
SELECT key, ${groups}, sum(cost) AS cost, sum(taggable) AS "taggableCost" FROM sums GROUP BY ALL`;

const valuesSql = `WITH sets AS (
  SELECT DISTINCT x_Provider AS provider, Tags::JSON::MAP(VARCHAR, VARCHAR) AS entries FROM facts WHERE Tags IS NOT NULL
), pairs AS (
  SELECT DISTINCT provider, unnest(map_keys(entries)) AS key, unnest(map_values(entries)) AS value FROM sets
)
SELECT provider, key, ${idSql('value')} FROM pairs`;

/** Reads the ids of resources whose charges cannot be tagged.
 *  @param last the last complete day */
export async function readUntaggable(
  { pool, engine }: Pick<Deps, 'pool' | 'engine'>,
  scope: OrgScope,
  accountId: string,
  last: Day,
): Promise<string[]> {
  const range: FactRange = {
    accountIds: [accountId],
    start: addDays(last, 1 - taggableDays),
    end: null,
    grain: 'month',
  };
  const rows = await engine.rows<{ id: string }>(await openFacts(pool, scope, range), {
    name: 'untaggable',
    sql: `WITH untaggable AS (
  SELECT x_Provider, ResourceId FROM facts WHERE ResourceId IS NOT NULL GROUP BY ALL HAVING NOT bool_or(${taggable})
)
SELECT ${idSql('x_Provider', 'ResourceId')} AS id FROM untaggable`,
    lane: 'job',
  });
  return rows.map(({ id }) => id);
}
