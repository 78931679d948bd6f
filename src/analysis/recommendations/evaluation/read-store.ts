import type { Pool } from 'pg';
import { idOf } from '../../../engine/codebook.ts';
import type { FactSet } from '../../../engine/fact-set.ts';
import type { ReadAccount } from '../../../facts/consistent.ts';
import type { Exchange } from '../../../facts/currencies.ts';
import { parseMetadata } from '../../../facts/inventory/metadata.ts';
import type { Deps } from '../../../kit/deps.ts';
import { parseAmount } from '../../../kit/money.ts';
import { addDays, daysBetween } from '../../../kit/time/period.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import type { PriceRow } from '../detectors/prices.ts';
import type { Subject, Usage, Window } from '../detectors/subject.ts';
import { inOneCurrency, type OneCurrency, type UsageGroup } from './one-currency.ts';
import { priceQuery, subjectKeys, usageQuery, type UsageRow } from './usage-query.ts';

/** The facts of an account that detectors use. */
export interface AccountFacts {
  readonly accountId: string;
  /** Up to the window's last day: daily rows for the days that are compared, monthly files before them. */
  readonly facts: FactSet;
  readonly window: Window;
  readonly exchange: Exchange;
}

/** Maximum days in the window. */
const windowDays = 30;

/** Returns the window of an account: up to 30 days, ending on its last complete one. Null before its first complete day. */
export function windowOf({
  dataFrom,
  completeThrough,
}: Pick<ReadAccount, 'dataFrom' | 'completeThrough'>): Window | null {
  if (dataFrom === null || completeThrough === null || dataFrom > completeThrough) return null;
  const end = addDays(completeThrough, 1);
  const earliest = addDays(end, -windowDays);
  const start = earliest > dataFrom ? earliest : dataFrom;
  return { start, end, days: daysBetween(start, end) };
}

/** Reads each meter's on-demand cost in each region in the window. */
export async function readPrices(
  { engine }: Pick<Deps, 'engine'>,
  { facts, window }: AccountFacts,
): Promise<PriceRow[]> {
  const rows = await engine.rows<
    Omit<PriceRow, 'quantity' | 'cost'> & Record<'description' | 'quantity' | 'cost', string>
  >(facts, priceQuery(window));
  return rows.map(({ description, ...row }) => ({
    ...row,
    meter: meterName(row.provider, row.meter, description),
    quantity: parseAmount(row.quantity),
    cost: parseAmount(row.cost),
  }));
}

/** Streams all subjects of the account with their usage: resources, then commitments with an unused part, then charges
 *  without a resource. Only one batch of rows is in memory. */
export async function* readSubjects(
  deps: Pick<Deps, 'engine' | 'pool'>,
  scope: OrgScope,
  account: AccountFacts,
): AsyncGenerator<Subject> {
  for (const about of ['resource', 'commitment', 'scope'] as const) {
    for await (const groups of usageGroups(deps, about, account)) {
      const ids = groups.map(([row]) => inventoryKey(about, row));
      const column = about === 'resource' ? 'resource_id' : 'native_id';
      const states =
        about === 'scope' ? null : await readInventory(deps.pool, scope, account.accountId, { column, ids });
      for (const [index, rows] of groups.entries())
        yield subjectOf(about, inOneCurrency(rows, account.exchange), states?.get(ids[index] ?? ''));
    }
  }
}

/** Groups batches of rows by subject. The last subject of a batch is held back, because the next batch can continue it. */
async function* usageGroups(
  { engine }: Pick<Deps, 'engine'>,
  about: Subject['about'],
  { facts, window }: AccountFacts,
): AsyncGenerator<UsageGroup[]> {
  const keyOf = (row: UsageRow) => subjectKeys[about].map((key) => row[key]).join('\u001f');
  let open: UsageRow[] = [];
  for await (const rows of engine.batches<UsageRow>(facts, usageQuery(about, window))) {
    const groups = [...Map.groupBy([...open, ...rows], keyOf).values()];
    open = groups.pop() ?? [];
    if (groups.length > 0) yield groups.filter(isGroup);
  }
  if (isGroup(open)) yield [open];
}

function isGroup(rows: UsageRow[]): rows is UsageGroup {
  return rows.length > 0;
}

function inventoryKey(about: Subject['about'], { provider, nativeId }: UsageRow): string {
  return about === 'resource' ? idOf(provider, nativeId) : nativeId;
}

/** Builds a subject. The row with the highest cost determines its location. A resource that is not in the inventory is gone:
 *  it was gone before the inventory was first read, or left it after 30 days. */
