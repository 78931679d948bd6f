import { chargeCategories, idOf, pricingKinds } from '../../../src/engine/codebook.ts';
import type { Deps } from '../../../src/kit/deps.ts';
import { addDays, monthOf, type Day } from '../../../src/kit/time/period.ts';
import { writeFacts, type FactRow } from '../../support/facts.ts';

/** Usage of one meter billed on every day of a range. */
export interface Charge {
  readonly from: Day;
  /** The last day, inclusive. */
  readonly to: Day;
  readonly meter: string;
  /** Per day. */
  readonly cost: number;
  readonly quantity?: number;
  readonly unit?: string;
  /** 1-based position in `pricingKinds`. */
  readonly kind?: number;
  /** 1-based position in `chargeCategories`. */
  readonly category?: number;
  readonly correction?: boolean;
  readonly resource?: string;
  readonly commitment?: string;
  readonly provider?: string;
  readonly currency?: string;
  readonly service?: string;
  readonly region?: string;
}

/** An account and its charges. */
export interface Billed {
  readonly organizationId: string;
  readonly accountId: string;
  readonly completeThrough: Day;
  readonly charges: readonly Charge[];
  /** By native id; a resource without an entry is in no listing. */
  readonly metadata?: Readonly<Record<string, Record<string, unknown>>>;
  readonly tags?: Readonly<Record<string, Record<string, string>>>;
  readonly gone?: readonly string[];
  /** Native ids already deleted from the inventory. */
  readonly forgotten?: readonly string[];
}

/** Writes the organization if missing, and the account with its facts and inventory, replacing its previous data. */
export async function bill({ pool, factStore }: Pick<Deps, 'pool' | 'factStore'>, billed: Billed): Promise<void> {
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
  await pool.query('DELETE FROM billing_periods WHERE account_id = $1', [accountId]);
  const months = Map.groupBy(charges.flatMap(facts), (row) => monthOf(row.ChargePeriodStart as Day));
  for (const [month, rows] of months) await writeFacts({ pool, factStore }, { organizationId, accountId, month, rows });
  for (const [table, rows] of Object.entries(inventory(billed))) {
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

function facts(charge: Charge): FactRow[] {
  const { cost, meter, kind = 1, quantity = 24, unit = 'Hours' } = charge;
  const rows: FactRow[] = [];
  for (let day = charge.from; day <= charge.to; day = addDays(day, 1))
    rows.push({
      ChargePeriodStart: day,
      x_Provider: charge.provider ?? 'aws',
      BillingCurrency: charge.currency ?? 'USD',
      ChargeCategory: chargeCategories[(charge.category ?? 1) - 1] ?? null,
      ChargeClass: charge.correction ? 'Correction' : null,
      x_PricingKind: pricingKinds[kind - 1] ?? null,
      ServiceName: charge.service ?? 'Service',
      ServiceCategory: 'Compute',
      RegionId: charge.region ?? 'eu-west-1',
      SubAccountId: '111111111111',
      ResourceId: charge.resource ?? null,
      ResourceType: charge.resource === undefined ? null : 'Resource',
      SkuId: meter,
      SkuMeter: meter,
      PricingUnit: unit,
      ConsumedUnit: unit,
      CommitmentDiscountId: charge.commitment ?? null,
      CommitmentDiscountCategory: charge.commitment === undefined ? null : kind === 6 ? 'Usage' : 'Spend',
      CommitmentDiscountType:
        charge.commitment === undefined ? null : kind === 6 ? 'Reserved Instance' : 'Savings Plan',
      BilledCost: cost,
      EffectiveCost: cost,
      ListCost: cost,
      ContractedCost: cost,
      PricingQuantity: quantity,
      ConsumedQuantity: quantity,
    });
  return rows;
}

function resourceRow(resource: string, charges: readonly Charge[]): Row {
  const provider = charges[0]?.provider ?? 'aws';
  return {
    id: idOf(provider, resource),
    provider,
    native_id: resource,
    first_seen: charges.map(({ from }) => from).sort()[0],
    last_seen: charges
      .map(({ to }) => to)
      .sort()
      .at(-1),
  };
}

function inventory({ charges, metadata, tags, gone, forgotten }: Billed): Record<string, Row[]> {
  const rows = [...Map.groupBy(charges, ({ resource }) => resource)].flatMap(([resource, own]) =>
    resource === undefined || forgotten?.includes(resource) ? [] : [resourceRow(resource, own)],
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
