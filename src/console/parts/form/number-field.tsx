import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { readNumber, showNumber, type NumberFormat } from './number-text.ts';

/** Props of a number field. */
interface NumberFieldProps
  extends
    Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'>,
    Partial<Omit<NumberFormat, 'unit' | 'isGrouped'>> {
  /** Null while the input is empty or not a number. */
  readonly value: number | null;
  onChange(value: number | null): void;
}

interface FormattedProps extends NumberFieldProps, Partial<Pick<NumberFormat, 'unit' | 'isGrouped'>> {}

/** Number input. Keeps the text as typed until the field is left, then shows how it was read: `60000` becomes `60,000 USD`. Text that
 *  is not a number stays, with an error. */
export function NumberField(props: FormattedProps) {
  const { value, onChange, error, unit = '', isGrouped = false, decimals = 6, isSigned = true, ...rest } = props;
  const format = { unit, isGrouped, decimals, isSigned };
  const [typed, setTyped] = useState(() => textOf(value, format));
  const [isLeft, setLeft] = useState(true);
  const read = readNumber(typed, format);
  const isCurrent = numberOf(read) === value;
  const text = isCurrent ? typed : textOf(value, format);
  const fault = isCurrent && 'fault' in read && text.trim() !== '' ? read.fault : null;
  return (
    <TextInput
      value={text}
      inputMode="decimal"
      autoComplete="off"
      data-misread={fault !== null || undefined}
      error={fault !== null && (isLeft || error) ? fault : error}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        setLeft(false);
        onChange(numberOf(readNumber(currentTarget.value, format)));
      }}
      onKeyDown={({ key }) => key === 'Enter' && setLeft(true)}
      onBlur={() => {
        if (isCurrent && 'plain' in read) setTyped(showNumber(read.plain, format));
        setLeft(true);
      }}
      {...rest}
    />
  );
}

function numberOf(read: ReturnType<typeof readNumber>): number | null {
  return 'plain' in read ? Number(read.plain) : null;
}

function textOf(value: number | null, format: NumberFormat): string {
  if (value === null) return '';
  const plain = value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
  return showNumber(plain, format);
}

interface MoneyProps extends NumberFieldProps {
  readonly currency: string;
}

/** Input for an amount of money, with its currency. */
export function MoneyInput({ currency, ...rest }: MoneyProps) {
  return <NumberField isGrouped unit={currency} placeholder={`0 ${currency}`} {...rest} />;
}

/** Percentage input. */
export function PercentInput(props: NumberFieldProps) {
  return <NumberField unit="%" placeholder="0%" {...props} />;
}