function subjectOf(
  about: Subject['about'],
  { rows, unconverted }: OneCurrency,
  state: InventoryState | undefined,
): Subject {
  const [first] = rows;
  const { nativeId } = first;
  return {
    about,
    id: subjectId(about, first),
    provider: first.provider,
    nativeId,
    name: (about === 'resource' ? state?.name : first.name) || nativeId,
    type: about === 'resource' ? (state?.type ?? '') : first.type,
    service: first.service,
    region: first.region,
    subAccount: first.subAccount,
    currency: first.currency,
    unconverted,
    tags: Object.fromEntries(Object.entries(state?.tags ?? {}).map(([key, value]) => [key, String(value)])),
    metadata: parseMetadata(state?.metadata),
    isListed: about === 'commitment' ? state !== undefined : (state?.isListed ?? false),
    firstSeen: first.firstSeen,
    isGone: about === 'resource' && (state?.isGone ?? true),
    commitmentType: about === 'commitment' ? first.type : '',
    usage: rows.map(usageOf),
  };
}

function subjectId(about: Subject['about'], row: UsageRow): string {
  const { provider } = row;
  if (about !== 'scope') return idOf(provider, row.nativeId);
  return [idOf(provider, row.subAccount), idOf(provider, row.service, row.category), idOf(provider, row.region)].join(
    '.',
  );
}

function usageOf(row: UsageRow): Usage {
  return {
    meter: meterName(row.provider, row.meter, row.description),
    description: row.description,
    service: row.service,
    kind: row.kind,
    unit: row.unit,
    quantity: parseAmount(row.quantity),
    weekendQuantity: parseAmount(row.weekend),
    recentQuantity: parseAmount(row.recent),
    cost: parseAmount(row.cost),
    days: bits(row.dayMask),
    hasEnded: hasEnded(row.dayMask),
  };
}

/** Returns a meter's name without AWS's region prefix: `EUC1-EBS:VolumeUsage.gp3`. */
export function meterName(provider: string, meter: string, description: string): string {
  const name = meter || description;
  return provider === 'aws' ? name.replace(/^(?:AF|AP|CA|CN|EU|IL|ME|MX|SA|UG|US)[A-Z]?\d{0,2}-/, '') : name;
}

/** Days without a charge that are inconclusive: the latest bills can be incomplete, as for resources (facts/inventory). */
const quietDays = 3;

/** Returns whether the time since the last charge exceeds the longest interval between two charges. A single charge has no
 *  interval. */
export function hasEnded(mask: number): boolean {
  const ages = Array.from({ length: windowDays }, (_, age) => age).filter((age) => (mask & (1 << age)) !== 0);
  const [last = 0] = ages;
  const widest = Math.max(0, ...ages.slice(1).map((age, index) => age - (ages[index] ?? 0) - 1));
  return ages.length > 1 && last > Math.max(quietDays, widest);
}

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask >>> 0; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** A resource's state in the inventory. */
export interface InventoryState {
  readonly name: string;
  readonly type: string;
  readonly tags: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Whether it is in the provider's last listing. */
  readonly isListed: boolean;
  readonly isGone: boolean;
}

/** Reads resources of the inventory.
 *  @param by their ids (`idOf`) or native ids. The latter may be spelled in another case: a provider that lists commitments need
 *    not spell them as the bill does. Of several, the oldest listed entry, else the oldest
 *  @returns by that id, without those that are not in the inventory */
async function readInventory(
  pool: Pool,
  scope: OrgScope,
  accountId: string,
  by: { readonly column: 'resource_id' | 'native_id'; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, InventoryState>> {
  const [key, asked] =
    by.column === 'resource_id' ? ['i.resource_id', 'a.id::bigint'] : ['lower(i.native_id)', 'lower(a.id)'];
  const { rows } = await pool.query<InventoryState & { key: string }>(
    `/* readInventory */ SELECT DISTINCT ON (a.id) a.id AS key, i.name, i.resource_type AS type, i.tags,
       i.metadata, l.resource_id IS NOT NULL AS "isListed", i.gone_at IS NOT NULL AS "isGone"
     FROM unnest($3::text[]) AS a(id) JOIN inventory_resources i ON ${key} = ${asked}
     LEFT JOIN inventory_listings l ON l.organization_id = i.organization_id
       AND l.account_id = i.account_id AND l.resource_id = i.resource_id
     WHERE i.organization_id = $1 AND i.account_id = $2 ORDER BY a.id, l.resource_id IS NULL, i.id`,
    [scope.organizationId, accountId, by.ids],
  );
  return new Map(rows.map(({ key: id, ...state }) => [id, state]));
}
