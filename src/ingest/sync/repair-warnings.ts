import type { CostRepair } from '../../engine/codebook.ts';
import type { Db } from '../../kit/db.ts';
import { amountToNumber, parseAmount, sumAmounts } from '../../kit/money.ts';
import { formatMoney } from '../../kit/text/format.ts';
import { monthAt } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** A repair in a loaded billing month. */
interface MonthRepair extends CostRepair {
  /** `YYYY-MM` */
  readonly month: string;
}

const charges = ['charge has', 'charges have'] as const;
const instances = ['instance has', 'instances have'] as const;
const purchases = ['purchase of a commitment has', 'purchases of commitments have'] as const;

/** Subject and predicate of each kind's warning, in the order of the warnings. */
const texts: Readonly<Record<CostRepair['kind'], readonly [subject: readonly [string, string], predicate: string]>> = {
  effective: [charges, 'no EffectiveCost, which FOCUS requires; BilledCost is used instead'],
  list: [charges, 'no ListCost, which FOCUS requires; ContractedCost is used instead'],
  contracted: [
    charges,
    'no ContractedCost, which FOCUS requires; EffectiveCost (usage) or BilledCost (other charges) is used instead',
  ],
  raised_contracted: [charges, 'no unit price, or one below the cost; the cost is used as ContractedCost instead'],
  raised_list: [charges, 'no list price, or one below the ContractedCost, which is used as ListCost instead'],
  purchase: [purchases, 'an EffectiveCost that is not counted, because the usage includes it; FOCUS requires 0'],
  kept_purchase: [
    purchases,
    'an EffectiveCost, where FOCUS requires 0; if the usage includes it, it is counted twice; correct the export',
  ],
  lost_parts: [instances, 'split cost allocation data, but no charge on the same day; it is not counted'],
  scaled_parts: [instances, 'split cost allocation data above the cost of a day; it is scaled down to the cost'],
  restated: [
    charges,
    'the same usage but different costs in two files, and both count; if one file restates the other, remove the older one',
  ],
};

/** Lists the repairs of an account's loaded billing months, oldest month first. */
export async function listRepairs(db: Db, scope: OrgScope, accountId: string): Promise<MonthRepair[]> {
  const rows = await db.billingPeriod.findMany({
    where: { accountId, organizationId: scope.organizationId },
    select: { period: true, repairs: true },
    orderBy: { period: 'asc' },
  });
  // Only the loader writes them.
  return rows.flatMap(({ period, repairs }) =>
    (repairs as unknown as readonly CostRepair[]).map((repair) => ({ ...repair, month: monthAt(period) })),
  );
}

/** Returns one warning per kind of repair, with months, number of charges, amounts and names.
 *  @param repairs by month */
export function warnOfRepairs(repairs: readonly MonthRepair[]): string[] {
  const byKind = Map.groupBy(repairs, ({ kind }) => kind);
  const kinds = Object.keys(texts) as CostRepair['kind'][];
  return kinds.flatMap((kind) => {
    const alike = byKind.get(kind) ?? [];
    const [first, last] = [alike.at(0), alike.at(-1)];
    if (!first || !last) return [];
    const months = first.month === last.month ? first.month : `${first.month} to ${last.month}`;
    const count = alike.reduce((sum, repair) => sum + repair.charges, 0);
    const [[one, many], predicate] = texts[kind];
    return [
      `${months}: ${count} ${count === 1 ? one : many} ${predicate} (${[amountsOf(alike), ...namesOf(alike)].join('; ')})`,
    ];
  });
}

function amountsOf(repairs: readonly CostRepair[]): string {
  const byCurrency = Map.groupBy(repairs, ({ currency }) => currency);
  return [...byCurrency]
    .map(([currency, own]) =>
      formatMoney(amountToNumber(sumAmounts(own.map(({ amount }) => parseAmount(amount)))), currency),
    )
    .toSorted()
    .join(', ');
}

const named = 3;

function namesOf(repairs: readonly CostRepair[]): string[] {
  const names = [...new Set(repairs.flatMap(({ resources = [] }) => resources))];
  if (names.length === 0) return [];
  return [`${names.slice(0, named).join(', ')}${names.length > named ? ', …' : ''}`];
}
