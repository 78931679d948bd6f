import { Text } from '@mantine/core';
import { money } from '../../words/format.ts';

/** Amounts by name in one currency. */
export type Amounts<Name extends string> = { readonly currency: string } & { readonly [Each in Name]: number | null };

/** Amounts of a record in the currency of its bill, and in the organization's currency; null without an exchange rate. */
export type OwnAmounts<Name extends string> = Amounts<Name> & {
  readonly converted?: Amounts<Name> | null;
  /** Amounts in further currencies, which `converted` includes. */
  readonly otherCosts?: readonly Amounts<Name>[] | null;
};

interface Props<Name extends string> {
  readonly row: OwnAmounts<Name>;
  /** Name of the amount. */
  readonly name: Name;
  /** Formats both amounts; `money` by default. */
  readonly format?: (value: number, currency: string) => string;
  readonly isStrong?: boolean;
}

/** Amount of a row in the organization's currency, with the original below it if that differs. Without an exchange rate, only
 *  the original. */
export function OwnMoney<Name extends string>({ row, name, format = money, isStrong = false }: Props<Name>) {
  const shownOf = (amounts: Amounts<Name>) => {
    const value: number | null = amounts[name];
    return value === null ? null : format(value, amounts.currency);
  };
  if (shownOf(row) === null) return <span className="figures">–</span>;
  const original = [row, ...(row.otherCosts ?? [])].map(shownOf).join(' + ');
  const shown = (row.converted && shownOf(row.converted)) ?? original;
  const main = <span className="figures">{isStrong ? <strong>{shown}</strong> : shown}</span>;
  if (shown === original) return main;
  return (
    <>
      <div>{main}</div>
      <Text component="div" size="xs" c="dimmed" fw={400} className="figures">
        {original}
      </Text>
    </>
  );
}
