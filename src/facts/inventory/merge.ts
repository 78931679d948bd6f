import { searchText } from './search.ts';
import { tagTerms } from './tag-terms.ts';

// One statement, so that Citus runs it on the one node that has the account. Parameters: $1 account, $2 organization,
// $3 first day of the 30, $4 the last complete day, $5 now, $6 when the latest listing was made (null: there is none),
// $7 the currency of what has no cost.

/** Days after its last charge on which a resource billed by the day is taken for gone. */
const billedDaily = 3;
/** The same for one that has a single charge, on the first of a month or for a purchase: it is billed by the month. */
export const billedMonthly = 34;
/** Rhythms longer than a month are not waited for. */
const longestRhythm = 31;
/** Longer texts fit in no index; those of the figures are not cut. */
const maxName = 500;
const maxText = 150;
/** How long what is gone stays. */
export const goneDays = 30;

/** Whether a day is late enough to know from it what is there: 30 days before the last of a month lack its first, on which
 *  what is billed by the month is billed. */
const isLately = (day: string) => `${day} >= $4::date - ${billedMonthly}`;

/** What the bills of these days, and of the days since that still grow, say of each resource. */
const charges = `
parts AS MATERIALIZED (
  SELECT resource_id, currency, service_id, region_id, sub_account_id, tag_set_id,
    coalesce(sum(effective) FILTER (WHERE charge_date BETWEEN $3 AND $4), 0) AS cost,
    max(charge_date) FILTER (WHERE charge_category IN (1, 2) AND charge_class = 0) AS used_on
  FROM cost_facts WHERE account_id = $1 AND organization_id = $2 AND ${isLately('charge_date')} AND resource_id <> 0
  GROUP BY 1, 2, 3, 4, 5, 6
), used AS (
  SELECT resource_id, max(used_on) AS used_on FROM parts GROUP BY 1
), costs AS (
  SELECT DISTINCT ON (resource_id) resource_id, currency, cost
  FROM (SELECT resource_id, currency, sum(cost) AS cost FROM parts GROUP BY 1, 2) AS c
  ORDER BY resource_id, abs(cost) DESC, currency
), places AS (
  SELECT DISTINCT ON (resource_id) resource_id, service_id, region_id, sub_account_id
  FROM (SELECT resource_id, service_id, region_id, sub_account_id, sum(abs(cost)) AS cost FROM parts GROUP BY 1, 2, 3, 4) AS p
  ORDER BY resource_id, cost DESC, service_id, region_id, sub_account_id
), tagged AS (
  SELECT DISTINCT ON (resource_id) resource_id, tag_set_id FROM parts
  ORDER BY resource_id, least(used_on, $4::date) DESC NULLS LAST, abs(cost) DESC, tag_set_id
)`;

/** Each resource there may be: on the bill lately, in the listing, or known from before. `seen` is the last day of usage or
 *  purchase; a dictionary entry whose charges a later delivery took back says nothing. */
const candidates = `
ids AS (
  SELECT id AS resource_id FROM resources WHERE account_id = $1 AND organization_id = $2 AND ${isLately('last_seen')}
  UNION SELECT resource_id FROM inventory_listings WHERE account_id = $1 AND organization_id = $2
  UNION SELECT resource_id FROM inventory_resources WHERE account_id = $1 AND organization_id = $2
), seen AS MATERIALIZED (
  SELECT i.resource_id, CASE WHEN u.used_on IS NOT NULL THEN u.used_on WHEN NOT ${isLately('r.last_seen')} THEN r.last_seen END AS seen
  FROM ids i LEFT JOIN used u USING (resource_id)
  LEFT JOIN resources r ON r.account_id = $1 AND r.organization_id = $2 AND r.id = i.resource_id
), charge_days AS (
  SELECT resource_id, charge_date, bool_or(charge_category = 2) AS is_purchase,
    charge_date - lag(charge_date) OVER (PARTITION BY resource_id ORDER BY charge_date) AS gap
  FROM cost_facts WHERE account_id = $1 AND organization_id = $2 AND charge_date > $4::date - 100
    AND charge_category IN (1, 2) AND charge_class = 0
    AND resource_id IN (SELECT resource_id FROM seen WHERE seen < $4::date - ${billedDaily} AND seen >= $4::date - ${billedMonthly})
  GROUP BY resource_id, charge_date
), rhythms AS (
  SELECT resource_id, CASE
    WHEN count(*) = 1 AND (bool_or(is_purchase) OR extract(day FROM min(charge_date)) = 1) THEN ${billedMonthly}
    ELSE greatest(${billedDaily}, 2 + least(coalesce(max(gap), 1), ${longestRhythm})) END AS days
  FROM charge_days GROUP BY resource_id
)`;

/** Whether it is there: listed; or billed lately, unless a later listing lacks what an earlier one had. */
const isThere = `coalesce(l.resource_id IS NOT NULL OR (
    $4::date - s.seen <= coalesce(h.days, ${billedDaily})
    AND (p.listed_at IS NULL OR $6::timestamptz IS NULL OR s.seen > ($6::timestamptz AT TIME ZONE 'UTC')::date)), false)`;

