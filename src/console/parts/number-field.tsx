import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';

/** What a field of a number takes. */
export interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'defaultValue'> {
  /** Null while no number is written. */
  readonly value: number | null;
  onChange(value: number | null): void;
}

/** Takes a number. What is on its way to being one, such as `12.`, stays as it is typed. */
export function NumberField({ value, onChange, ...rest }: NumberFieldProps) {
  const [typed, setTyped] = useState<string | number>(value ?? '');
  return (
    <NumberInput
      value={numberOf(typed) === value ? typed : (value ?? '')}
      onChange={(next) => {
        setTyped(next);
        onChange(numberOf(next));
      }}
      decimalScale={6}
      hideControls
      inputMode="decimal"
      {...rest}
    />
  );
}

function numberOf(typed: string | number): number | null {
  const number = typed === '' ? Number.NaN : Number(typed);
  return Number.isFinite(number) ? number : null;
}
