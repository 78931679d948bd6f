import type { Pool } from 'pg';
import { chargeCategories, grainCodes, idOf, pricingKinds, rollups } from '../../src/engine/codebook.ts';
import type { ChargeCategory } from '../../src/facts/costs/question.ts';
import type { Deps } from '../../src/kit/deps.ts';
import type { Day, Month } from '../../src/kit/time/period.ts';
import { writeFacts, type FactRow } from './facts.ts';

/** A charge on a bill. Amounts are in units of 10^-12. */
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
  /** The 1-based position in `pricingKinds`; on demand by default. */
  readonly pricingKind?: number;
  /** FOCUS SkuMeter, and the hours derived from it. */
  readonly meter?: string;
  /** FOCUS ChargeDescription; defaults to the meter. */
  readonly description?: string;
  readonly hours?: number;
  /** The UTC hours in which its line items start; unknown by default. */
  readonly startHours?: readonly number[];
  /** FOCUS CommitmentDiscountId. */
  readonly commitment?: string;
  /** FOCUS InvoiceId and InvoiceIssuerName. */
  readonly invoice?: string;
  readonly issuer?: string;
  /** FOCUS ResourceId. */
  readonly resource?: string | null;
  /** FOCUS AllocatedResourceId. */
  readonly workload?: string | null;
  /** Cluster, namespace and workload of its container. */
  readonly container?: readonly [cluster: string, namespace: string | null, workload: string | null] | null;
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

/** The data that determines the costs of one organization. */
export interface CubeWorld {
  readonly organizationId: string;
  readonly currency: string;
  readonly accounts: readonly CubeAccount[];
  readonly lines: readonly LineItem[];
  readonly rates: readonly ExchangeRateRow[];
  /** Lowercase tag keys without rollups in the given billing periods. */
  readonly identifiers: readonly { readonly key: string; readonly periods: readonly Month[] }[];
}

type Row = Record<string, unknown>;

