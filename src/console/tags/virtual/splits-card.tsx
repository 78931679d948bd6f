import { Autocomplete, Box, Fieldset, Group, SimpleGrid, Stack, TagsInput, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useAllPages } from '../../api/all-pages.ts';
import { AnyField, OneField, TermField, TextField } from '../../parts/form/fields.tsx';
import { PercentInput } from '../../parts/form/number-field.tsx';
import { IconAct } from '../../parts/form/dialog.tsx';
import { Act, Muted } from '../../parts/form/menu.tsx';
import { Card } from '../../parts/page/card.tsx';
import { UnitMetricsQuery } from '../../unit-costs/queries.ts';
import { plainPercent } from '../../words/format.ts';
import { most, newShare, newSplit, percentOf, type DraftShare, type DraftSplit } from './draft.ts';
import type { Faults } from './faults.ts';
import classes from './virtual-tags.module.css';
import { methods } from './words.ts';

interface Props {
  readonly splits: readonly DraftSplit[];
  /** Key of the virtual tag; empty until known. */
  readonly tagKey: string;
  /** Values that the rules give, as suggestions. */
  readonly values: readonly string[];
  readonly faults: Faults;
  onChange(splits: readonly DraftSplit[], at: string): void;
}

/** Splits of shared costs. */
export function SplitsCard({ splits, tagKey, values, faults, onChange }: Props) {
  return (
    <Card title="Shared costs" note="Cost of some values, split among others">
      <Stack gap="md" align="stretch">
        {splits.length === 0 && (
          <Muted>A split shares the cost of a value, such as a platform team, among other values.</Muted>
        )}
        {splits.map((split, index) => (
          <SplitFields
            key={split.id}
            split={split}
            index={index}
            tagKey={tagKey}
            values={values}
            faults={faults}
            onChange={(next) => onChange(splits.with(index, next), `splits[${index}]`)}
            onRemove={() => onChange(splits.toSpliced(index, 1), 'splits')}
          />
        ))}
        {splits.length < most.splits && (
          <Group>
            <Act label="Add split" Icon={IconPlus} onClick={() => onChange([...splits, newSplit()], 'splits')} />
          </Group>
        )}
      </Stack>
    </Card>
  );
}

interface SplitProps {
  readonly split: DraftSplit;
  readonly index: number;
  readonly tagKey: string;
  readonly values: readonly string[];
  readonly faults: Faults;
  onChange(split: DraftSplit): void;
  onRemove(): void;
}

const audiences = [
  { value: 'all', label: 'All other values' },
  { value: 'chosen', label: 'Chosen values' },
] as const;

function SplitFields({ split, index, tagKey, values, faults, onChange, onRemove }: SplitProps) {
  const at = `splits[${index}]`;
  const change = (part: Partial<DraftSplit>) => onChange({ ...split, ...part });
  const { name, sourceValues, method } = split;
  return (
    <Fieldset legend={`Split ${index + 1}`} pos="relative" bg="transparent">
      <Box pos="absolute" top={-4} right={8}>
        <IconAct label={`Remove split ${index + 1}`} tip="Remove" Icon={IconTrash} onClick={onRemove} />
      </Box>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
        <TextField
          label="Split name"
          withAsterisk
          maxLength={100}
          value={name}
          error={faults[`${at}.name`]}
          onChange={(next) => change({ name: next })}
        />
        <ValuesField
          label="Source values"
          description="Their cost is shared."
          values={values}
          value={sourceValues}
          error={faults[`${at}.sourceValues`]}
          onChange={(next) => change({ sourceValues: next })}
        />
        <TermField label="Method" terms={methods} value={method} onChange={(next) => change({ method: next })} />
        {method === 'METRIC' && (
          <MetricField
            tagKey={tagKey}
            value={split.metricId}
            error={faults[`${at}.metricId`]}
            onChange={(metricId) => change({ metricId })}
          />
        )}
        {method !== 'FIXED' && (
          <Targets split={split} values={values} error={faults[`${at}.targets`]} onChange={change} />
        )}
      </SimpleGrid>
      {method === 'FIXED' && (
        <Shares split={split} at={at} values={values} faults={faults} onChange={(shares) => change({ shares })} />
      )}
    </Fieldset>
  );
}

