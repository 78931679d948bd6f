import { readConversions, type Conversion, type Convertible } from '../../../facts/currencies.ts';
import { field, type DataRequest, type Field } from './data-set.ts';

/** Returns a function that reads the conversion of a record's amounts to the organization's currency; null without a rate. Reads
 *  each once, because many records share one. */
export function conversionsOf({ deps, scope }: Pick<DataRequest, 'deps' | 'scope'>) {
  const known = new Map<string, Promise<Conversion | null>>();
  return (record: Convertible): Promise<Conversion | null> => {
    const key = `${record.currency} ${'month' in record ? record.month : record.accountId}`;
    const found = known.get(key) ?? readConversions(deps.pool, scope, [record]).then(([one]) => one ?? null);
    known.set(key, found);
    return found;
  };
}

/** Adds to each item what is converted from it. */
export async function* withConverted<Item, Converted>(
  items: AsyncIterable<Item>,
  convert: (item: Item) => Promise<Converted>,
): AsyncGenerator<Item & { readonly converted: Converted }> {
  for await (const item of items) yield { ...item, converted: await convert(item) };
}

/** Column with the currency of the converted amounts; on paper, their titles name it. */
export function convertedCurrency(currency: string): Field<{ readonly converted: unknown }> {
  const kind = { type: 'text', isDetail: true } as const;
  return field('converted_currency', 'Converted to', kind, ({ converted }) => (converted === null ? null : currency));
}
