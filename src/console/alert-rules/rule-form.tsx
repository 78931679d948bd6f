import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useMe } from '../api/me.tsx';
import { ScopeFields, useTagKeyChoices } from '../parts/choices/choices.tsx';
import {
  AnyField,
  keysOf,
  MoneyInput,
  OneField,
  PercentInput,
  TermField,
  TextField,
  Toggle,
} from '../parts/form/fields.tsx';
import { PageForm, useFields, type Sending } from '../parts/form/form.tsx';
import { RecipientFields } from '../parts/form/recipients.tsx';
import { Card } from '../parts/page/card.tsx';
import { PreviewCard } from './preview-card.tsx';
import {
  faultsOf,
  isPercent,
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
          description="The owner is always notified. Press Enter after each address."
          most={mostEmails}
          isMine={isMine}
          value={form}
          error={fault}
          onChange={({ emails, slack }) => set({ emails, slack })}
        />
        <Toggle
          label="The rule is on"
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
            const isOther = isPercent(metric) !== isPercent(form.metric);
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
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      <AnyField
        label="Tag key"
        placeholder="Tagged or not"
        choices={keys}
        value={form.tagKey}
        onChange={(tagKey) => set({ tagKey, ...(tagKey === null && { tagValue: null }) })}
        clearButtonProps={{ 'aria-label': 'Clear tag key' }}
      />
      {form.tagKey !== null && (
        <TextField
          label="Tag value"
          placeholder="Any value"
          maxLength={256}
          value={form.tagValue ?? ''}
          onChange={(value) => set({ tagValue: value || null })}
        />
      )}
    </SimpleGrid>
  );
}
