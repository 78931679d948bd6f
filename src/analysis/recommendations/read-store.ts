import type pg from 'pg';
import { pricingKindOf } from '../../facts/costs/pricing-kind.ts';
import { parseMetadata, type ResourceMetadata } from '../../facts/inventory/metadata.ts';
import { parseAmount } from '../../kit/money.ts';
import { addDays, type Day } from '../../kit/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { PriceRow } from './prices.ts';
import type { Subject, Usage, Window } from './subject.ts';

/** What of an account is looked at. */
export interface Books {
  readonly accountId: string;
  readonly window: Window;
  /** First day that the account has costs of. */
  readonly dataFrom: Day;
}

interface Names {
  readonly skus: ReadonlyMap<string, { meter: string; description: string; unit: string }>;
  readonly services: ReadonlyMap<string, string>;
  readonly regions: ReadonlyMap<string, string>;
  readonly subAccounts: ReadonlyMap<string, string>;
}

const days = 30;
/** Usages read at a time: other work of the process waits no longer than one batch takes. */
const batch = 1000;

/** The window of an account: the 30 days up to its last complete one, or as many of them as there are. Null before its
 *  first complete day. */
export async function readBooks(client: pg.ClientBase, scope: OrgScope, accountId: string): Promise<Books | null> {
  const { rows } = await client.query<{ through: Day; since: Day }>(
    `/* readBooks */ SELECT complete_through::text AS through, data_from::text AS since FROM accounts
     WHERE organization_id = $1 AND id = $2 AND complete_through IS NOT NULL AND data_from <= complete_through`,
    [scope.organizationId, accountId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const end = addDays(row.through, 1);
  const start = addDays(end, -days) > row.since ? addDays(end, -days) : row.since;
  const length = Math.round((Date.parse(end) - Date.parse(start)) / 86_400_000);
  return { accountId, dataFrom: row.since, window: { start, end, days: length } };
}

/** What each meter cost on demand in each region in the window. */
export async function readPrices(client: pg.ClientBase, scope: OrgScope, books: Books): Promise<PriceRow[]> {
  const { rows } = await client.query<Record<string, string>>(
    `/* readPrices */ SELECT f.provider, f.currency, r.code AS region, v.name AS service, s.meter, s.description,
       s.pricing_unit AS unit, f.quantity::text, f.cost::text
     FROM (
       SELECT provider, currency, region_id, service_id, sku_id, sum(effective) AS cost,
         sum(coalesce(pricing_quantity, consumed_quantity, 0)) AS quantity
       FROM cost_facts WHERE ${inWindow} AND pricing_kind = 1 GROUP BY 1, 2, 3, 4, 5
     ) f
     JOIN regions r ON r.account_id = $2 AND r.id = f.region_id
     JOIN services v ON v.account_id = $2 AND v.id = f.service_id
     JOIN skus s ON s.account_id = $2 AND s.id = f.sku_id`,
    parameters(scope, books),
  );
  return rows.map((row) => ({
    provider: row['provider'] ?? '',
    region: row['region'] ?? '',
    currency: row['currency'] ?? '',
    service: row['service'] ?? '',
    unit: row['unit'] ?? '',
    meter: meterName(row['provider'] ?? '', row['meter'] ?? '', row['description'] ?? ''),
    quantity: parseAmount(row['quantity'] ?? '0'),
    cost: parseAmount(row['cost'] ?? '0'),
  }));
}

/** Every subject of the account, one after the other, with its usage: resources, then commitments with an unused part, then
 *  charges without a resource. Memory holds one batch of rows.
 *  @param client a connection with an open transaction */
export async function* readSubjects(client: pg.ClientBase, scope: OrgScope, books: Books): AsyncGenerator<Subject> {
  const names = await readNames(client, scope, books.accountId);
  for (const about of ['resource', 'commitment', 'scope'] as const) {
    await client.query(`/* readSubjects */ DECLARE subjects NO SCROLL CURSOR FOR ${queries[about]}`, [
      ...parameters(scope, books),
      addDays(books.window.end, -14),
    ]);
    yield* subjectsOf(about, client, names);
    await client.query('CLOSE subjects');
  }
}

async function* subjectsOf(about: Subject['about'], client: pg.ClientBase, names: Names): AsyncGenerator<Subject> {
  let pending: Row[] = [];
  for (;;) {
    const { rows } = await client.query<Row>(`FETCH ${batch} FROM subjects`);
    if (rows.length === 0) break;
    for (const row of rows) {
      if (pending[0] && pending[0].key !== row.key) {
        yield subjectOf(about, pending, names);
        pending = [];
      }
      pending.push(row);
    }
  }
  if (pending.length > 0) yield subjectOf(about, pending, names);
}

interface Row {
  key: string;
  provider: string;
  currency: string;
  service_id: string;
  region_id: string;
  sub_account_id: string;
  sku_id: string;
  pricing_kind: number;
  quantity: string;
  weekend: string;
  recent: string;
  cost: string;
  day_mask: number;
  native_id: string;
  name: string;
  type: string;
  tags: string | null;
  metadata: string | null;
  is_listed: boolean;
  is_gone: boolean;
  first_seen: Day;
  last_seen: Day;
}

const inWindow = `organization_id = $1 AND account_id = $2 AND charge_date >= $3::date AND charge_date < $4::date
  AND charge_category = 1 AND charge_class = 0`;

function parameters(scope: OrgScope, { accountId, window }: Books): string[] {
  return [scope.organizationId, accountId, window.start, window.end];
}

/** Usage of the window by what makes a subject and by meter; a day is a bit, the last complete one the lowest. */
const usage = (key: string, where: string) => `
  SELECT ${key}, provider, currency, service_id, region_id, sub_account_id, sku_id, pricing_kind,
    sum(effective) AS cost, sum(coalesce(pricing_quantity, consumed_quantity, 0)) AS quantity,
    coalesce(sum(coalesce(pricing_quantity, consumed_quantity)) FILTER (WHERE extract(isodow FROM charge_date) >= 6), 0) AS weekend,
    coalesce(sum(coalesce(pricing_quantity, consumed_quantity)) FILTER (WHERE charge_date >= $5::date), 0) AS recent,
    bit_or(1 << ($4::date - charge_date - 1)) AS day_mask, min(charge_date) AS first_day, max(charge_date) AS last_day
  FROM cost_facts WHERE ${inWindow} AND ${where}
  GROUP BY ${key}, provider, currency, service_id, region_id, sub_account_id, sku_id, pricing_kind`;

const figures = `u.provider, u.currency, u.service_id::text, u.region_id::text, u.sub_account_id::text, u.sku_id::text,
  u.pricing_kind, u.quantity::text, u.weekend::text, u.recent::text, u.cost::text, u.day_mask`;

/** A resource that the inventory does not hold was gone before it was first read, or left it 30 days after. */
const queries: Readonly<Record<Subject['about'], string>> = {
  resource: `SELECT u.resource_id::text || ' ' || u.currency AS key, ${figures}, r.native_id,
      coalesce(i.name, r.name) AS name, coalesce(i.resource_type, r.resource_type) AS type, i.tags::text, i.metadata::text,
      l.resource_id IS NOT NULL AS is_listed, i.resource_id IS NULL OR i.gone_at IS NOT NULL AS is_gone,
      r.first_seen::text, r.last_seen::text
    FROM (${usage('resource_id', 'resource_id <> 0 AND pricing_kind <= 5')}) u
    JOIN resources r ON r.organization_id = $1 AND r.account_id = $2 AND r.id = u.resource_id
    LEFT JOIN inventory_resources i ON i.organization_id = $1 AND i.account_id = $2 AND i.resource_id = u.resource_id
    LEFT JOIN inventory_listings l ON l.organization_id = $1 AND l.account_id = $2 AND l.resource_id = u.resource_id
    ORDER BY u.resource_id, u.currency, u.cost DESC`,
  commitment: `SELECT u.commitment_id::text || ' ' || u.currency AS key, ${figures}, c.code AS native_id, c.name, c.type,
      i.tags::text, i.metadata::text, i.id IS NOT NULL AS is_listed, false AS is_gone,
      u.first_day::text AS first_seen, u.last_day::text AS last_seen
    FROM (${usage('commitment_id', 'commitment_id <> 0 AND pricing_kind IN (6, 7)')}) u
    JOIN commitments c ON c.organization_id = $1 AND c.account_id = $2 AND c.id = u.commitment_id
    LEFT JOIN LATERAL (
      SELECT id, tags, metadata FROM inventory_resources
      WHERE organization_id = $1 AND account_id = $2 AND native_id = c.code ORDER BY id LIMIT 1
    ) i ON true
    ORDER BY u.commitment_id, u.currency, u.cost DESC`,
  scope: `SELECT concat_ws('.', u.sub_account_id, u.service_id, u.region_id) || ' ' || u.currency AS key, ${figures},
      '' AS native_id, '' AS name, '' AS type, NULL AS tags, NULL AS metadata, false AS is_listed, false AS is_gone,
      u.first_day::text AS first_seen, u.last_day::text AS last_seen
    FROM (${usage('resource_id', 'resource_id = 0 AND pricing_kind <= 5')}) u
    ORDER BY u.sub_account_id, u.service_id, u.region_id, u.currency, u.cost DESC`,
};

async function readNames(client: pg.ClientBase, scope: OrgScope, accountId: string): Promise<Names> {
  const read = async (sql: string) =>
    (await client.query<Record<string, string>>(`/* readNames */ ${sql}`, [scope.organizationId, accountId])).rows;
  const owned = 'WHERE organization_id = $1 AND account_id = $2';
  const texts = async (table: string, column: string) =>
    new Map(
      (await read(`SELECT id::text, ${column} AS name FROM ${table} ${owned}`)).map((row) => [
        row['id'] ?? '',
        row['name'] ?? '',
      ]),
    );
  const skus = await read(`SELECT id::text, meter, description, pricing_unit AS unit FROM skus ${owned}`);
  return {
    skus: new Map(
      skus.map(({ id, meter, description, unit }) => [
        id ?? '',
        { meter: meter ?? '', description: description ?? '', unit: unit ?? '' },
      ]),
    ),
    services: await texts('services', 'name'),
    regions: await texts('regions', 'code'),
    subAccounts: await texts('sub_accounts', 'code'),
  };
}

/** Rows of one subject, the costliest first: that one says where it belongs. */
function subjectOf(about: Subject['about'], rows: readonly Row[], names: Names): Subject {
  const [first] = rows;
  if (first === undefined) throw new Error('A subject without usage');
  const nativeId = first.native_id;
  return {
    about,
    id: first.key.split(' ')[0] ?? '',
    provider: first.provider,
    nativeId,
    name: first.name || nativeId,
    type: first.type,
    service: names.services.get(first.service_id) ?? '',
    region: names.regions.get(first.region_id) ?? '',
    subAccount: names.subAccounts.get(first.sub_account_id) ?? '',
    currency: first.currency,
    tags: tagsOf(first.tags),
    metadata: metadataOf(first.metadata),
    isListed: first.is_listed,
    firstSeen: first.first_seen,
    lastSeen: first.last_seen,
    isGone: first.is_gone,
    commitmentType: about === 'commitment' ? first.type : '',
    usage: rows.map((row) => usageOf(row, names)),
  };
}

function usageOf(row: Row, names: Names): Usage {
  const sku = names.skus.get(row.sku_id) ?? { meter: '', description: '', unit: '' };
  return {
    meter: meterName(row.provider, sku.meter, sku.description),
    description: sku.description,
    service: names.services.get(row.service_id) ?? '',
    kind: pricingKindOf(row.pricing_kind),
    unit: sku.unit,
    quantity: parseAmount(row.quantity),
    weekendQuantity: parseAmount(row.weekend),
    recentQuantity: parseAmount(row.recent),
    cost: parseAmount(row.cost),
    days: bits(row.day_mask),
    hasEnded: hasEnded(row.day_mask),
  };
}

/** AWS puts a code of the region before its usage types: `EUC1-EBS:VolumeUsage.gp3`. */
export function meterName(provider: string, meter: string, description: string): string {
  const name = meter || description;
  return provider === 'aws' ? name.replace(/^(?:AF|AP|CA|CN|EU|IL|ME|MX|SA|UG|US)[A-Z]?\d{0,2}-/, '') : name;
}

/** Most resources have none. */
function metadataOf(json: string | null): ResourceMetadata {
  return json === null || json === '{}' ? {} : parseMetadata(JSON.parse(json));
}

function tagsOf(json: string | null): Record<string, string> {
  const parsed: unknown = JSON.parse(json ?? '{}');
  if (parsed === null || typeof parsed !== 'object') return {};
  return Object.fromEntries(Object.entries(parsed).map(([key, value]) => [key, String(value)]));
}

/** Days without a charge that say nothing: bills of the last days may lack some, as for resources (facts/inventory). */
const quietDays = 3;

/** Whether the days since the last charge are more than ever lay between two charges. One charge has no rhythm. */
export function hasEnded(mask: number): boolean {
  const ages = Array.from({ length: days }, (_, age) => age).filter((age) => (mask & (1 << age)) !== 0);
  const [last = 0] = ages;
  const widest = Math.max(0, ...ages.slice(1).map((age, index) => age - (ages[index] ?? 0) - 1));
  return ages.length > 1 && last > Math.max(quietDays, widest);
}

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask >>> 0; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