interface TargetsProps {
  readonly split: DraftSplit;
  readonly values: readonly string[];
  readonly error: string | undefined;
  onChange(part: Partial<DraftSplit>): void;
}

/** Choice of the values that receive the cost: all others, or chosen ones. */
function Targets({ split: { isForAll, targets }, values, error, onChange }: TargetsProps) {
  return (
    <>
      <OneField
        label="Targets"
        choices={audiences}
        value={isForAll ? 'all' : 'chosen'}
        error={isForAll && error}
        onChange={(next) => onChange({ isForAll: next === 'all' })}
      />
      {!isForAll && (
        <ValuesField
          label="Target values"
          description="They receive the cost."
          values={values}
          value={targets}
          error={error}
          onChange={(next) => onChange({ targets: next })}
        />
      )}
    </>
  );
}

interface MetricFieldProps extends Pick<SplitProps, 'tagKey'> {
  readonly value: string | null;
  readonly error: string | undefined;
  onChange(metricId: string | null): void;
}

/** The unit metric whose values are the weights of the targets. */
function MetricField({ tagKey, ...rest }: MetricFieldProps) {
  const { rows } = useAllPages(UnitMetricsQuery, {});
  const choices = (rows ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const label = tagKey === '' ? 'named like the key of this virtual tag' : `“${tagKey}”`;
  return (
    <AnyField
      label="Unit metric"
      placeholder="Choose a unit metric"
      description={`Targets are weighted by its values with the label ${label}.`}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      choices={choices}
      required
      {...rest}
    />
  );
}

interface ValuesFieldProps {
  readonly label: string;
  readonly description: string;
  readonly values: readonly string[];
  readonly value: readonly string[];
  readonly error: string | undefined;
  onChange(values: string[]): void;
}

function ValuesField({ values, value, ...rest }: ValuesFieldProps) {
  return (
    <TagsInput
      withAsterisk
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[...values]}
      value={[...value]}
      maxTags={most.values}
      maxLength={most.characters}
      splitChars={[]}
      {...rest}
    />
  );
}

interface SharesProps extends Omit<SplitProps, 'index' | 'tagKey' | 'onChange' | 'onRemove'> {
  readonly at: string;
  onChange(shares: readonly DraftShare[]): void;
}

/** Targets with fixed percentages, and their sum. */
function Shares({ split: { name, shares }, at, values, faults, onChange }: SharesProps) {
  const fault = faults[`${at}.shares`] ?? faults[`${at}.targets`];
  const sum = percentOf(shares);
  return (
    <Stack gap={8} mt="sm" role="group" aria-label={`Targets of ${name || 'the split'}`}>
      <Text size="sm" fw={500}>
        Targets
      </Text>
      {shares.map((share, index) => (
        <div key={share.id} className={classes.share}>
          <Autocomplete
            aria-label={`Target ${index + 1}`}
            placeholder="Value"
            maxLength={most.characters}
            data={[...values]}
            value={share.value}
            error={faults[`${at}.shares[${index}].value`]}
            onChange={(value) => onChange(shares.with(index, { ...share, value }))}
          />
          <PercentInput
            aria-label={`Percentage of target ${index + 1}`}
            decimals={4}
            value={share.percent}
            error={faults[`${at}.shares[${index}].percent`]}
            onChange={(next) => onChange(shares.with(index, { ...share, percent: next }))}
          />
          <IconAct
            label={`Remove target ${index + 1}`}
            tip="Remove"
            Icon={IconTrash}
            onClick={() => onChange(shares.toSpliced(index, 1))}
          />
        </div>
      ))}
      {fault && (
        <Text size="xs" c="var(--bad)" role="alert">
          {fault}
        </Text>
      )}
      <Group justify="space-between">
        <Act
          label="Add target"
          size="compact-sm"
          variant="subtle"
          Icon={IconPlus}
          onClick={() => onChange([...shares, newShare()])}
        />
        {shares.length > 0 && (
          <Text size="sm" c={sum === 100 ? 'dimmed' : 'var(--bad)'}>
            {plainPercent(sum, 4)} of 100%
          </Text>
        )}
      </Group>
    </Stack>
  );
}
