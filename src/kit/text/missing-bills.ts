/** A month for which an account has no bill. */
interface Missing<Month> {
  readonly month: Month;
  readonly accountName: string;
}

/** Maximum number of bills that are named. */
const mostNamed = 3;

/** Names missing bills, such as `no bill for Production (October 2026)`; null if there are none.
 *  @param monthText the name of a month */
export function missingBillsText<Month>(
  bills: readonly Missing<Month>[],
  monthText: (month: Month) => string,
): string | null {
  const names = missingBillNames(bills, monthText);
  return names && `no bill for ${names}`;
}

/** Lists the accounts and months of missing bills, such as `Production (October 2026)`; null if there are none.
 *  @param monthText the name of a month */
export function missingBillNames<Month>(
  bills: readonly Missing<Month>[],
  monthText: (month: Month) => string,
): string | null {
  const names = [...new Set(bills.map(({ accountName, month }) => `${accountName} (${monthText(month)})`))];
  if (names.length === 0) return null;
  const others = names.slice(mostNamed).length;
  return `${names.slice(0, mostNamed).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}
