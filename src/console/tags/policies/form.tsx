import { Button, Group, Select, SimpleGrid, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type SubmitEvent, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useMe } from '../../api/me.tsx';
import type { Refusal } from '../../api/refusal.ts';
import { useInventoryChoices } from '../../inventory/queries.ts';
import { useAccountChoices, useCostChoices } from '../../parts/choices/choices.ts';
import type { Choice } from '../../parts/list/filters.tsx';
import { Card } from '../../parts/page/card.tsx';
import { RefusalAlert } from '../../parts/page/shown.tsx';
import { type Draft, type Faults, faultsOf, faultsOfRefusal, newRule } from './draft.ts';
import { RuleFields } from './rule-fields.tsx';

/** Rules of a policy at most, as the API has it. */
const mostRules = 20;

interface Props {
  readonly initial: Draft;
  /** The button that sends it. */
  readonly verb: string;
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  onSubmit(draft: Draft): void;
}

/** Writes a policy: its name, what it is about, and its rules. */
export function PolicyForm({ initial, verb, isBusy, refusal, onSubmit }: Props) {
  const [draft, setDraft] = useState(initial);
  const [found, setFound] = useState<Faults>({});
  const form = useRef<HTMLFormElement>(null);
  const mustName = useMe().accountAccess !== null;
  const faults: Faults = { ...(refusal && faultsOfRefusal(refusal)), ...found };
  const change = (part: Partial<Draft>) => {
    // Faults name rules by their place, which another one takes when a rule goes.
    if (part.rules && part.rules.length < draft.rules.length) setFound({});
    setDraft({ ...draft, ...part });
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const next = faultsOf(draft, mustName);
    setFound(next);
    if (Object.keys(next).length === 0) onSubmit(draft);
    else requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md" maw={860}>
        <Card title="Policy">
          <Stack gap="sm">
            <TextInput
              label="Name"
              withAsterisk
              maxLength={100}
              value={draft.name}
              error={faults['name']}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
            <Switch
              label="Enabled"
              description="Resources are judged by enabled policies alone."
              checked={draft.enabled}
              onChange={(event) => change({ enabled: event.currentTarget.checked })}
            />
          </Stack>
        </Card>
        <Card title="What it is about">
          <PolicyScope draft={draft} faults={faults} onChange={change} />
        </Card>
        <Card title="What it expects">
          <Rules draft={draft} faults={faults} onChange={change} />
        </Card>
        <RefusalAlert refusal={refusal} />
        <Group gap="xs">
          <Button type="submit" loading={isBusy}>
            {verb}
          </Button>
          <Button component={Link} href="/tags/policies" variant="default">
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface RulesProps {
  readonly draft: Draft;
  readonly faults: Faults;
  onChange(part: Partial<Draft>): void;
}

function Rules({ draft: { rules }, faults, onChange }: RulesProps) {
  return (
    <Stack gap="md" align="flex-start">
      {rules.map((rule, index) => (
        <div key={rule.id} style={{ width: '100%' }}>
          <RuleFields
            rule={rule}
            index={index}
            faults={faults}
            onChange={(next) => onChange({ rules: rules.with(index, next) })}
            {...(rules.length > 1 && { onRemove: () => onChange({ rules: rules.toSpliced(index, 1) }) })}
          />
        </div>
      ))}
      {rules.length < mostRules && (
        <Button
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={() => onChange({ rules: [...rules, newRule()] })}
        >
          Add a rule
        </Button>
      )}
    </Stack>
  );
}

interface PolicyScopeProps {
  readonly draft: Draft;
  readonly faults: Faults;
  onChange(part: Partial<Draft>): void;
}

/** Which resources a policy is about. Who sees some accounts only names one of them, as the API asks. */
function PolicyScope({ draft, faults, onChange }: PolicyScopeProps) {
  const accounts = useAccountChoices();
  const { providers } = useCostChoices();
  const { types } = useInventoryChoices();
  const mustName = useMe().accountAccess !== null;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <ScopeSelect
        label="Account"
        all={mustName ? 'Choose an account' : 'Every account'}
        choices={accounts}
        value={draft.accountId}
        required={mustName}
        error={faults['account']}
        onChange={(accountId) => onChange({ accountId })}
      />
      <ScopeSelect
        label="Provider"
        all="Every provider"
        choices={providers}
        value={draft.provider}
        onChange={(provider) => onChange({ provider })}
      />
      <TagsInput
        label="Resource types"
        description="None: every type. Their case does not matter."
        data={types.map(({ value }) => value)}
        limit={100}
        maxTags={200}
        maxLength={200}
        splitChars={[',']}
        value={[...draft.resourceTypes]}
        onChange={(resourceTypes) => onChange({ resourceTypes })}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear resource types' }}
        style={{ gridColumn: '1 / -1' }}
      />
    </SimpleGrid>
  );
}

interface SelectProps {
  readonly label: string;
  readonly all: string;
  readonly choices: readonly Choice[];
  readonly value: string | null;
  readonly required?: boolean;
  readonly error?: string | undefined;
  onChange(value: string | null): void;
}

/** One of the choices, or all. A value that is no choice any more stays until it is taken off. */
function ScopeSelect({ label, all, choices, value, required = false, error, onChange }: SelectProps) {
  const isStranger = value !== null && !choices.some((choice) => choice.value === value);
  return (
    <Select
      label={label}
      placeholder={all}
      data={isStranger ? [...choices, { value, label: value }] : [...choices]}
      value={value}
      onChange={onChange}
      withAsterisk={required}
      error={error}
      searchable
      clearable={!required}
      nothingFoundMessage="Nothing found"
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
    />
  );
}
