/** A question to the list of the inventory. */
interface InventoryQuestion {
  readonly account?: string;
  readonly type?: string;
  readonly tagKey?: string;
  readonly tagValue?: string;
}

/** The list of the inventory that holds just these. */
export function inventoryHref(question: InventoryQuestion): string {
  return `/inventory?${new URLSearchParams({ ...question })}`;
}
