import { ActionIcon, Alert, Group, Input, SimpleGrid, Stack } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useMe } from '../api/me.tsx';
import { ScopeFields, scopeOf, scopeValues, wholeScope, type Scope } from '../parts/choices/scope.tsx';
import { Act } from '../parts/form/menu.tsx';
import { TermField, TextField } from '../parts/form/fields.tsx';
import { MoneyInput, PercentInput } from '../parts/form/number-field.tsx';
import type { Call } from '../api/use-api.ts';
import { PageForm, useFields } from '../parts/form/form.tsx';
import { RecipientFields, emailsFault, type RecipientChoice } from '../parts/form/recipients.tsx';
import { Card } from '../parts/page/card.tsx';
import { HistoryCard } from './history-card.tsx';
import { periods } from './period.ts';
import type { BudgetDetails } from './queries.ts';

interface Props {
  readonly initial: BudgetForm;
  /** Currency of the amount. */
  readonly currency: string;
  readonly isMine: boolean;
  readonly verb: string;
  readonly of: Omit<Call, 'run'>;
  /** Target of the Cancel link. */
  readonly back: string;
  onSave(form: BudgetForm): unknown;
}

/** Fields of a budget, beside the cost history of its scope. */
export function BudgetFormFields({ initial, currency, isMine, verb, of, back, onSave }: Props) {
  const mustName = useMe().accountAccess !== null;
  const { form, set, field, faults, check, rest } = useFields(initial, (fields) => faultsOf(fields, mustName), {
    of,
    names: { name: ['name', 'The name'], amount: ['amount', 'The amount'] },
  });
  return (
    <PageForm
      of={{ ...of, refusal: rest }}
      verb={verb}
      back={back}
      fields={{ form, set }}
      onSubmit={() => check() && onSave(form)}
      aside={<HistoryCard form={form} currency={currency} onUse={(amount) => set({ amount })} />}
    >
      <Card title="Budget">
        <AboutFields form={form} set={set} field={field} faults={faults} currency={currency} />
      </Card>
      <Card title="Alerts">
        <Stack gap="md">
          <ThresholdsField {...field('thresholds')} noun={periods[form.period].noun} />
          <RecipientFields
            label="Additional recipients"
            description="Notified in addition to the owner. Press Enter after each address."
            most={mostEmails}
            isMine={isMine}
            value={form}
            error={faults.emails ?? null}
            onChange={({ emails, slack, channelIds }) => set({ emails, slack, channelIds })}
          />
        </Stack>
      </Card>
    </PageForm>
  );
}

interface FieldsProps extends Pick<
  ReturnType<typeof useFields<BudgetForm, keyof Faults>>,
  'form' | 'set' | 'field' | 'faults'
> {
  readonly currency: string;
}

