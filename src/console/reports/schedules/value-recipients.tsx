import { Autocomplete, Box, Fieldset, Group, Input, SimpleGrid, Stack } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { IconAct } from '../../parts/form/dialog.tsx';
import { Act, Muted } from '../../parts/form/menu.tsx';
import { EmailsField } from '../../parts/form/recipients.tsx';
import { useTagValues } from '../../parts/choices/scope.tsx';
import type { Filters } from '../filters/filters.ts';
import { mostRecipients, mostValues, type ValueRecipients } from './form.ts';

interface Props {
  readonly value: readonly ValueRecipients[];
  readonly filters: Filters;
  readonly error: string | null;
  onChange(value: readonly ValueRecipients[]): void;
}

/** Fields for the recipients of each value's showback. */
export function ValueRecipientFields({ value, filters, error, onChange }: Props) {
  const known = useTagValues(filters.tagKey ?? null);
  const free = known.filter((name) => !value.some((one) => one.value === name));
  return (
    <Stack gap="sm">
      <Muted>These recipients get a file of one value only; the recipients above get the whole report.</Muted>
      {value.map((one, index) => (
        <Fieldset key={index} legend={one.value || `Value ${index + 1}`} pos="relative" bg="transparent">
          <Box pos="absolute" top={-4} right={8}>
            <IconAct
              label={`Remove ${one.value || `value ${index + 1}`}`}
              tip="Remove"
              Icon={IconTrash}
              onClick={() => onChange(value.toSpliced(index, 1))}
            />
          </Box>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <Autocomplete
              label="Value"
              withAsterisk
              data={free}
              value={one.value}
              {...(isUnknown(one.value, known) && {
                description: `“${one.value}” has no direct costs in the last 12 months. Check the spelling.`,
                inputWrapperOrder: ['label', 'input', 'description', 'error'],
              })}
              onChange={(next) => onChange(value.with(index, { ...one, value: next }))}
            />
            <EmailsField
              label="Value recipients"
              most={mostRecipients}
              value={one.recipients}
              onChange={(recipients) => onChange(value.with(index, { ...one, recipients }))}
            />
          </SimpleGrid>
        </Fieldset>
      ))}
      {error !== null && <Input.Error>{error}</Input.Error>}
      {value.length < mostValues && (
        <Group>
          <Act
            label="Add a value"
            Icon={IconPlus}
            onClick={() => onChange([...value, { value: free[0] ?? '', recipients: [] }])}
          />
        </Group>
      )}
    </Stack>
  );
}

/** Whether a value does not occur in the costs. A value without direct costs is possible: it can have a part of shared costs.
 *  @param known values with costs; empty while they load */
function isUnknown(value: string, known: readonly string[]): boolean {
  return value !== '' && known.length > 0 && !known.includes(value);
}
