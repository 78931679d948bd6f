import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chargeCategories, loadedColumns, pricingKinds, type LoadedTable } from '../../../../src/engine/codebook.ts';
import type { MonthExport } from '../../../../src/ingest/sync/loader/protocol.ts';
import { decimal } from '../../../support/cube.ts';
import { aLine, csvOf, type FocusRow } from '../../../support/focus.ts';
import { billOf, readBills, type BillFile, type Fact, type Reading } from './reading.ts';
import { selectFacts } from '../../../support/read-facts.ts';

/** A charge; amounts are in units of 10^-12. */
interface Charge {
  readonly day: string;
  readonly bill: string;
  readonly provider: string;
  readonly currency: string;
  readonly category: string;
  readonly pricing: string;
  readonly service: string;
  readonly region: string;
  readonly subAccount: string;
  readonly resource: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly amounts: readonly [bigint, bigint, bigint, bigint];
}

// Providers whose costs the loader does not correct.
const providers = { AWS: 'aws', Oracle: 'oracle', 'Plum Cloud': 'plum-cloud' };
const categories = ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment'];
const pricings: Record<string, { columns: FocusRow; code: number }> = {
  onDemand: { columns: { PricingCategory: 'Standard' }, code: 1 },
  spot: { columns: { PricingCategory: 'Dynamic' }, code: 2 },
  reserved: {
    columns: { PricingCategory: 'Committed', CommitmentDiscountId: 'ri', CommitmentDiscountCategory: 'Usage' },
    code: 3,
  },
  plan: {
    columns: {
      PricingCategory: 'Committed',
      CommitmentDiscountId: 'sp',
      CommitmentDiscountType: 'Compute Savings Plan',
    },
    code: 4,
  },
  unusedPlan: {
    columns: { CommitmentDiscountStatus: 'Unused', CommitmentDiscountId: 'sp', CommitmentDiscountCategory: 'Spend' },
    code: 7,
  },
};

const amount = fc.oneof(fc.constant(0n), fc.bigInt(-(10n ** 17n), 10n ** 17n), fc.bigInt(-9n, 9n));
const charge: fc.Arbitrary<Charge> = fc.record({
  day: fc.constantFrom('2026-05-30', '2026-05-31', '2026-06-01', '2026-06-02'),
  bill: fc.constantFrom('2026-05', '2026-06'),
  provider: fc.constantFrom(...Object.keys(providers)),
  currency: fc.constantFrom('USD', 'EUR'),
  category: fc.constantFrom('Usage', ...categories),
  pricing: fc.constantFrom(...Object.keys(pricings)),
  service: fc.constantFrom('Compute', 'Storage', "O'Reilly"),
  region: fc.constantFrom('east', 'west'),
  subAccount: fc.constantFrom('111', '222'),
  resource: fc.constantFrom('a', 'b', 'c'),
  tags: fc.dictionary(fc.constantFrom('env', 'Env', 'team'), fc.constantFrom('x', 'y', '', '"\\'), { maxKeys: 3 }),
  amounts: fc.tuple(amount, amount, amount, amount),
});

/** Charges whose tag `id` has more values than a rollup can hold. */
const identified = Array.from({ length: 201 }, (_, index): Charge => ({
  day: '2026-05-31',
  bill: '2026-05',
  provider: 'AWS',
  currency: 'USD',
  category: 'Usage',
  pricing: 'onDemand',
  service: 'Compute',
  region: 'east',
  subAccount: '111',
  resource: 'a',
  tags: { ID: `value ${index}`, team: 'x' },
  amounts: [1n, 2n, 3n, 4n],
}));

function rowOf(given: Charge): FocusRow {
  const [billed, effective, list, contracted] = given.amounts.map(decimal);
  return aLine({
    ...pricings[given.pricing]?.columns,
    ChargePeriodStart: `${given.day}T00:00:00Z`,
    BillingPeriodStart: `${given.bill}-01T00:00:00Z`,
    ProviderName: given.provider,
    BillingCurrency: given.currency,
    ChargeCategory: given.category,
    ServiceName: given.service,
    RegionId: given.region,
    SubAccountId: given.subAccount,
    ResourceId: given.resource,
    Tags: JSON.stringify(given.tags),
    BilledCost: billed ?? '',
    EffectiveCost: effective ?? '',
    ListCost: list ?? '',
    ContractedCost: contracted ?? '',
  });
}

/** The dimensions of each rollup; facts have all of them. */
const dimensionsOf: Record<string, readonly (keyof typeof dimensions)[]> = {
  facts: ['service', 'region', 'subAccount', 'pricing', 'tags'],
  1: [],
  2: ['service'],
  3: ['subAccount'],
  4: ['region'],
  5: ['service', 'region', 'pricing'],
  6: ['subAccount', 'service', 'region'],
  7: ['tags'],
  8: ['tags', 'service', 'region'],
};
const monthlyAlone = new Set(['6', '8']);

