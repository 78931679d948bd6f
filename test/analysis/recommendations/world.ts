import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { addDays, monthOf, type Day } from '../../../src/kit/period.ts';

/** Something billed every day of a range under one meter. */
export interface Charge {
  readonly from: Day;
  /** The last day. */
  readonly to: Day;
  readonly meter: string;
  /** Of a day. */
  readonly cost: number;
  readonly quantity?: number;
  readonly unit?: string;
  /** Code of `cost_facts.pricing_kind`. */
  readonly kind?: number;
  readonly category?: number;
  readonly correction?: boolean;
  readonly resource?: string;
  readonly commitment?: string;
  readonly provider?: string;
  readonly currency?: string;
  readonly service?: string;
  readonly region?: string;
}

/** An account and what it was billed. */
export interface Billed {
  readonly organizationId: string;
  readonly accountId: string;
  readonly completeThrough: Day;
  readonly charges: readonly Charge[];
  /** By native id; without an entry a resource is in no listing. */
  readonly metadata?: Readonly<Record<string, Record<string, unknown>>>;
  readonly tags?: Readonly<Record<string, Record<string, string>>>;
  readonly gone?: readonly string[];
  /** What the inventory has let go of already. */
  readonly forgotten?: readonly string[];
}

/** The id that a dictionary has for a text. */
function idOf(text: string): string {
  return (BigInt(`0x${createHash('md5').update(text).digest('hex').slice(0, 16)}`) >> 1n).toString();
}

/** Writes the organization, unless it is there, the account with its facts and dictionaries, and its inventory; what the
 *  account had before is replaced. */
export async function bill(pool: Pool, billed: Billed): Promise<void> {
  const { organizationId, accountId, charges } = billed;
  const days = charges.map(({ from }) => from).sort();
  await pool.query(
    `INSERT INTO organizations (id, name, currency, trust_external_id, created_at) VALUES ($1::uuid, 'Test', 'USD', $1::text, now())
     ON CONFLICT DO NOTHING`,
    [organizationId],
  );
  await pool.query(
    `INSERT INTO accounts (id, organization_id, name, provider, external_id, status, settings, version, complete_through, data_from, created_at)
     VALUES ($1::uuid, $2::uuid, 'Test', 'focus', $1::text, 'connected', '{}', 1, $3, $4, now())
     ON CONFLICT (id) DO UPDATE SET complete_through = excluded.complete_through, data_from = excluded.data_from`,
    [accountId, organizationId, billed.completeThrough, days[0] ?? null],
  );
  const tables = { ...dictionaries(charges), cost_facts: charges.flatMap(facts), ...inventory(billed) };
  for (const [table, rows] of Object.entries(tables)) {
    await pool.query(`DELETE FROM ${table} WHERE account_id = $1`, [accountId]);
    const owned = rows.map((row) => ({ ...row, account_id: accountId, organization_id: organizationId }));
    const columns = [...new Set(owned.flatMap((row) => Object.keys(row)))].join(', ');
    if (rows.length > 0)
      await pool.query(
        `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(null::${table}, $1) ON CONFLICT DO NOTHING`,
        [JSON.stringify(owned)],
      );
  }
}

type Row = Record<string, unknown>;

const serviceOf = (charge: Charge) => charge.service ?? 'Service';
const regionOf = (charge: Charge) => charge.region ?? 'eu-west-1';
const providerOf = (charge: Charge) => charge.provider ?? 'aws';

function facts(charge: Charge): Row[] {
  const rows: Row[] = [];
  for (let day = charge.from; day <= charge.to; day = addDays(day, 1))
    rows.push({
      billing_period: `${monthOf(day)}-01`,
      charge_date: day,
      provider: providerOf(charge),
      currency: charge.currency ?? 'USD',
      charge_category: charge.category ?? 1,
      charge_class: charge.correction ? 1 : 0,
      pricing_kind: charge.kind ?? 1,
      service_id: idOf(serviceOf(charge)),
      region_id: idOf(regionOf(charge)),
      sub_account_id: idOf('111111111111'),
      resource_id: charge.resource === undefined ? '0' : idOf(charge.resource),
      sku_id: idOf(charge.meter),
      commitment_id: charge.commitment === undefined ? '0' : idOf(charge.commitment),
      tag_set_id: '0',
      line_items: 1,
      billed: charge.cost,
      effective: charge.cost,
      list: charge.cost,
      contracted: charge.cost,
      pricing_quantity: charge.quantity ?? 24,
      consumed_quantity: charge.quantity ?? 24,
    });
  return rows;
}

