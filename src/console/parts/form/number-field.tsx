import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';

/** Props of a number field. */
interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'defaultValue'> {
  /** Null while the input is not a number. */
  readonly value: number | null;
  onChange(value: number | null): void;
}

/** Number input. Keeps partial input, such as `12.`, as typed. Refuses text with letters, which would otherwise lose them: `1e9` would
 *  become 19. */
export function NumberField({ value, onChange, error, suffix = '', ...rest }: NumberFieldProps) {
  const [typed, setTyped] = useState<string | number>(value ?? '');
  const [refused, setRefused] = useState<string | null>(null);
  const check = (event: SyntheticEvent, text: string) => {
    const isNumber = !/\p{L}/u.test(text.replace(suffix.trim(), ''));
    if (!isNumber) event.preventDefault();
    // While typing, the message about an earlier letter stays.
    if (!isNumber || event.type === 'paste') setRefused(isNumber ? null : text);
  };
  return (
    <NumberInput
      value={numberOf(typed) === value ? typed : (value ?? '')}
      onChange={(next) => {
        if (String(next).length < String(typed).length) setRefused(null);
        setTyped(next);
        onChange(numberOf(next));
      }}
      onBeforeInput={(event) => check(event, event.data)}
      onPaste={(event) => check(event, event.clipboardData.getData('text'))}
      error={refused === null ? error : `“${refused}” was not entered: use digits only`}
      suffix={suffix}
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

/** Input for an amount of money, with its currency. */
export function MoneyInput({ currency, ...rest }: Props) {
  return <NumberField thousandSeparator="," suffix={` ${currency}`} placeholder={`0 ${currency}`} {...rest} />;
}

/** Percentage input. */
export function PercentInput(props: Omit<NumberFieldProps, 'prefix' | 'suffix'>) {
  return <NumberField suffix=" %" placeholder="0 %" {...props} />;
}
