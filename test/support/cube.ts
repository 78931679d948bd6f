import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { ChargeCategory } from '../../src/facts/costs/question.ts';
import type { Day, Month } from '../../src/kit/period.ts';

/** A charge as a bill has it. Amounts are in units of 10^-12. */
export interface LineItem {
  readonly account: string;
  readonly billingPeriod: Month;
  readonly date: Day;
  readonly provider: string;
  readonly currency: string;
  readonly category: ChargeCategory;
  readonly service: string;
  readonly serviceCategory: string;
  readonly region: string;
  readonly subAccount: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly billed: bigint;
  readonly effective: bigint;
  readonly list: bigint;
  readonly contracted: bigint;
  /** As in `cost_facts`; on demand without it. */
  readonly pricingKind?: number;
  /** FOCUS SkuMeter, and the hours that it shows. */
  readonly meter?: string;
  readonly hours?: number;
  /** The UTC hours in which its line items start; not known without it. */
  readonly startHours?: readonly number[];
  /** FOCUS CommitmentDiscountId. */
  readonly commitment?: string;
}

export interface CubeAccount {
  readonly id: string;
  readonly name: string;
  readonly completeThrough: Day | null;
  readonly status?: 'connected' | 'disconnected';
}

export interface ExchangeRateRow {
  readonly month: Month;
  readonly from: string;
  readonly to: string;
  /** In units of 10^-12. */
  readonly rate: bigint;
}

/** Everything that cost answers of one organization are made of. */
export interface CubeWorld {
  readonly organizationId: string;
  readonly currency: string;
  readonly accounts: readonly CubeAccount[];
  readonly lines: readonly LineItem[];
  readonly rates: readonly ExchangeRateRow[];
  /** Tag keys, in lower case, that no rollup holds in the billing periods given. */
  readonly identifiers: readonly { readonly key: string; readonly periods: readonly Month[] }[];
}

type Row = Record<string, unknown>;

const categories: readonly ChargeCategory[] = ['usage', 'purchase', 'tax', 'credit', 'adjustment'];

/** Which dimensions each rollup holds, beside account, provider, currency and charge category. */
const rollups: readonly (readonly [number, readonly (keyof Row)[]])[] = [
  [1, []],
  [2, ['service_id']],
  [3, ['sub_account_id']],
  [4, ['region_id']],
  [5, ['service_id', 'region_id', 'pricing_kind']],
  [6, ['sub_account_id', 'service_id', 'region_id']],
  [7, ['tag_set_id']],
  [8, ['tag_set_id', 'service_id', 'region_id']],
];

/** The id of a dictionary key: the first 63 bits of its MD5. */
function idOf(...key: readonly string[]): string {
  const hash = createHash('md5').update(key.join('\u001f')).digest('hex');
  return (BigInt(`0x${hash.slice(0, 16)}`) >> 1n).toString();
}

