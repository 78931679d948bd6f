import { NumberInput, type NumberInputProps } from '@mantine/core';

interface Props extends Omit<NumberInputProps, 'value' | 'onChange' | 'prefix' | 'suffix' | 'thousandSeparator'> {
  /** Null while nothing is written. */
  readonly value: number | null;
  readonly currency: string;
  onChange(value: number | null): void;
}

/** Takes an amount of money, with the currency it is in. */
export function MoneyInput({ value, currency, onChange, ...rest }: Props) {
  return (
    <NumberInput
      value={value ?? ''}
      onChange={(next) => onChange(typeof next === 'number' ? next : null)}
      thousandSeparator=","
      suffix={` ${currency}`}
      decimalScale={6}
      hideControls
      inputMode="decimal"
      placeholder={`0 ${currency}`}
      {...rest}
    />
  );
}