function dictionaries(charges: readonly Charge[]): Record<string, Row[]> {
  return {
    services: charges.map((charge) => ({
      id: idOf(serviceOf(charge)),
      provider: providerOf(charge),
      name: serviceOf(charge),
      category: 'Compute',
    })),
    regions: charges.map((charge) => ({
      id: idOf(regionOf(charge)),
      provider: providerOf(charge),
      code: regionOf(charge),
      name: regionOf(charge),
    })),
    sub_accounts: charges.map((charge) => ({
      id: idOf('111111111111'),
      provider: providerOf(charge),
      code: '111111111111',
      name: 'One',
      billing_account_id: '1',
    })),
    skus: charges.map(({ meter, unit }) => ({
      id: idOf(meter),
      sku_id: meter,
      sku_price_id: '',
      meter,
      description: '',
      pricing_unit: unit ?? 'Hours',
      consumed_unit: unit ?? 'Hours',
    })),
    commitments: charges.flatMap(({ commitment, ...charge }) =>
      commitment === undefined
        ? []
        : [
            {
              id: idOf(commitment),
              provider: providerOf(charge),
              code: commitment,
              name: '',
              category: charge.kind === 6 ? 'Usage' : 'Spend',
              type: charge.kind === 6 ? 'Reserved Instance' : 'Savings Plan',
            },
          ],
    ),
    resources: [...Map.groupBy(charges, ({ resource }) => resource)].flatMap(([resource, own]) =>
      resource === undefined ? [] : [resourceRow(resource, own)],
    ),
  };
}

function resourceRow(resource: string, charges: readonly Charge[]): Row {
  return {
    id: idOf(resource),
    provider: charges[0]?.provider ?? 'aws',
    native_id: resource,
    name: '',
    resource_type: 'Resource',
    first_seen: charges.map(({ from }) => from).sort()[0],
    last_seen: charges
      .map(({ to }) => to)
      .sort()
      .at(-1),
  };
}

function inventory({ charges, metadata, tags, gone, forgotten }: Billed): Record<string, Row[]> {
  const rows = (dictionaries(charges)['resources'] ?? []).filter(
    (row) => !forgotten?.includes(String(row['native_id'])),
  );
  const listed = (nativeId: string) => metadata?.[nativeId];
  return {
    inventory_resources: rows.map((row) => ({
      resource_id: row['id'],
      id: `01890000-0000-7000-8000-${String(row['id']).slice(0, 12).padStart(12, '0')}`,
      provider: row['provider'],
      native_id: row['native_id'],
      name: row['native_id'],
      resource_type: 'Resource',
      service: 'Service',
      region: 'eu-west-1',
      sub_account: '111111111111',
      tags: tags?.[String(row['native_id'])] ?? {},
      tag_terms: [],
      search_text: '',
      metadata: listed(String(row['native_id'])) ?? {},
      currency: 'USD',
      cost_last_30_days: 0,
      first_seen_at: row['first_seen'],
      last_seen_at: row['last_seen'],
      gone_at: gone?.includes(String(row['native_id'])) ? '2026-11-18T00:00:00Z' : null,
    })),
    inventory_listings: rows
      .filter((row) => listed(String(row['native_id'])) !== undefined)
      .map((row) => ({
        resource_id: row['id'],
        provider: row['provider'],
        native_id: row['native_id'],
        name: row['native_id'],
        resource_type: 'Resource',
        service: 'Service',
        region: 'eu-west-1',
        tags: {},
        metadata: listed(String(row['native_id'])),
        listed_at: '2026-11-18T00:00:00Z',
      })),
  };
}
