import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useMe } from '../api/me.tsx';
import { useAllPages } from '../api/all-pages.ts';
import { UnitMetricsQuery } from '../unit-costs/queries.ts';
import { ScopeFields } from '../parts/choices/scope.tsx';
import { AnyField, keysOf, OneField, TermField, TextField, Toggle } from '../parts/form/fields.tsx';
import { MoneyInput, NumberField, PercentInput } from '../parts/form/number-field.tsx';
import { PageForm, useFields, type Sending } from '../parts/form/form.tsx';
import { RecipientFields } from '../parts/form/recipients.tsx';
import { Card } from '../parts/page/card.tsx';
import { PreviewCard } from './preview-card.tsx';
import {
  faultsOf,
  isPercent,
  isUnitCost,
  metrics,
  mostEmails,
  operators,
  useSentence,
  type Faults,
  type RuleForm,
} from './rule.ts';

const sentenceLook = { overflowWrap: 'anywhere', borderRadius: 'var(--mantine-radius-sm)' } as const;

interface Props {
  readonly initial: RuleForm;
  readonly isMine: boolean;
  readonly verb: string;
  readonly of: Sending;
  onSave(form: RuleForm): unknown;
}

/** Fields of an alert rule, with a preview of the days on which it would have triggered. */
export function RuleFormFields({ initial, isMine, verb, of, onSave }: Props) {
  const mustName = useMe().accountAccess !== null;
  const { form, set, field, faults, check } = useFields(initial, (fields) => faultsOf(fields, mustName));
  const sentenceOf = useSentence();
  return (
    <PageForm
      of={of}
      verb={verb}
      back="/alert-rules"
      fields={{ form, set }}
      onSubmit={() => check() && onSave(form)}
      aside={<PreviewCard condition={form} />}
    >
      <Card title="Condition">
        <Stack gap="sm">
          <TextField label="Name" withAsterisk maxLength={100} {...field('name')} />
          <ConditionFields form={form} set={set} faults={faults} />
          <Text size="sm" fw={550} px={12} py={8} bg="var(--surface-raised)" style={sentenceLook} role="status">
            {sentenceOf(form)}
          </Text>
        </Stack>
      </Card>
      <RecipientCard form={form} set={set} isMine={isMine} fault={faults.emails ?? null} />
    </PageForm>
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
    <Card title="Recipients">
      <Stack gap="md">
        <RecipientFields
          label="Additional recipients"
          description="Notified in addition to the owner. Press Enter after each address."
          most={mostEmails}
          isMine={isMine}
          value={form}
          error={fault}
          onChange={({ emails, slack, channelIds }) => set({ emails, slack, channelIds })}
        />
        <Toggle
          label="Enabled"
          description="Disabled rules send no alerts."
          checked={form.enabled}
          onChange={(enabled) => set({ enabled })}
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

/** Metric, operator and threshold of a rule. */
function ConditionFields({ form, set, faults }: ConditionFieldsProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        <TermField
          label="Metric"
          terms={metrics}
          value={form.metric}
          onChange={(metric) => {
            // 500 dollars is not 500 percent.
            const isOther = kindOf(metric) !== kindOf(form.metric);
            set({ metric, ...(isOther && { threshold: null }) });
          }}
        />
        <OneField
          label="Condition"
          choices={keysOf(operators).map((value) => ({ value, label: operators[value] }))}
          value={form.operator}
          onChange={(operator) => set({ operator })}
        />
        <ThresholdInput form={form} set={set} faults={faults} />
      </SimpleGrid>
      {isUnitCost(form.metric) && <UnitFields form={form} set={set} faults={faults} />}
      <ScopeFields value={form} onChange={set} accountError={faults.account ?? null} />
    </>
  );
}

/** Unit of a metric's threshold: percent, money per unit, or money. */
function kindOf(metric: RuleForm['metric']): string {
  return isPercent(metric) ? 'percent' : isUnitCost(metric) ? 'per unit' : 'money';
}

/** The unit metric and the days of a unit cost. */
function UnitFields({ form, set, faults }: ConditionFieldsProps) {
  const { rows } = useAllPages(UnitMetricsQuery, {});
  const choices = (rows ?? []).map(({ key, name }) => ({ value: key, label: name }));
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      <AnyField
        label="Unit metric"
        placeholder="Choose a unit metric"
        choices={choices}
        value={form.unitMetricKey}
        required
        error={faults.unitMetricKey}
        onChange={(unitMetricKey) => set({ unitMetricKey })}
      />
      <NumberField
        label="Days"
        description="Not evaluated while a day lacks a value."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        decimals={0}
        isSigned={false}
        withAsterisk
        value={form.windowDays}
        error={faults.windowDays}
        onChange={(windowDays) => set({ windowDays })}
      />
    </SimpleGrid>
  );
}

function ThresholdInput({ form, set, faults }: ConditionFieldsProps) {
  const { currency } = useMe().organization;
  const shared = { label: 'Threshold', withAsterisk: true, error: faults.threshold };
  if (!isPercent(form.metric))
    return (
      <MoneyInput
        {...shared}
        currency={currency}
        decimals={form.metric === 'UNIT_COST' ? 12 : 6}
        value={form.threshold}
        onChange={(threshold) => set({ threshold })}
      />
    );
  return <PercentInput {...shared} value={form.threshold} onChange={(threshold) => set({ threshold })} />;
}