/** Writes an amount in units of 10^-12 as a decimal. */
export function decimal(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(13, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -12)}.${digits.slice(-12)}`;
}

/** Makes the organization, unless it is there, and fills its accounts, dictionaries, facts and rollups, the way a load would. */
export async function fillCube(pool: Pool, world: CubeWorld): Promise<void> {
  const owner = { organization_id: world.organizationId };
  await insert(pool, 'organizations', [
    {
      id: world.organizationId,
      name: 'Test',
      currency: world.currency,
      trust_external_id: world.organizationId,
      require_two_factor: false,
      billing_plan: 'self-hosted',
      rates_version: 0,
      created_at: '2024-01-01T00:00:00Z',
    },
  ]);
  await insert(
    pool,
    'accounts',
    world.accounts.map((account) => accountRow(world, account)),
  );
  await insert(
    pool,
    'exchange_rates',
    world.rates.map((rate) => ({
      ...owner,
      month: `${rate.month}-01`,
      from_currency: rate.from,
      to_currency: rate.to,
      rate: decimal(rate.rate),
    })),
  );
  await insert(pool, 'billing_periods', billingPeriods(world));
  for (const [table, rows] of Object.entries(dictionaries(world)))
    await insert(
      pool,
      table,
      rows.map((row) => ({ ...owner, ...row })),
    );
  const facts = world.lines.map((line) => ({ ...owner, ...factOf(line) }));
  await insert(
    pool,
    'cost_facts',
    sumBy(
      facts,
      Object.keys(facts[0] ?? {}).filter((column) => !measures.includes(column)),
    ),
  );
  await insert(pool, 'cost_rollups', rollupRows(world));
}

function accountRow(world: CubeWorld, account: CubeAccount): Row {
  const days = world.lines
    .filter((line) => line.account === account.id)
    .map((line) => line.date)
    .sort();
  return {
    id: account.id,
    organization_id: world.organizationId,
    name: account.name,
    provider: 'focus',
    external_id: account.id,
    status: account.status ?? 'connected',
    settings: {},
    version: 1,
    complete_through: account.completeThrough,
    data_from: days[0] ?? null,
    data_to: days.at(-1) ?? null,
    created_at: '2024-01-01T00:00:00Z',
  };
}

function billingPeriods(world: CubeWorld): Row[] {
  const loads = Map.groupBy(world.lines, (line) => `${line.account} ${line.billingPeriod}`);
  return [...loads.values()].flatMap((lines) => {
    const [first] = lines;
    const days = lines.map((line) => line.date).sort();
    if (first === undefined) return [];
    return [
      {
        account_id: first.account,
        organization_id: world.organizationId,
        period: `${first.billingPeriod}-01`,
        load_id: world.organizationId,
        source_token: 'test',
        line_items: lines.length,
        totals: [],
        data_from: days[0],
        data_to: days.at(-1),
        loaded_at: '2024-01-01T00:00:00Z',
      },
    ];
  });
}

const measures = ['line_items', 'billed', 'effective', 'list', 'contracted'];

function factOf(line: LineItem): Row {
  return {
    account_id: line.account,
    billing_period: `${line.billingPeriod}-01`,
    charge_date: line.date,
    provider: line.provider,
    currency: line.currency,
    charge_category: categories.indexOf(line.category) + 1,
    charge_class: 0,
    pricing_kind: line.pricingKind ?? 1,
    service_id: serviceId(line),
    region_id: idOf(line.provider, line.region),
    sub_account_id: idOf(line.provider, line.subAccount),
    resource_id: '0',
    sku_id: line.meter === undefined ? '0' : idOf(line.meter),
    commitment_id: line.commitment === undefined ? '0' : idOf(line.provider, line.commitment),
    tag_set_id: tagSetId(line.tags),
    pricing_quantity: line.hours ?? null,
    start_hours: (line.startHours ?? []).reduce((mask, hour) => mask | (1 << hour), 0),
    line_items: 1n,
    billed: line.billed,
    effective: line.effective,
    list: line.list,
    contracted: line.contracted,
  };
}

function serviceId(line: LineItem): string {
  return idOf(line.provider, line.service, line.serviceCategory);
}

function tagSetId(tags: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1));
  return pairs.length === 0 ? '0' : idOf(JSON.stringify(pairs));
}

/** The tags that the rollups hold. */
function reducedTags(world: CubeWorld, line: LineItem): Record<string, string> {
  return Object.fromEntries(Object.entries(line.tags).filter(([key]) => isRolledUp(world, key, line.billingPeriod)));
}

function isRolledUp(world: CubeWorld, key: string, period: Month): boolean {
  return !world.identifiers.some((each) => each.key === key.toLowerCase() && each.periods.includes(period));
}

function rollupRows(world: CubeWorld): Row[] {
  const lines = world.lines.flatMap((line) => {
    const fact = {
      ...factOf(line),
      organization_id: world.organizationId,
      tag_set_id: tagSetId(reducedTags(world, line)),
    };
    return [
      { ...fact, grain: 1, date: line.date },
      { ...fact, grain: 2, date: `${line.date.slice(0, 7)}-01` },
    ];
  });
  const shared = [
    'account_id',
    'organization_id',
    'billing_period',
    'grain',
    'date',
    'provider',
    'currency',
    'charge_category',
  ];
  // Crossed dimensions are kept by month alone.
  const kept = (rollup: number) => (rollup === 6 || rollup === 8 ? lines.filter((line) => line.grain === 2) : lines);
  return rollups.flatMap(([rollup, dimensions]) =>
    sumBy(kept(rollup), [...shared, ...dimensions]).map((row) => ({ ...row, rollup })),
  );
}

function sumBy(rows: readonly Row[], keys: readonly string[]): Row[] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify(keys.map((key) => row[key])));
  return [...groups.values()].map((members) => {
    const sums = measures.map((measure) => {
      const sum = members.reduce((total, row) => total + BigInt(String(row[measure])), 0n);
      return [measure, measure === 'line_items' ? sum.toString() : decimal(sum)];
    });
    return { ...Object.fromEntries(keys.map((key) => [key, members[0]?.[key]])), ...Object.fromEntries(sums) };
  });
}

function dictionaries(world: CubeWorld): Record<string, Row[]> {
  const perLine = (make: (line: LineItem) => Row[]) =>
    unique(world.lines.flatMap((line) => make(line).map((row) => ({ account_id: line.account, ...row }))));
  const sets = (line: LineItem) => [line.tags, reducedTags(world, line)].filter((tags) => Object.keys(tags).length > 0);
  return {
    services: perLine((line) => [
      { id: serviceId(line), provider: line.provider, name: line.service, category: line.serviceCategory },
    ]),
    regions: perLine((line) => [
      { id: idOf(line.provider, line.region), provider: line.provider, code: line.region, name: line.region },
    ]),
    sub_accounts: perLine((line) => [
      {
        id: idOf(line.provider, line.subAccount),
        provider: line.provider,
        code: line.subAccount,
        name: `Name of ${line.subAccount}`,
        billing_account_id: 'payer',
      },
    ]),
    skus: perLine((line) =>
      line.meter === undefined
        ? []
        : [
            {
              id: idOf(line.meter),
              sku_id: line.meter,
              sku_price_id: line.meter,
              meter: line.meter,
              description: line.meter,
              pricing_unit: line.hours === undefined ? '' : 'Hrs',
              consumed_unit: '',
            },
          ],
    ),
    commitments: perLine((line) =>
      line.commitment === undefined
        ? []
        : [
            {
              id: idOf(line.provider, line.commitment),
              provider: line.provider,
              code: line.commitment,
              name: line.commitment,
              category: '',
              type: '',
            },
          ],
    ),
    tag_sets: perLine((line) => sets(line).map((tags) => ({ id: tagSetId(tags), tags }))),
    tag_pairs: perLine((line) =>
      sets(line).flatMap((tags) =>
        Object.entries(tags).map(([key, value]) => ({
          tag_set_id: tagSetId(tags),
          key_id: idOf(key.toLowerCase()),
          value_id: idOf(value),
        })),
      ),
    ),
    tag_values: perLine((line) => Object.values(line.tags).map((value) => ({ id: idOf(value), value }))),
    tag_keys: perLine((line) =>
      Object.keys(line.tags).map((key) => ({
        period: `${line.billingPeriod}-01`,
        id: idOf(key.toLowerCase()),
        key: key.toLowerCase(),
        value_count: 1,
        rolled_up: isRolledUp(world, key, line.billingPeriod),
      })),
    ),
  };
}

function unique(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

async function insert(pool: Pool, table: string, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].join(', ');
  await pool.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(null::${table}, $1)
    ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows)],
  );
}