const dimensions = {
  service: (each: Charge) => each.service,
  region: (each: Charge) => each.region,
  subAccount: (each: Charge) => each.subAccount,
  pricing: (each: Charge) => String(each.category === 'Usage' ? pricings[each.pricing]?.code : 5),
  tags: (each: Charge) => tagsText(each.tags),
};

/** Of keys that differ only in case, the first in code point order counts. */
function tagsText(tags: Readonly<Record<string, string>>): string {
  const entries = Object.entries(tags).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const first = entries.filter(
    ([key], at) => entries.findIndex(([other]) => other.toLowerCase() === key.toLowerCase()) === at,
  );
  return JSON.stringify(first);
}

/** Expected sums of every table and grain, by all dimensions of its rows. */
function expectedSums(charges: readonly Charge[]): Map<string, string> {
  const sums = new Map<string, bigint[]>();
  for (const [table, held] of Object.entries(dimensionsOf)) {
    for (const grain of table === 'facts' || monthlyAlone.has(table) ? [2] : [1, 2]) {
      for (const each of charges) {
        const isRollup = table !== 'facts';
        const reduced = isRollup ? { ...each, tags: rolledUp(each) } : each;
        const date = grain === 1 || !isRollup ? each.day : `${each.day.slice(0, 7)}-01`;
        const provider = Object.entries(providers).find(([name]) => name === each.provider)?.[1];
        const category = categories.indexOf(each.category) + 1;
        const key = [table, isRollup ? grain : 1, each.bill, date, provider, each.currency, category];
        const text = [...key, ...held.map((name) => dimensions[name](reduced))].join(' | ');
        const sum = sums.get(text) ?? [0n, 0n, 0n, 0n, 0n];
        sums.set(
          text,
          [1n, ...each.amounts].map((value, at) => value + (sum[at] ?? 0n)),
        );
      }
    }
  }
  return new Map(
    [...sums].map(([key, [lines = 0n, ...amounts]]): [string, string] => [
      key,
      [lines, ...amounts.map(decimal)].join(' '),
    ]),
  );
}

/** Rollups contain no identifier tags, and compare tag keys case-insensitively. */
function rolledUp({ tags }: Charge): Record<string, string> {
  const first: Record<string, string> = Object.fromEntries(JSON.parse(tagsText(tags)));
  const entries = Object.entries(first).map(([key, value]): [string, string] => [key.toLowerCase(), value]);
  return Object.fromEntries(entries.filter(([key]) => key !== 'id'));
}

/** The output of the exports of all months. */
interface Written {
  readonly facts: readonly Fact[];
  readonly rollups: readonly Fact[];
  readonly digests: readonly string[];
}

async function writeAll({ parts, export: write, query }: Reading): Promise<Written> {
  const months = [...new Set(parts.map(({ month }) => month))].toSorted();
  const all: MonthExport[] = [];
  for (const month of months) all.push(await write(month));
  const days = all.flatMap(({ facts }) => facts.filter(({ grain }) => grain === 'day').map(({ path }) => path));
  const csv = (table: LoadedTable) => {
    const paths = all.flatMap(({ files, entries }) => ({ ...files, ...entries })[table] ?? []);
    const columns = loadedColumns[table].map((name) => `'${name}': 'VARCHAR'`).join(', ');
    return `(SELECT DISTINCT * EXCLUDE (account_id, organization_id) FROM read_csv([${paths.map((file) => `'${file}'`).join(', ')}],
      auto_detect=false, header=false, columns={${columns}}, nullstr='\\N', quote='"', escape='"', null_padding=false))`;
  };
  const isTagged = all.some(({ entries }) => entries.tag_pairs);
  const pairs = `SELECT tag_set_id, to_json(map_from_entries(list(row(k.key, v.value) ORDER BY k.key)))::VARCHAR AS tags FROM ${csv('tag_pairs')} p
    JOIN (SELECT DISTINCT id, lower(key) AS key FROM ${csv('tag_keys')}) k ON k.id = p.key_id JOIN ${csv('tag_values')} v ON v.id = p.value_id GROUP BY 1`;
  return {
    digests: all.map(({ digest }) => digest),
    facts: await query(`SELECT * EXCLUDE (x_AccountId, x_OrganizationId) FROM (${selectFacts(days)}) ORDER BY ALL`),
    rollups:
      await query(`SELECT f.*, s.name AS service, r.code AS region, a.code AS "subAccount", ${isTagged ? 't.tags' : 'NULL AS tags'}
      FROM ${csv('cost_rollups')} f LEFT JOIN ${csv('services')} s ON s.id = f.service_id
      LEFT JOIN ${csv('regions')} r ON r.id = f.region_id LEFT JOIN ${csv('sub_accounts')} a ON a.id = f.sub_account_id
      ${isTagged ? `LEFT JOIN (${pairs}) t ON t.tag_set_id = f.tag_set_id` : ''} ORDER BY ALL`),
  };
}

