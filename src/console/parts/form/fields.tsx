import { NumberInput, type NumberInputProps, PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useState } from 'react';

/** What a field of a number takes. */
interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'defaultValue'> {
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

interface Props extends Omit<NumberFieldProps, 'prefix' | 'suffix' | 'thousandSeparator'> {
  readonly currency: string;
}

/** Takes an amount of money, with the currency it is in. */
export function MoneyInput({ currency, ...rest }: Props) {
  return <NumberField thousandSeparator="," suffix={` ${currency}`} placeholder={`0 ${currency}`} {...rest} />;
}

/** Takes a percentage. */
export function PercentInput(props: Omit<NumberFieldProps, 'prefix' | 'suffix'>) {
  return <NumberField suffix=" %" placeholder="0 %" {...props} />;
}

/** A password or another secret, which can be looked at, by keyboard too. */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed' }}
      {...props}
      // Mantine says it of the frame alone.
      aria-invalid={props.error ? true : undefined}
    />
  );
}
