import { SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { PasswordField } from '../../parts/password-field.tsx';
import { KeyFile } from './key-file.tsx';
import type { Values } from './values.ts';
import type { Field } from './way.ts';

interface Props {
  readonly fields: readonly Field[];
  readonly values: Values;
  readonly faults: Readonly<Record<string, string>>;
  onChange(name: string, value: string): void;
}

/** Fields of the form, two beside each other where there is room. */
export function FieldsGrid({ fields, values, faults, onChange }: Props) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          fault={faults[field.name] ?? null}
          onChange={(value) => onChange(field.name, value)}
        />
      ))}
    </SimpleGrid>
  );
}

interface FieldProps {
  readonly field: Field;
  readonly value: string;
  readonly fault: string | null;
  onChange(value: string): void;
}

function OneField({ field, value, fault, onChange }: FieldProps) {
  const { name, label, help, placeholder, kind, isOptional } = field;
  const shared = {
    label: isOptional ? `${label} (optional)` : label,
    description: help,
    placeholder,
    error: fault,
    value,
    name,
    autoComplete: 'off',
    spellCheck: false,
    // Help stands below, so that inputs of a row line up whether they have one or not.
    inputWrapperOrder: ['label', 'input', 'error', 'description'] satisfies (
      'label' | 'input' | 'error' | 'description'
    )[],
  };
  switch (kind) {
    case 'secret':
      return (
        <PasswordField
          {...shared}
          autoComplete="new-password"
          data-1p-ignore
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'list':
      return (
        <Textarea
          {...shared}
          autosize
          minRows={1}
          maxRows={8}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'file':
      return <KeyFile name={name} label={label} value={value} fault={fault} onChange={onChange} />;
    default:
      return <TextInput {...shared} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
}
