import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal } from '../../../support/cube.ts';
import { aLine, type FocusRow } from '../../../support/focus.ts';
import { billsOfFile, type Bills } from '../../world.ts';

const bills = billsOfFile();

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

// None whose costs the loader mends.
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

/** Charges whose tag `id` has more values than a rollup holds. */
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

/** Which dimensions each rollup holds; facts hold all of them. */
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

/** Of two keys that differ in case alone the first one counts, in code point order. */
function tagsText(tags: Readonly<Record<string, string>>): string {
  const entries = Object.entries(tags).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const first = entries.filter(
    ([key], at) => entries.findIndex(([other]) => other.toLowerCase() === key.toLowerCase()) === at,
  );
  return JSON.stringify(first);
}

/** Sums of every table and grain, made of the charges, by all that its rows hold. */
function expectedSums(charges: readonly Charge[]): Map<string, string> {
  const sums = new Map<string, bigint[]>();
  for (const [table, held] of Object.entries(dimensionsOf)) {
    for (const grain of table === 'facts' || monthlyAlone.has(table) ? [2] : [1, 2]) {
      for (const each of charges) {
        const isRollup = table !== 'facts';
        const reduced = isRollup ? { ...each, tags: withoutIdentifier(each) } : each;
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

function withoutIdentifier({ tags }: Charge): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).filter(([key]) => key !== 'ID'));
}

/** The same sums as the database holds them; a row that is there twice counts twice. */
async function storedSums({ pool, accountId }: Bills): Promise<Map<string, string>> {
  const columns = `f.provider, f.currency, f.charge_category, s.name AS service, r.code AS region, a.code AS "subAccount",
    f.pricing_kind::text AS pricing, f.tag_set_id, t.tags`;
  const joins = `LEFT JOIN services s ON s.account_id = f.account_id AND s.id = f.service_id
    LEFT JOIN regions r ON r.account_id = f.account_id AND r.id = f.region_id
    LEFT JOIN sub_accounts a ON a.account_id = f.account_id AND a.id = f.sub_account_id
    LEFT JOIN tag_sets t ON t.account_id = f.account_id AND t.id = f.tag_set_id WHERE f.account_id = $1`;
  const sums = `sum(f.line_items)::text AS lines, sum(f.billed)::text AS billed, sum(f.effective)::text AS effective,
    sum(f.list)::text AS list, sum(f.contracted)::text AS contracted`;
  const { rows } = await pool.query<Record<string, string | null> & { tags: Record<string, string> | null }>(
    `SELECT 'facts' AS "table", 1 AS grain, f.billing_period::text AS bill, f.charge_date::text AS date, ${columns}, ${sums}
       FROM cost_facts f ${joins} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
     UNION ALL SELECT f.rollup::text, f.grain, f.billing_period::text, f.date::text, ${columns},
       f.line_items::text, f.billed::text, f.effective::text, f.list::text, f.contracted::text FROM cost_rollups f ${joins}`,
    [accountId],
  );
  const found = rows.map((row): [string, string] => {
    const held = (dimensionsOf[row['table'] ?? ''] ?? []).map((name) =>
      name === 'tags' ? tagsText(row.tags ?? {}) : row[name],
    );
    const key = [
      row['table'],
      row['grain'],
      row['bill']?.slice(0, 7),
      row['date'],
      row['provider'],
      row['currency'],
      row['charge_category'],
    ];
    const amounts = [row['billed'], row['effective'], row['list'], row['contracted']].map((text) =>
      decimal(unitsOf(text)),
    );
    return [[...key, ...held].join(' | '), [row['lines'], ...amounts].join(' ')];
  });
  const sumsByKey = new Map<string, string>();
  for (const [key, text] of found) sumsByKey.set(key, sumsByKey.has(key) ? `${sumsByKey.get(key)} and ${text}` : text);
  return sumsByKey;
}

function unitsOf(text: string | null | undefined): bigint {
  const [whole = '0', part = ''] = (text ?? '0').split('.');
  const units = BigInt(whole.replace('-', '') + part.padEnd(12, '0').slice(0, 12));
  return whole.startsWith('-') ? -units : units;
}

async function figuresOf({ pool, accountId }: Bills): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `SELECT (to_jsonb(f) - 'account_id' - 'organization_id')::text AS line FROM cost_facts f WHERE account_id = $1
     UNION ALL SELECT (to_jsonb(r) - 'account_id' - 'organization_id')::text FROM cost_rollups r WHERE account_id = $1 ORDER BY 1`,
    [accountId],
  );
  return rows.map((row) => row.line);
}

describe('whatever the line items are', () => {
  it('facts, every rollup and every grain add up to them by each dimension, tag sets included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(charge, { minLength: 1, maxLength: 60 }), fc.boolean(), async (some, isIdentified) => {
        const charges = isIdentified ? [...some, ...identified] : some;
        const account = await bills.ofFile();
        const half = Math.ceil(charges.length / 2);
        await account.put('a.csv', charges.slice(0, half).map(rowOf));
        if (half < charges.length) await account.put('b.parquet', charges.slice(half).map(rowOf));
        await account.sync();
        expect(Object.fromEntries([...(await storedSums(account))].sort())).toEqual(
          Object.fromEntries([...expectedSums(charges)].sort()),
        );
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  it('a second load of them gives the same figures to the last digit, in whatever order they come', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(charge, { minLength: 2, maxLength: 60 }), async (charges) => {
        const [one, other] = [await bills.ofFile(), await bills.ofFile()];
        await one.put('a.csv', charges.map(rowOf));
        await other.put('a.parquet', charges.toReversed().map(rowOf));
        await Promise.all([one.sync(), other.sync()]);
        expect(await figuresOf(other)).toEqual(await figuresOf(one));
      }),
      { numRuns: 8 },
    );
  }, 120_000);
});
