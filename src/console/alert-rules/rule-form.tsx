import { Button, Group, Select, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Link } from 'wouter';
import { useMe } from '../api/me.tsx';
import type { Refusal } from '../api/refusal.ts';
import { useTagKeyChoices } from '../parts/choices/choices.ts';
import { ScopeFields } from '../parts/choices/scope.tsx';
import { useWrongField } from '../parts/form/dialog.tsx';
import { MoneyInput, PercentInput } from '../parts/form/fields.tsx';
import { RecipientFields } from '../parts/form/recipients.tsx';
import { Card } from '../parts/page/card.tsx';
import { RefusalAlert } from '../parts/page/shown.tsx';
import classes from './alert-rules.module.css';
import {
  allMetrics,
  allOperators,
  type Faults,
  faultsOf,
  isPercent,
  metrics,
  mostEmails,
  operators,
  type RuleForm,
  useSentence,
} from './rule.ts';
import { PreviewCard } from './preview-card.tsx';

interface Props {
  readonly initial: RuleForm;
  readonly isMine: boolean;
  readonly verb: string;
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  onSave(form: RuleForm): void;
}

/** Everything that a rule is made of, beside how it would have told before. */
export function RuleFormFields({ initial, isMine, verb, isBusy, refusal, onSave }: Props) {
  const [form, setForm] = useState(initial);
  const [faults, setFaults] = useState<Faults>({});
  const mustName = useMe().accountAccess !== null;
  const sentenceOf = useSentence();
  const set = (changes: Partial<RuleForm>) => setForm((before) => ({ ...before, ...changes }));
  const { form: element, sent } = useWrongField(isBusy);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    sent();
    const found = faultsOf(form, mustName);
    setFaults(found);
    if (Object.keys(found).length === 0) onSave(form);
  };
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <Stack gap="md">
        <Card title="Condition">
          <Stack gap="sm">
            <TextInput
              label="Name"
              withAsterisk
              maxLength={100}
              value={form.name}
              error={faults.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
            />
            <ConditionFields form={form} set={set} faults={faults} />
            <Text size="sm" className={classes.sentence} role="status">
              {sentenceOf(form)}
            </Text>
          </Stack>
        </Card>
        <RecipientCard form={form} set={set} isMine={isMine} fault={faults.emails ?? null} />
        <RefusalAlert refusal={refusal} />
        <Group gap="xs">
          <Button type="submit" loading={isBusy}>
            {verb}
          </Button>
          <Button variant="default" component={Link} href="/alert-rules">
            Cancel
          </Button>
        </Group>
      </Stack>
      <div className={classes.aside}>
        <PreviewCard condition={form} />
      </div>
    </form>
  );
}

interface RecipientProps {
  readonly form: RuleForm;
  set(changes: Partial<RuleForm>): void;
  readonly isMine: boolean;
  readonly fault: string | null;
}

function RecipientCard({ form, set, isMine, fault }: RecipientProps) {
  return (
    <Card title="Who is told">
      <Stack gap="md">
        <RecipientFields
          label="Also tell"
          description="Addresses beside its owner. Press Enter after each."
          most={mostEmails}
          isMine={isMine}
          value={form}
          error={fault}
          onChange={({ emails, slack }) => set({ emails, slack })}
        />
        <Switch
          label="The rule is on"
          description="While it is off it tells nobody anything."
          checked={form.enabled}
          onChange={(event) => set({ enabled: event.currentTarget.checked })}
        />
      </Stack>
    </Card>
  );
}

interface ConditionFieldsProps {
  readonly form: RuleForm;
  set(changes: Partial<RuleForm>): void;
  readonly faults: Faults;
}

/** What a rule looks at, of which spend, and from when on it tells. */
function ConditionFields({ form, set, faults }: ConditionFieldsProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        <Select
          label="Metric"
          data={allMetrics.map((value) => ({ value, label: metrics[value].label }))}
          value={form.metric}
          allowDeselect={false}
          description={metrics[form.metric].description}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          onChange={(value) => {
            const metric = allMetrics.find((one) => one === value) ?? form.metric;
            // 500 dollars are no 500 percent.
            const isOther = isPercent(metric) !== isPercent(form.metric);
            set({ metric, ...(isOther && { threshold: null }) });
          }}
        />
        <Select
          label="Tells when it is"
          data={allOperators.map((value) => ({ value, label: operators[value] }))}
          value={form.operator}
          allowDeselect={false}
          onChange={(value) => set({ operator: allOperators.find((one) => one === value) ?? form.operator })}
        />
        <ThresholdInput form={form} set={set} faults={faults} />
      </SimpleGrid>
      <ScopeFields value={form} onChange={(scope) => set(scope)} accountError={faults.account ?? null} />
      <TagFields form={form} set={set} />
    </>
  );
}

function ThresholdInput({ form, set, faults }: ConditionFieldsProps) {
  const { currency } = useMe().organization;
  const shared = { label: 'Threshold', withAsterisk: true, error: faults.threshold };
  if (!isPercent(form.metric))
    return (
      <MoneyInput {...shared} currency={currency} value={form.threshold} onChange={(threshold) => set({ threshold })} />
    );
  return <PercentInput {...shared} value={form.threshold} onChange={(threshold) => set({ threshold })} />;
}

function TagFields({ form, set }: Pick<ConditionFieldsProps, 'form' | 'set'>) {
  const keys = useTagKeyChoices();
  const isStranger = form.tagKey !== null && !keys.some(({ value }) => value === form.tagKey);
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      <Select
        label="Tag key"
        placeholder="Tagged or not"
        data={isStranger && form.tagKey !== null ? [...keys, { value: form.tagKey, label: form.tagKey }] : keys}
        value={form.tagKey}
        onChange={(tagKey) => set({ tagKey, ...(tagKey === null && { tagValue: null }) })}
        searchable
        clearable
        nothingFoundMessage="Nothing found"
        clearButtonProps={{ 'aria-label': 'Clear tag key' }}
      />
      {form.tagKey !== null && (
        <TextInput
          label="Tag value"
          placeholder="Any value"
          maxLength={256}
          value={form.tagValue ?? ''}
          onChange={(event) => set({ tagValue: event.currentTarget.value || null })}
        />
      )}
    </SimpleGrid>
  );
}