function AboutFields({ form, set, field, faults, currency }: FieldsProps) {
  const { organization } = useMe();
  return (
    <Stack gap="sm">
      <TextField label="Name" withAsterisk maxLength={100} {...field('name')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TermField label="Period" terms={periods} {...field('period')} />
        <MoneyInput
          label={`Amount per ${periods[form.period].noun}`}
          withAsterisk
          currency={currency}
          {...field('amount')}
        />
      </SimpleGrid>
      {currency !== organization.currency && (
        <Alert color="yellow">
          This budget keeps its original currency, {currency}. Your organization now uses {organization.currency}.
        </Alert>
      )}
      <ScopeFields value={form} onChange={set} accountError={faults.account ?? null} />
      <TermField label="Cost metric" terms={costBases} {...field('costMetric')} />
    </Stack>
  );
}

interface ThresholdsFieldProps {
  readonly value: readonly (number | null)[];
  readonly error: string | undefined;
  /** `month`, `quarter` or `year`. */
  readonly noun: string;
  onChange(thresholds: readonly (number | null)[]): void;
}

/** Alert thresholds in percent of the amount. */
function ThresholdsField({ value, error, noun, onChange }: ThresholdsFieldProps) {
  const replace = (index: number, next: number | null) => onChange(value.with(index, next));
  return (
    <Input.Wrapper
      component="div"
      label="Alert at"
      labelElement="div"
      description={`Percentages of the amount. Each threshold alerts once per ${noun}.`}
      error={error}
      role="group"
      aria-label="Alert thresholds"
    >
      <Group gap={8} mt={6} align="flex-start">
        {value.map((threshold, index) => (
          // Thresholds have no identity but their position.
          // oxlint-disable-next-line no-array-index-key
          <Group key={index} gap={2} wrap="nowrap">
            <PercentInput
              aria-label={`Threshold ${index + 1}`}
              w={104}
              value={threshold}
              onChange={(next) => replace(index, next)}
              autoFocus={threshold === null}
              error={error !== undefined}
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
          <Act label="Add threshold" Icon={IconPlus} onClick={() => onChange([...value, null])} />
        )}
      </Group>
    </Input.Wrapper>
  );
}

/** Form state of a budget. */
export interface BudgetForm extends Scope, RecipientChoice {
  readonly name: string;
  /** Null while the field is empty. */
  readonly amount: number | null;
  readonly period: BudgetDetails['period'];
  readonly costMetric: BudgetDetails['costMetric'];
  readonly thresholds: readonly (number | null)[];
}

/** Validation errors by field; valid fields are absent. */
export type Faults = Readonly<Partial<Record<'name' | 'amount' | 'account' | 'thresholds' | 'emails', string>>>;

/** Exclusive maximum of an amount; the API's limit. */
const amountBelow = 1e15;
/** Maximum email addresses per budget. */
const mostEmails = 20;
/** Maximum thresholds per budget. */
const mostThresholds = 10;

/** Form state of a new budget. */
export const blank: BudgetForm = {
  name: '',
  amount: null,
  period: 'MONTHLY',
  ...wholeScope,
  costMetric: 'EFFECTIVE',
  thresholds: [80, 100],
  emails: [],
  slack: false,
  channelIds: [],
};

/** Converts a budget to its form state. */
export function formOf({ alertThresholds, ...budget }: BudgetDetails): BudgetForm {
  const { name, amount, period, costMetric, emails, slack, channelIds } = budget;
  return {
    name,
    amount,
    period,
    ...scopeOf(budget),
    costMetric,
    thresholds: alertThresholds,
    emails,
    slack,
    channelIds,
  };
}

/** Validates what the client can check; the API validates the rest.
 *  @param mustName whether an account is required */
function faultsOf(form: BudgetForm, mustName: boolean): Faults {
  const thresholds = thresholdsFault(form.thresholds);
  const emails = emailsFault(form.emails, mostEmails);
  return {
    ...(form.name.trim() === '' && { name: 'Enter a name' }),
    ...(!(form.amount !== null && form.amount > 0) && { amount: 'Enter an amount greater than 0' }),
    ...(form.amount !== null &&
      form.amount >= amountBelow && { amount: 'Enter an amount below 1,000,000,000,000,000' }),
    ...(mustName && form.accountId === null && { account: 'Choose an account' }),
    ...(thresholds && { thresholds }),
    ...(emails && { emails }),
  };
}

function thresholdsFault(thresholds: BudgetForm['thresholds']): string | null {
  if (thresholds.some((one) => one === null || !(one > 0 && one <= 1000)))
    return 'Each threshold must be a percentage above 0 and at most 1,000';
  return new Set(thresholds).size < thresholds.length ? 'Each threshold must be different' : null;
}

/** Converts form state to the API's input. */
export function valuesOf(form: BudgetForm) {
  const { thresholds, emails, channelIds, ...rest } = form;
  return {
    ...rest,
    ...scopeValues(form),
    name: form.name.trim(),
    amount: form.amount ?? 0,
    alertThresholds: thresholds.filter((one) => one !== null),
    emails: [...emails],
    channelIds: [...channelIds],
  };
}

/** Labels of the cost bases. */
export const costBases = {
  EFFECTIVE: { label: 'Effective cost', description: 'Commitments amortized over the usage they cover' },
  BILLED: { label: 'Billed cost', description: 'As invoiced' },
  CONTRACTED: { label: 'Contracted cost', description: 'At negotiated prices, without commitments' },
  LIST: { label: 'List cost', description: 'At public prices' },
} as const satisfies Record<BudgetDetails['costMetric'], { label: string; description: string }>;