/** The same sums from the written files; a duplicate rollup row counts twice. */
function writtenSums({ facts, rollups }: Written): Map<string, string> {
  const sums = new Map<string, string>();
  const factSums = new Map<string, bigint[]>();
  for (const fact of facts) {
    const row: Fact = {
      service: fact['ServiceName'] ?? null,
      region: fact['RegionId'] ?? null,
      subAccount: fact['SubAccountId'] ?? null,
      pricing: code(pricingKinds, fact['x_PricingKind']),
      tags: fact['Tags'] ?? null,
    };
    const head = [
      'facts',
      1,
      fact['BillingPeriodStart']?.slice(0, 7),
      fact['ChargePeriodStart']?.slice(0, 10),
      fact['x_Provider'],
    ];
    const key = [
      ...head,
      fact['BillingCurrency'],
      code(chargeCategories, fact['ChargeCategory']),
      ...heldOf('facts', row),
    ].join(' | ');
    const amounts = ['BilledCost', 'EffectiveCost', 'ListCost', 'ContractedCost'].map((name) => unitsOf(fact[name]));
    const sum = factSums.get(key) ?? [0n, 0n, 0n, 0n, 0n];
    factSums.set(
      key,
      [BigInt(fact['x_LineItems'] ?? 0), ...amounts].map((value, at) => value + (sum[at] ?? 0n)),
    );
  }
  for (const [key, [lines = 0n, ...amounts]] of factSums) sums.set(key, [lines, ...amounts.map(decimal)].join(' '));
  for (const row of rollups) {
    const rollup = row['rollup'] ?? '';
    const head = [
      rollup,
      row['grain'],
      row['billing_period']?.slice(0, 7),
      row['date'],
      row['provider'],
      row['currency'],
    ];
    const held = heldOf(rollup, { ...row, pricing: row['pricing_kind'] ?? null });
    const key = [...head, row['charge_category'], ...held].join(' | ');
    const amounts = ['billed', 'effective', 'list', 'contracted'].map((name) => decimal(unitsOf(row[name])));
    const text = [row['line_items'], ...amounts].join(' ');
    sums.set(key, sums.has(key) ? `${sums.get(key)} and ${text}` : text);
  }
  return sums;
}

function heldOf(table: string, row: Fact): (string | null | undefined)[] {
  return (dimensionsOf[table] ?? []).map((name) =>
    name === 'tags' ? tagsText(JSON.parse(row['tags'] ?? '{}')) : row[name],
  );
}

function code(names: readonly string[], name: string | null | undefined): string {
  return String(names.indexOf(name ?? '') + 1);
}

function unitsOf(text: string | null | undefined): bigint {
  const [whole = '0', part = ''] = (text ?? '0').split('.');
  const units = BigInt(whole.replace('-', '') + part.padEnd(12, '0').slice(0, 12));
  return whole.startsWith('-') ? -units : units;
}

const csv = (name: string, charges: readonly Charge[]): BillFile => ({ name, content: csvOf(charges.map(rowOf)) });

describe('for any line items, the loader', () => {
  it('writes facts and rollups of every grain with the same sums by each dimension and tag set', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(charge, { minLength: 1, maxLength: 60 }), fc.boolean(), async (some, isIdentified) => {
        const charges = isIdentified ? [...some, ...identified] : some;
        const half = Math.ceil(charges.length / 2);
        const parquet = () => billOf('b.parquet', charges.slice(half).map(rowOf));
        const reading = await readBills(
          csv('a.csv', charges.slice(0, half)),
          ...(half < charges.length ? [await parquet()] : []),
        );
        expect(Object.fromEntries([...writtenSums(await writeAll(reading))].sort())).toEqual(
          Object.fromEntries([...expectedSums(charges)].sort()),
        );
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  it('writes exactly the same output for any order of lines and split into files', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(charge, { minLength: 2, maxLength: 60 }), fc.nat(59), async (charges, cut) => {
        const at = Math.min(cut, charges.length - 1);
        const files = [csv('a.csv', charges.slice(0, at)), csv('b.csv', charges.slice(at))];
        const one = await writeAll(await readBills(await billOf('a.parquet', charges.toReversed().map(rowOf))));
        expect(await writeAll(await readBills(...files.slice(at === 0 ? 1 : 0)))).toEqual(one);
      }),
      { numRuns: 8 },
    );
  }, 120_000);
});
