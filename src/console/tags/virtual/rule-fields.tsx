import { Autocomplete, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';

import { keysOf, OneField, TextField } from '../../parts/form/fields.tsx';
import { IconAct } from '../../parts/form/dialog.tsx';
import { Act } from '../../parts/form/menu.tsx';
import { DimensionField, DimensionValuesField } from './dimension-field.tsx';
import { most, newCondition, ofKind, takesValues, type DraftCondition, type DraftRule } from './draft.ts';
import type { Faults } from './faults.ts';
import classes from './virtual-tags.module.css';
import { operators, transforms } from './words.ts';

interface Props {
  readonly rule: DraftRule;
  readonly index: number;
  /** Values of the other rules, to give several rules the same one. */
  readonly values: readonly string[];
  readonly faults: Faults;
  onChange(rule: DraftRule): void;
}

/** Form fields of a rule. */
export function RuleFields({ rule, index, values, faults, onChange }: Props) {
  const at = `rules[${index}]`;
  const { conditions } = rule;
  const set = (next: readonly DraftCondition[]) => onChange({ ...rule, conditions: next });
  const fault = faults[`${at}.conditions`] ?? faults[at];
  return (
    <Stack gap="sm">
      <ValueFields rule={rule} at={at} values={values} faults={faults} onChange={onChange} />
      <Stack gap={8} role="group" aria-label={`Conditions of rule ${index + 1}`}>
        <Text size="sm" fw={500}>
          {conditions.length === 0 ? 'Without conditions' : 'If all of these match'}
        </Text>
        {conditions.map((condition, place) => (
          <ConditionFields
            key={condition.id}
            condition={condition}
            name={`Condition ${place + 1} of rule ${index + 1}`}
            at={`${at}.conditions[${place}]`}
            faults={faults}
            onChange={(next) => set(conditions.with(place, next))}
            onRemove={() => set(conditions.toSpliced(place, 1))}
          />
        ))}
        {fault && (
          <Text size="xs" c="var(--bad)" role="alert">
            {fault}
          </Text>
        )}
        {conditions.length < most.conditions && (
          <Group>
            <Act
              label="Add condition"
              size="compact-sm"
              variant="subtle"
              Icon={IconPlus}
              onClick={() => set([...conditions, newCondition()])}
            />
          </Group>
        )}
      </Stack>
    </Stack>
  );
}

const kinds = [
  { value: 'value', label: 'Fixed' },
  { value: 'valueFrom', label: 'From a dimension' },
] as const;

interface ValueProps extends Omit<Props, 'index'> {
  readonly at: string;
}

function ValueFields({ rule, at, values, faults, onChange }: ValueProps) {
  const change = (part: Partial<DraftRule>) => onChange({ ...rule, ...part });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
      <OneField
        label="Value type"
        choices={kinds}
        value={rule.kind}
        onChange={(kind) => onChange(ofKind(rule, kind))}
      />
      {rule.kind === 'value' ? (
        <Autocomplete
          label="Value"
          data-rule-value
          withAsterisk
          maxLength={most.characters}
          data={[...values]}
          value={rule.value}
          error={faults[`${at}.value`]}
          onChange={(value) => change({ value })}
        />
      ) : (
        <>
          <DimensionField
            label="Dimension"
            withAsterisk
            value={rule.dimension}
            error={faults[`${at}.valueFrom.dimension`] ?? faults[`${at}.valueFrom`]}
            onChange={(dimension) => change({ dimension })}
          />
          <OneField
            label="Transform"
            choices={keysOf(transforms).map((value) => ({ value, label: transforms[value] }))}
            value={rule.transform}
            error={faults[`${at}.valueFrom.transform`]}
            onChange={(transform) => change({ transform })}
          />
          {rule.transform === 'STRIP_PREFIX' && (
            <TextField
              label="Prefix"
              withAsterisk
              maxLength={most.characters}
              value={rule.prefix}
              error={faults[`${at}.valueFrom.prefix`]}
              onChange={(prefix) => change({ prefix })}
            />
          )}
        </>
      )}
    </SimpleGrid>
  );
}

interface ConditionProps {
  readonly condition: DraftCondition;
  /** Accessible name, such as `Condition 1 of rule 2`. */
  readonly name: string;
  readonly at: string;
  readonly faults: Faults;
  onChange(condition: DraftCondition): void;
  onRemove(): void;
}

function ConditionFields({ condition, name, at, faults, onChange, onRemove }: ConditionProps) {
  const { dimension, operator, values } = condition;
  const change = (part: Partial<DraftCondition>) => onChange({ ...condition, ...part });
  return (
    <div className={classes.condition} role="group" aria-label={name}>
      <DimensionField
        aria-label={`${name}: dimension`}
        value={dimension}
        error={faults[`${at}.dimension`] ?? faults[at]}
        // Values of one dimension mean nothing in another.
        onChange={(next) => next !== dimension && change({ dimension: next, values: [] })}
      />
      <OneField
        aria-label={`${name}: operator`}
        choices={keysOf(operators).map((value) => ({ value, label: operators[value] }))}
        value={operator}
        error={faults[`${at}.operator`]}
        onChange={(next) => change({ operator: next })}
      />
      {takesValues(operator) && (
        <DimensionValuesField
          {...(classes.values && { className: classes.values })}
          aria-label={`${name}: values`}
          placeholder={values.length === 0 ? 'Values' : ''}
          dimension={dimension}
          value={values}
          error={faults[`${at}.values`]}
          onChange={(next) => change({ values: next })}
        />
      )}
      <span className={classes.remove}>
        <IconAct label={`Remove ${name.charAt(0).toLowerCase()}${name.slice(1)}`} Icon={IconTrash} onClick={onRemove} />
      </span>
    </div>
  );
}
