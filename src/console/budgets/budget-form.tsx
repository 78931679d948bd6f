import { ActionIcon, Alert, Button, Group, Input, Select, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { Link } from 'wouter';
import { useMe } from '../api/me.tsx';
import type { Refusal } from '../api/refusal.ts';
import { ScopeFields } from '../parts/choices/scope.tsx';
import { useWrongField } from '../parts/form/dialog.tsx';
import { MoneyInput, PercentInput } from '../parts/form/fields.tsx';
import { RecipientFields } from '../parts/form/recipients.tsx';
import { Card } from '../parts/page/card.tsx';
import { RefusalAlert } from '../parts/page/shown.tsx';
import classes from './budgets.module.css';
import { allCostBases, type BudgetForm, costBases, type Faults, faultsOf, mostEmails, mostThresholds } from './form.ts';
import { HistoryCard } from './history-card.tsx';

interface Props {
  readonly initial: BudgetForm;
  /** Of the amount. */
  readonly currency: string;
  readonly isMine: boolean;
  readonly verb: string;
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  /** Where Cancel leads. */
  readonly back: string;
  onSave(form: BudgetForm): void;
}

/** Everything that a budget is made of, beside what its scope cost before. */
export function BudgetFormFields(props: Props) {
  const { initial, currency, isMine, verb, isBusy, refusal, back, onSave } = props;
  const [form, setForm] = useState(initial);
  const [faults, setFaults] = useState<Faults>({});
  const mustName = useMe().accountAccess !== null;
  const set = (changes: Partial<BudgetForm>) => setForm((before) => ({ ...before, ...changes }));
  const { form: element, sent } = useWrongField(isBusy);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    sent();
    const found = faultsOf(form, mustName);
    setFaults(found);
    if (Object.keys(found).length === 0) onSave(form);
  };
  const parts = { form, set, faults };
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <Stack gap="md">
        <Card title="Budget">
          <AboutFields {...parts} currency={currency} />
        </Card>
        <Card title="Alerts">
          <Stack gap="md">
            <ThresholdsField
              value={form.thresholds}
              error={faults.thresholds ?? null}
              onChange={(thresholds) => set({ thresholds })}
            />
            <RecipientFields
              label="Also tell"
              description="Addresses beside its owner. Press Enter after each."
              most={mostEmails}
              isMine={isMine}
              value={form}
              error={faults.emails ?? null}
              onChange={({ emails, slack }) => set({ emails, slack })}
            />
          </Stack>
        </Card>
        <RefusalAlert refusal={refusal} />
        <Group gap="xs">
          <Button type="submit" loading={isBusy}>
            {verb}
          </Button>
          <Button variant="default" component={Link} href={back}>
            Cancel
          </Button>
        </Group>
      </Stack>
      <div className={classes.aside}>
        <HistoryCard form={form} currency={currency} onUse={(amount) => set({ amount })} />
      </div>
    </form>
  );
}

interface FieldsProps {
  readonly form: BudgetForm;
  set(changes: Partial<BudgetForm>): void;
  readonly faults: Faults;
  readonly currency: string;
}

function AboutFields({ form, set, faults, currency }: FieldsProps) {
  const { organization } = useMe();
  return (
    <Stack gap="sm">
      <TextInput
        label="Name"
        withAsterisk
        maxLength={100}
        value={form.name}
        error={faults.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <MoneyInput
        label="Amount each month"
        withAsterisk
        currency={currency}
        value={form.amount}
        error={faults.amount}
        onChange={(amount) => set({ amount })}
      />
      {currency !== organization.currency && (
        <Alert color="yellow" variant="light">
          This budget keeps the currency it was made in, {currency}. Your organization now uses {organization.currency}.
        </Alert>
      )}
      <ScopeFields value={form} onChange={(scope) => set(scope)} accountError={faults.account ?? null} />
      <Select
        label="Cost basis"
        description={costBases[form.costMetric].description}
        data={allCostBases.map((value) => ({ value, label: costBases[value].label }))}
        value={form.costMetric}
        allowDeselect={false}
        onChange={(value) => set({ costMetric: allCostBases.find((one) => one === value) ?? 'EFFECTIVE' })}
      />
    </Stack>
  );
}

interface ThresholdsFieldProps {
  readonly value: readonly (number | null)[];
  readonly error: string | null;
  onChange(thresholds: readonly (number | null)[]): void;
}

/** Percentages of the amount at which a budget alerts. */
function ThresholdsField({ value, error, onChange }: ThresholdsFieldProps) {
  const replace = (index: number, next: number | null) => onChange(value.with(index, next));
  return (
    <Input.Wrapper
      component="div"
      label="Alert at"
      labelElement="div"
      description="Percentages of the amount. Each tells once a calendar month."
      error={error}
      role="group"
      aria-label="Alert thresholds"
    >
      <div className={classes.thresholds} style={{ marginTop: 6 }}>
        {value.map((threshold, index) => (
          // Thresholds have no other identity than their place.
          // oxlint-disable-next-line no-array-index-key
          <Group key={index} gap={2} wrap="nowrap">
            <PercentInput
              aria-label={`Threshold ${index + 1}`}
              w={104}
              value={threshold}
              onChange={(next) => replace(index, next)}
              autoFocus={threshold === null}
              error={error !== null}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove threshold ${index + 1}`}
              onClick={() => onChange(value.toSpliced(index, 1))}
            >
              <IconX size={15} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        {value.length < mostThresholds && (
          <Button
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...value, null])}
          >
            Add threshold
          </Button>
        )}
      </div>
    </Input.Wrapper>
  );
}