const merged = `
merged AS (
  SELECT s.resource_id, p.resource_id IS NULL AS is_new, coalesce(p.id, ${uuidv7()}) AS id,
    coalesce(l.provider, r.provider, p.provider) AS provider,
    coalesce(l.native_id, r.native_id, p.native_id) AS native_id,
    coalesce(nullif(l.name, ''), CASE WHEN p.listed_at IS NOT NULL THEN p.name END, nullif(r.name, '')) AS name,
    coalesce(nullif(l.resource_type, ''), CASE WHEN p.listed_at IS NOT NULL THEN nullif(p.resource_type, '') END,
      nullif(r.resource_type, ''), p.resource_type, '') AS resource_type,
    coalesce(v.name, p.service, nullif(l.service, ''), 'Unknown') AS service,
    coalesce(g.code, p.region, nullif(l.region, ''), 'global') AS region,
    coalesce(a.code, p.sub_account, '') AS sub_account,
    coalesce(l.tags, CASE WHEN t.resource_id IS NOT NULL THEN coalesce(ts.tags, '{}') END, p.tags, '{}') AS tags,
    p.tags AS old_tags, p.tag_terms AS old_terms,
    coalesce(l.metadata, p.metadata, '{}') AS metadata,
    coalesce(c.currency, p.currency, $7) AS currency,
    coalesce(c.cost, 0) AS cost_last_30_days,
    least(r.first_seen, p.first_seen_at, (l.listed_at AT TIME ZONE 'UTC')::date) AS first_seen_at,
    coalesce(greatest(s.seen, (coalesce(l.listed_at, p.listed_at) AT TIME ZONE 'UTC')::date), p.last_seen_at, r.first_seen) AS last_seen_at,
    coalesce(l.listed_at, p.listed_at) AS listed_at,
    CASE WHEN ${isThere} THEN NULL WHEN p.resource_id IS NULL THEN (s.seen + 1)::timestamp AT TIME ZONE 'UTC'
      ELSE coalesce(p.gone_at, $5) END AS gone_at,
    ${isThere} AS is_there
  FROM seen s
  LEFT JOIN inventory_resources p ON p.account_id = $1 AND p.organization_id = $2 AND p.resource_id = s.resource_id
  LEFT JOIN inventory_listings l ON l.account_id = $1 AND l.organization_id = $2 AND l.resource_id = s.resource_id
  LEFT JOIN resources r ON r.account_id = $1 AND r.organization_id = $2 AND r.id = s.resource_id
  LEFT JOIN rhythms h ON h.resource_id = s.resource_id
  LEFT JOIN costs c ON c.resource_id = s.resource_id
  LEFT JOIN places b ON b.resource_id = s.resource_id
  LEFT JOIN services v ON v.account_id = $1 AND v.organization_id = $2 AND v.id = b.service_id
  LEFT JOIN regions g ON g.account_id = $1 AND g.organization_id = $2 AND g.id = b.region_id
  LEFT JOIN sub_accounts a ON a.account_id = $1 AND a.organization_id = $2 AND a.id = b.sub_account_id
  LEFT JOIN tagged t ON t.resource_id = s.resource_id
  LEFT JOIN tag_sets ts ON ts.account_id = $1 AND ts.organization_id = $2 AND ts.id = t.tag_set_id
), named AS (
  SELECT resource_id, id, provider, native_id, left(coalesce(name, nullif(tags->>'Name', ''), nullif(regexp_replace(native_id, '^.*[/:]', ''), ''), native_id), ${maxName}) AS name,
    left(resource_type, ${maxText}) AS resource_type, left(service, ${maxText}) AS service, left(region, ${maxText}) AS region,
    sub_account, tags, CASE WHEN old_tags = tags THEN old_terms
      ELSE (SELECT coalesce(array_agg(term), '{}') FROM ${tagTerms('merged.tags')}) END AS tag_terms,
    metadata, currency, cost_last_30_days, first_seen_at, last_seen_at, listed_at, gone_at
  FROM merged WHERE is_there OR NOT is_new OR gone_at > $5::timestamptz - interval '${goneDays} days'
), searchable AS (
  SELECT *, ${searchText('name', 'native_id')} AS search_text FROM named
)`;

/** RFC 9562: the milliseconds, the version, and what is random in one of version 4. PostgreSQL has its own from 18 on. */
function uuidv7(): string {
  const ms = `lpad(to_hex((extract(epoch FROM $5::timestamptz) * 1000)::bigint), 12, '0')`;
  return `overlay(overlay(overlay(gen_random_uuid()::text PLACING left(${ms}, 8) FROM 1) PLACING right(${ms}, 4) FROM 10) PLACING '7' FROM 15)::uuid`;
}

const columns = [
  'id',
  'provider',
  'native_id',
  'name',
  'resource_type',
  'service',
  'region',
  'sub_account',
  'tags',
  'tag_terms',
  'search_text',
  'metadata',
  'currency',
  'cost_last_30_days',
  'first_seen_at',
  'last_seen_at',
  'listed_at',
  'gone_at',
] as const;

const list = (prefix: string) => columns.map((column) => `${prefix}${column}`).join(', ');

/** Bills and listing as one: what is new, what has changed and what is gone. Rows that stay as they are are left out before
 *  they come to a conflict, which would lock each of them. */
export const mergeStatement = `/* mergeInventory */ WITH ${charges}, ${candidates}, ${merged}
INSERT INTO inventory_resources AS i (account_id, organization_id, resource_id, ${list('')})
SELECT $1, $2, n.resource_id, ${list('n.')} FROM searchable n
LEFT JOIN inventory_resources o ON o.account_id = $1 AND o.organization_id = $2 AND o.resource_id = n.resource_id
WHERE (${list('o.')}) IS DISTINCT FROM (${list('n.')})
ON CONFLICT (account_id, resource_id) DO UPDATE SET (${list('')}) = (${list('excluded.')})`;
