import { Autocomplete, Checkbox, Group, SimpleGrid, Stack, TagsInput, Text, Box, Fieldset } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useAnswer } from '../../api/use-api.ts';
import { CostsByTag } from '../../costs/totals.ts';
import { useTagKeyChoices } from '../../parts/choices/choices.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { IconAct } from '../../parts/form/dialog.tsx';

/** Form state of a rule. */
export interface DraftRule {
  /** Identifies the rule while editing. */
  readonly id: number;
  readonly key: string;
  readonly required: boolean;
  readonly allowedValues: readonly string[];
  /** Empty matches any value. */
  readonly pattern: string;
  readonly caseSensitive: boolean;
}

/** Errors by form field: `name`, `account`, `key 0`, `pattern 0`, `rule 0` and so on. */
export type Faults = Readonly<Partial<Record<string, string>>>;

interface Props {
  readonly rule: DraftRule;
  readonly index: number;
  readonly faults: Faults;
  onChange(rule: DraftRule): void;
  /** Absent for the only rule. */
  readonly onRemove?: () => void;
}

/** Form fields of a rule. */
export function RuleFields({ rule, index, faults, onChange, onRemove }: Props) {
  const keys = useTagKeyChoices();
  const number = index + 1;
  const change = (part: Partial<DraftRule>) => onChange({ ...rule, ...part });
  return (
    <Fieldset legend={`Rule ${number}`} pos="relative" bg="transparent">
      {onRemove && (
        <Box pos="absolute" top={-4} right={8}>
          <IconAct label={`Remove rule ${number}`} Icon={IconTrash} onClick={onRemove} />
        </Box>
      )}
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Autocomplete
            label="Key"
            description="Ignores case unless “Case-sensitive” is selected."
            withAsterisk
            maxLength={256}
            data={keys.map(({ value }) => value)}
            limit={50}
            value={rule.key}
            error={faults[`key ${index}`]}
            onChange={(key) => change({ key })}
          />
          <AllowedValues rule={rule} error={faults[`values ${index}`]} onChange={change} />
        </SimpleGrid>
        <PatternField rule={rule} error={faults[`pattern ${index}`]} onChange={change} />
        <Group gap="lg">
          <Checkbox
            label="Required"
            checked={rule.required}
            onChange={(event) => change({ required: event.currentTarget.checked })}
          />
          <Checkbox
            label="Case-sensitive"
            checked={rule.caseSensitive}
            onChange={(event) => change({ caseSensitive: event.currentTarget.checked })}
          />
        </Group>
        {faults[`rule ${index}`] && (
          <Text size="xs" c="var(--bad)" role="alert">
            {faults[`rule ${index}`]}
          </Text>
        )}
      </Stack>
    </Fieldset>
  );
}

interface FieldProps {
  readonly rule: DraftRule;
  readonly error: string | undefined;
  onChange(part: Partial<DraftRule>): void;
}

function AllowedValues({ rule, error, onChange }: FieldProps) {
  const proposed = useTagValues(rule.key);
  return (
    <TagsInput
      label="Allowed values"
      description="Empty: any value. Press Enter after each value."
      data={proposed}
      limit={50}
      maxTags={200}
      maxLength={512}
      splitChars={[',']}
      value={[...rule.allowedValues]}
      error={error}
      onChange={(allowedValues) => onChange({ allowedValues })}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear allowed values' }}
    />
  );
}

function PatternField({ rule, error, onChange }: FieldProps) {
  return (
    <TextField
      label="Pattern"
      description={<PatternHelp />}
      maxLength={512}
      spellCheck={false}
      autoComplete="off"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      value={rule.pattern}
      error={error}
      onChange={(pattern) => onChange({ pattern })}
    />
  );
}

function PatternHelp() {
  return (
    <>
      A regular expression in RE2 syntax that the whole value must match: <code>CC-\d{'{4}'}</code> is CC- and four
      digits, <code>prod|test</code> one of two words, <code>[a-z-]+</code> lowercase letters and dashes. Leave empty to
      allow any value.
    </>
  );
}

/** Values of a key on charges of the last 30 days, highest cost first; loaded once the key is entered. */
function useTagValues(key: string): string[] {
  const [tagKey] = useDebouncedValue(key.trim(), 500);
  const { data } = useAnswer(CostsByTag, { tagKey }, { pause: tagKey === '' });
  return useMemo(() => {
    const groups = tagKey === '' ? [] : (data?.costsByTag?.groups ?? []);
    return groups.flatMap(({ tagValue }) => (tagValue ? [tagValue] : []));
  }, [data, tagKey]);
}
