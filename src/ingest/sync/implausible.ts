import { isCurrencyCode } from '../../kit/money.ts';
import type { Db } from '../../kit/db.ts';
import { dayOf, monthAt, type Day, type Month } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** The checked figures of a loaded billing month. */
interface CheckedMonth {
  readonly month: Month;
  /** Last day with charges. */
  readonly dataTo: Day;
  readonly currencies: readonly string[];
}

/** Lists the loaded billing months of an account, oldest first. */
export async function listCheckedMonths(db: Db, scope: OrgScope, accountId: string): Promise<CheckedMonth[]> {
  const rows = await db.billingPeriod.findMany({
    where: { accountId, organizationId: scope.organizationId },
    select: { period: true, dataTo: true, totals: true },
    orderBy: { period: 'asc' },
  });
  return rows.map(({ period, dataTo, totals }) => ({
    month: monthAt(period),
    dataTo: dayOf(dataTo),
    // Only the loader writes them.
    currencies: (totals as unknown as readonly { readonly currency: string }[]).map(({ currency }) => currency),
  }));
}

/** Returns warnings about charges that are counted, but are most likely mistakes of the export: days that are after both the
 *  billing month and today, and currencies that do not exist. */
export function warnOfImplausible(months: readonly CheckedMonth[], today: Day): string[] {
  const future = months.filter(({ month, dataTo }) => dataTo > today && dataTo.slice(0, 7) > month);
  const unknown = Map.groupBy(
    months.flatMap(({ month, currencies }) => currencies.map((currency) => ({ month, currency }))),
    ({ currency }) => currency,
  );
  return [
    ...future.map(
      ({ month, dataTo }) =>
        `${month}: charges are dated up to ${dataTo}, in the future and after the billing month; check ChargePeriodStart in the export`,
    ),
    ...[...unknown]
      .filter(([currency]) => !isCurrencyCode(currency))
      .map(([currency, found]) => {
        const [first, last] = [found.at(0)?.month, found.at(-1)?.month];
        const range = first === last ? first : `${first} to ${last}`;
        return `${range}: the currency ${currency} is not an ISO 4217 code, so its charges are not converted; check BillingCurrency in the export`;
      }),
  ];
}
