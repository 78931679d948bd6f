import { FileButton, Group, Radio, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { IconFileUpload, IconKey } from '@tabler/icons-react';
import { Act } from '../../parts/form/menu.tsx';
import { failed } from '../../parts/form/dialog.tsx';
import { PasswordField, TextField } from '../../parts/form/fields.tsx';
import type { Field } from './fields.ts';
import classes from './source.module.css';
import { parseKey, type Values } from './values.ts';

interface Props {
  readonly fields: readonly Field[];
  readonly values: Values;
  readonly faults: Readonly<Record<string, string>>;
  onChange(name: string, value: string): void;
}

/** Form fields in two columns where there is room. */
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
    // The help text goes below the input, so that inputs in a row align whether or not they have one.
    inputWrapperOrder: ['label', 'input', 'error', 'description'] satisfies (
      'label' | 'input' | 'error' | 'description'
    )[],
  };
  switch (kind) {
    case 'secret':
      return <PasswordField {...shared} autoComplete="new-password" data-1p-ignore onChange={onChange} />;
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
      return <TextField {...shared} onChange={onChange} />;
  }
}

interface KeyFileProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly fault: string | null;
  onChange(value: string): void;
}

/** Google Cloud's JSON key, uploaded or pasted. A valid key is replaced by its service account; the key itself is never
 *  shown. */
function KeyFile(props: KeyFileProps) {
  const email = parseKey(props.value)?.['client_email'];
  return typeof email === 'string' ? <Taken {...props} email={email} /> : <Ask {...props} />;
}

function Taken({ label, email, fault, onChange }: KeyFileProps & { readonly email: string }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Group
        justify="space-between"
        wrap="nowrap"
        px={12}
        py={10}
        bg="var(--surface-raised)"
        bd="1px solid var(--line)"
        bdrs="md"
      >
        <Group gap={8} wrap="nowrap" miw={0}>
          <IconKey size={16} aria-hidden style={{ flex: 'none' }} />
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            Key of {email}
          </Text>
        </Group>
        <Act label="Choose another" size="compact-sm" onClick={() => onChange('')} />
      </Group>
      {fault && (
        <Text size="xs" c="var(--bad)" role="alert">
          {fault}
        </Text>
      )}
    </Stack>
  );
}

function Ask({ name, label, value, fault, onChange }: KeyFileProps) {
  return (
    <Stack gap={6}>
      <Textarea
        name={name}
        label={label}
        description="Paste the content of key.json, or choose the file."
        placeholder='{ "type": "service_account", … }'
        rows={4}
        value={value}
        error={fault}
        autoComplete="off"
        spellCheck={false}
        data-1p-ignore
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Choose onChange={onChange} />
    </Stack>
  );
}

/** Maximum file size in bytes; a key has about 2,400. */
const most = 64_000;

function Choose({ onChange }: Pick<KeyFileProps, 'onChange'>) {
  const take = async (file: File | null) => {
    if (!file) return;
    if (file.size > most) return failed(`${file.name} is too large for a service account key.`);
    onChange(await file.text());
  };
  return (
    <div>
      <FileButton accept="application/json,.json" onChange={(file) => void take(file)}>
        {(props) => <Act label="Choose a file" Icon={IconFileUpload} {...props} size="compact-sm" />}
      </FileButton>
    </div>
  );
}

interface Choice {
  readonly key: string;
  readonly label: string;
  readonly text?: string;
  /** Field of the API that it needs. */
  readonly needs?: string;
}

interface WaysChoiceProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: string;
  /** Fields that the server refuses, with the reason; choices that need one are disabled. */
  readonly obstacles: readonly { readonly field: string; readonly reason: string }[];
  onChange(key: string): void;
}

/** Radio cards with descriptions. Renders nothing if there is only one choice. */
export function WaysChoice({ label, choices, value, obstacles, onChange }: WaysChoiceProps) {
  if (choices.length < 2) return null;
  const obstacleTo = ({ needs }: Choice) => obstacles.find(({ field }) => field === needs)?.reason ?? null;
  return (
    <Radio.Group value={value} onChange={onChange} aria-label={label}>
      <div className={classes.ways}>
        {choices.map((choice) => {
          const { key, label: name } = choice;
          const obstacle = obstacleTo(choice);
          const text = obstacle ?? choice.text;
          return (
            <div key={key} className={classes.way} data-checked={key === value}>
              <Radio
                value={key}
                disabled={obstacle !== null}
                label={
                  <Text component="span" size="sm" fw={600}>
                    {name}
                  </Text>
                }
                {...(text && { description: text })}
              />
            </div>
          );
        })}
      </div>
    </Radio.Group>
  );
}
