import type { Pool } from 'pg';
import { idOf } from '../../../src/engine/codebook.ts';
import type { Deps } from '../../../src/kit/deps.ts';
import { newId } from '../../../src/kit/ids.ts';
import { fillCube, type CubeAccount, type LineItem } from '../../support/cube.ts';

/** A resource in the inventory of an account. */
export interface Owned {
  readonly account: string;
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly provider?: string;
  readonly resourceType?: string;
  /** Cost of the last 30 days, as a decimal. */
  readonly cost?: string;
  readonly currency?: string;
  readonly gone?: boolean;
}

/** Fills the inventory of an account. */
export async function fillInventory(pool: Pool, organizationId: string, resources: readonly Owned[]): Promise<void> {
  const rows = resources.map((each) => ({
    account_id: each.account,
    resource_id: resourceId(each.name),
    organization_id: organizationId,
    id: newId(new Date()),
    provider: each.provider ?? 'aws',
    native_id: each.name,
    name: each.name,
    resource_type: each.resourceType ?? 'Instance',
    service: 'Compute',
    region: 'us-east-1',
    sub_account: '111',
    tags: each.tags,
    tag_terms: [],
    metadata: {},
    currency: each.currency ?? 'USD',
    cost_last_30_days: each.cost ?? '1',
    first_seen_at: '2024-04-01',
    last_seen_at: '2024-05-09',
    search_text: '',
    gone_at: each.gone ? '2024-05-10T00:00:00Z' : null,
  }));
  const known = await pool.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'inventory_resources'`,
  );
  const columns = known.rows.map(({ name }) => name).filter((name) => name in (rows[0] ?? {}));
  await pool.query(
    `INSERT INTO inventory_resources (${columns.join(', ')})
     SELECT ${columns.join(', ')} FROM jsonb_populate_recordset(null::inventory_resources, $1)`,
    [JSON.stringify(rows)],
  );
}

/** The id of a resource. */
export function resourceId(name: string): string {
  return idOf('aws', name);
}

/** A charge of one unit with an effective cost in whole units of the currency. */
export interface Charge {
  readonly account: string;
  readonly date: LineItem['date'];
  readonly cost: number;
  readonly tags?: Readonly<Record<string, string>>;
  readonly currency?: string;
  readonly category?: LineItem['category'];
  readonly service?: string;
  /** Null for no resource. */
  readonly resource?: string | null;
  /** The 1-based position in `pricingKinds`; on demand by default. */
  readonly pricingKind?: number;
  readonly provider?: string;
  readonly isCommitment?: boolean;
}

/** Loads charges, with exchange rates of EUR for April and May 2024. */
export async function fillCharges(
  deps: Pick<Deps, 'pool' | 'factStore'>,
  organizationId: string,
  { accounts, charges }: { accounts: readonly CubeAccount[]; charges: readonly Charge[] },
): Promise<void> {
  const lines = charges.map((charge): LineItem => {
    const cost = BigInt(charge.cost) * 10n ** 12n;
    return {
      account: charge.account,
      billingPeriod: charge.date.slice(0, 7) as LineItem['billingPeriod'],
      date: charge.date,
      provider: charge.provider ?? 'aws',
      currency: charge.currency ?? 'USD',
      category: charge.category ?? 'usage',
      service: charge.service ?? 'Compute',
      serviceCategory: 'Compute',
      region: 'us-east-1',
      subAccount: '111',
      resource: charge.resource === undefined ? 'vm' : charge.resource,
      tags: charge.tags ?? {},
      ...(charge.pricingKind && { pricingKind: charge.pricingKind }),
      ...(charge.isCommitment && { commitment: 'plan' }),
      billed: cost,
      effective: cost,
      list: cost,
      contracted: cost,
    };
  });
  const rates = [
    { month: '2024-04', from: 'EUR', to: 'USD', rate: 2n * 10n ** 12n },
    { month: '2024-05', from: 'EUR', to: 'USD', rate: 3n * 10n ** 12n },
  ] as const;
  await fillCube(deps, { organizationId, currency: 'USD', accounts, lines, rates, identifiers: [] });
}
