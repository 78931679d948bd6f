import {
  PasswordInput,
  Select,
  Switch,
  TextInput,
  type PasswordInputProps,
  type SelectProps,
  type SwitchProps,
  type TextInputProps,
} from '@mantine/core';
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
