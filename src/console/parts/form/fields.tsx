import {
  NumberInput,
  PasswordInput,
  Select,
  Switch,
  TextInput,
  type NumberInputProps,
  type PasswordInputProps,
  type SelectProps,
  type SwitchProps,
  type TextInputProps,
} from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { withStrangers, type Choice } from '../list/filters.tsx';

interface TextFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string;
  onChange(value: string): void;
}

/** Text input. */
export function TextField({ onChange, ...rest }: TextFieldProps) {
  return <TextInput onChange={(event) => onChange(event.currentTarget.value)} {...rest} />;
}

interface ToggleProps extends Omit<SwitchProps, 'checked' | 'onChange'> {
  readonly checked: boolean;
  onChange(isOn: boolean): void;
}

/** Switch. */
export function Toggle({ onChange, ...rest }: ToggleProps) {
  return <Switch onChange={(event) => onChange(event.currentTarget.checked)} {...rest} />;
}

interface OneFieldProps<Value extends string> extends Omit<SelectProps, 'value' | 'onChange' | 'data'> {
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  onChange(value: Value): void;
}

/** Select for exactly one of a few choices. */
export function OneField<Value extends string>({ choices, onChange, ...rest }: OneFieldProps<Value>) {
  const choose = (chosen: string | null) => {
    const found = choices.find(({ value }) => value === chosen);
    if (found) onChange(found.value);
  };
  return <Select data={[...choices]} allowDeselect={false} onChange={choose} {...rest} />;
}

/** Keys of a constant table, in its order. */
export function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a constant has no other keys
  return Object.keys(table) as Key[];
}

interface TermFieldProps<Value extends string> {
  readonly label: string;
  /** Meaning of each choice. */
  readonly terms: Readonly<Record<Value, { readonly label: string; readonly description: string }>>;
  readonly value: Value;
  onChange(value: Value): void;
}

/** Select for one of a few terms, with the meaning of the chosen one below. */
export function TermField<Value extends string>({ terms, value, ...rest }: TermFieldProps<Value>) {
  return (
    <OneField
      choices={keysOf(terms).map((key) => ({ value: key, label: terms[key].label }))}
      value={value}
      description={terms[value].description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...rest}
    />
  );
}

interface AnyFieldProps extends Omit<SelectProps, 'data' | 'onChange'> {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: string | null;
  onChange(value: string | null): void;
}

/** Searchable select for one choice, or none unless required. Keeps a value that is no longer a choice until it is cleared. */
export function AnyField({ choices, required = false, ...rest }: AnyFieldProps) {
  const { label, value } = rest;
  return (
    <Select
      data={withStrangers(choices, value === null ? [] : [value])}
      withAsterisk={required}
      searchable
      clearable={!required}
      limit={200}
      nothingFoundMessage="Nothing found"
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      {...rest}
    />
  );
}

/** Props of a number field. */
interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'defaultValue'> {
  /** Null while there is not a number. */
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

interface PasswordFieldProps extends Omit<PasswordInputProps, 'value' | 'onChange'> {
  readonly value: string;
  onChange(value: string): void;
}

/** Input for a password or another secret, with a reveal button that also works by keyboard. */
export function PasswordField({ onChange, ...props }: PasswordFieldProps) {
  return (
    <PasswordInput
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...props}
      // Mantine sets it only on the wrapper.
      aria-invalid={props.error ? true : undefined}
    />
  );
}
