import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { Link } from 'wouter';
import type { Refusal } from '../api/refusal.ts';
import { useMe } from '../api/me.tsx';
import { Card } from '../parts/card.tsx';
import { MoneyInput } from '../parts/money-input.tsx';
import { RefusalAlert } from '../parts/refusal.tsx';
import { ScopeFields } from '../parts/scope.tsx';
import { RecipientFields } from '../parts/recipient-fields.tsx';
import { useWrongField } from '../parts/wrong-field.ts';
import { allCostBases, costBases } from './cost-bases.ts';
import { faultsOf, mostEmails, type BudgetForm, type Faults } from './form.ts';
import { HistoryCard } from './history-card.tsx';
import { ThresholdsField } from './thresholds-field.tsx';
import classes from './budgets.module.css';

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
