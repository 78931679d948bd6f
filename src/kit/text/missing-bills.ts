/** A month for which an account has no bill. */
interface Missing<Month> {
  readonly month: Month;
  readonly accountName: string;
}

/** Maximum number of months that are named. */
const mostNamed = 3;

/** Names missing bills, such as `no bill for Production (October 2026)`; null if there are none.
 *  @param monthText the name of a month */
export function missingBillsText<Month>(
  bills: readonly Missing<Month>[],
  monthText: (month: Month) => string,
): string | null {
  const names = [...new Set(bills.map(({ accountName, month }) => `${accountName} (${monthText(month)})`))];
  if (names.length === 0) return null;
  const others = names.slice(mostNamed).length;
  return `no bill for ${names.slice(0, mostNamed).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}