/** Formats an amount in units of 10^-12 as a decimal. */
export function decimal(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(13, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -12)}.${digits.slice(-12)}`;
}

/** Creates the organization if needed, and fills its accounts, dictionaries, rollups and fact files like a load. Writes
 *  no fact files if `deps` has no store. */
export async function fillCube(
  deps: Pick<Deps, 'pool'> & Partial<Pick<Deps, 'factStore'>>,
  world: CubeWorld,
): Promise<void> {
  const { pool, factStore } = deps;
  const { organizationId } = world;
  const owner = { organization_id: organizationId };
  await insert(pool, 'organizations', [organizationRow(world)]);
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
  const tables = {
    billing_periods: billingPeriods(world),
    ...dictionaries(world),
    cost_rollups: rollupRows(world),
    invoice_sums: invoiceSums(world),
  };
  for (const [table, rows] of Object.entries(tables))
    await insert(
      pool,
      table,
      rows.map((row) => ({ ...owner, ...row })),
    );
  if (factStore === undefined) return;
  for (const lines of loads(world)) {
    const [{ account: accountId, billingPeriod: month }] = lines;
    await writeFacts({ pool, factStore }, { organizationId, accountId, month, rows: lines.map(factOf) });
  }
}

function organizationRow({ organizationId, currency }: CubeWorld): Row {
  return {
    id: organizationId,
    name: 'Test',
    currency,
    trust_external_id: organizationId,
    require_two_factor: false,
    billing_plan: 'self-hosted',
    rates_version: 0,
    created_at: '2024-01-01T00:00:00Z',
  };
}

/** The lines of each account by billing month. */
function loads(world: CubeWorld): [LineItem, ...LineItem[]][] {
  return [...Map.groupBy(world.lines, (line) => `${line.account} ${line.billingPeriod}`).values()].flatMap(
    ([first, ...more]) => (first === undefined ? [] : [[first, ...more]]),
  );
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
    updated_at: '2024-01-01T00:00:00Z',
  };
}

function billingPeriods(world: CubeWorld): Row[] {
  return loads(world).map((lines) => {
    const [first] = lines;
    const days = lines.map((line) => line.date).sort();
    return {
      account_id: first.account,
      period: `${first.billingPeriod}-01`,
      load_id: world.organizationId,
      source_token: 'test',
      line_items: lines.length,
      totals: [],
      data_from: days[0],
      data_to: days.at(-1),
      loaded_at: '2024-01-01T00:00:00Z',
    };
  });
}

function invoiceSums({ lines }: CubeWorld): Row[] {
  const keyOf = (line: LineItem) => ({
    account_id: line.account,
    billing_period: `${line.billingPeriod}-01`,
    issuer: line.issuer ?? '',
    invoice_id: line.invoice ?? '',
    currency: line.currency,
  });
  return [...Map.groupBy(lines, (line) => JSON.stringify(keyOf(line))).entries()].map(([key, own]) => {
    const payers = new Set(own.map(payerOf));
    const billed = own.reduce((sum, line) => sum + line.billed, 0n);
    const [only = ''] = payers.size === 1 ? payers : [];
    return { ...(JSON.parse(key) as Row), billing_account_id: only, line_items: own.length, billed: decimal(billed) };
  });
}

const measures = ['line_items', 'billed', 'effective', 'list', 'contracted'];

/** FOCUS BillingAccountId: one per provider. */
export function payerOf({ provider }: Pick<LineItem, 'provider'>): string {
  return `payer at ${provider}`;
}

/** The line as a row of a fact file. */
function factOf(line: LineItem): FactRow {
  const tags = Object.entries(line.tags).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ChargePeriodStart: line.date,
    x_Provider: line.provider,
    ProviderName: line.provider,
    InvoiceIssuerName: line.issuer ?? null,
    InvoiceId: line.invoice ?? null,
    BillingAccountId: payerOf(line),
    BillingCurrency: line.currency,
    SubAccountId: line.subAccount,
    SubAccountName: `Name of ${line.subAccount}`,
    ServiceCategory: line.serviceCategory,
    ServiceName: line.service,
    RegionId: line.region,
    RegionName: line.region,
    ResourceId: line.resource ?? null,
    AllocatedResourceId: line.workload ?? null,
    x_Cluster: line.container?.[0] ?? null,
    x_Namespace: line.container?.[1] ?? null,
    x_Workload: line.container?.[2] ?? null,
    SkuId: line.meter || null,
    SkuPriceId: line.meter || null,
    SkuMeter: line.meter || null,
    ChargeDescription: line.description || line.meter || null,
    ChargeCategory: chargeCategories[categoryCode(line) - 1] ?? null,
    x_PricingKind: pricingKinds[(line.pricingKind ?? 1) - 1] ?? null,
    PricingUnit: line.hours === undefined ? null : 'Hrs',
    PricingQuantity: line.hours === undefined ? null : String(line.hours),
    CommitmentDiscountId: line.commitment ?? null,
    CommitmentDiscountName: line.commitment ?? null,
    Tags: tags.length === 0 ? null : JSON.stringify(Object.fromEntries(tags)),
    BilledCost: decimal(line.billed),
    EffectiveCost: decimal(line.effective),
    ListCost: decimal(line.list),
    ContractedCost: decimal(line.contracted),
    x_StartHours: (line.startHours ?? []).reduce((mask, hour) => mask | (1 << hour), 0),
  };
}

function categoryCode(line: LineItem): number {
  return chargeCategories.findIndex((name) => name.toLowerCase() === line.category) + 1;
}

/** The line as a rollup row, with every possible dimension. */
function rollupOf(world: CubeWorld, line: LineItem): Row {
  return {
    account_id: line.account,
    billing_period: `${line.billingPeriod}-01`,
    provider: line.provider,
    currency: line.currency,
    charge_category: categoryCode(line),
    pricing_kind: line.pricingKind ?? 1,
    service_id: serviceId(line),
    region_id: idOf(line.provider, line.region),
    sub_account_id: idOf(line.provider, line.subAccount),
    tag_set_id: tagSetId(reducedTags(world, line)),
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

/** The tags that rollups contain. */
function reducedTags(world: CubeWorld, line: LineItem): Record<string, string> {
  return Object.fromEntries(Object.entries(line.tags).filter(([key]) => isRolledUp(world, key, line.billingPeriod)));
}

function isRolledUp(world: CubeWorld, key: string, period: Month): boolean {
  return !world.identifiers.some((each) => each.key === key.toLowerCase() && each.periods.includes(period));
}

function rollupRows(world: CubeWorld): Row[] {
  const lines = world.lines.flatMap((line) => {
    const row = rollupOf(world, line);
    return [
      { ...row, grain: grainCodes.day, date: line.date },
      { ...row, grain: grainCodes.month, date: `${line.date.slice(0, 7)}-01` },
    ];
  });
  const shared = ['account_id', 'billing_period', 'grain', 'date', 'provider', 'currency', 'charge_category'];
  return Object.values(rollups).flatMap(({ code, holds, isDaily }) =>
    sumBy(isDaily ? lines : lines.filter(({ grain }) => grain === grainCodes.month), [...shared, ...holds]).map(
      (row) => ({
        ...row,
        rollup: code,
      }),
    ),
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
  const tagsOf = (line: LineItem) => Object.entries(reducedTags(world, line));
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
        billing_account_id: payerOf(line),
      },
    ]),
    tag_pairs: perLine((line) =>
      tagsOf(line).map(([key, value]) => ({
        tag_set_id: tagSetId(reducedTags(world, line)),
        key_id: idOf(key.toLowerCase()),
        value_id: idOf(value),
      })),
    ),
    tag_values: perLine((line) => tagsOf(line).map(([, value]) => ({ id: idOf(value), value }))),
    tag_keys: tagKeys(world),
  };
}

function tagKeys(world: CubeWorld): Row[] {
  return loads(world).flatMap((lines) => {
    const [{ account, billingPeriod }] = lines;
    const spellings = new Set(lines.flatMap((line) => Object.keys(line.tags)).sort());
    return [...Map.groupBy(spellings, (key) => key.toLowerCase())].map(([key, written]) => ({
      account_id: account,
      period: `${billingPeriod}-01`,
      id: idOf(key),
      key,
      spellings: written,
      value_count: 1,
      rolled_up: isRolledUp(world, key, billingPeriod),
    }));
  });
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
