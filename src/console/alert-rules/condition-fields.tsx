import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useMe } from '../api/me.tsx';
import { useTagKeyChoices } from '../parts/choices.ts';
import { MoneyInput, PercentInput } from '../parts/money-input.tsx';
import { ScopeFields } from '../parts/scope.tsx';
import type { Faults, RuleForm } from './form.ts';
import { allMetrics, allOperators, isPercent, metrics, operators } from './sentence.ts';

interface Props {
  readonly form: RuleForm;
  set(changes: Partial<RuleForm>): void;
  readonly faults: Faults;
}

/** What a rule looks at, of which spend, and from when on it tells. */
export function ConditionFields({ form, set, faults }: Props) {
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

function ThresholdInput({ form, set, faults }: Props) {
  const { currency } = useMe().organization;
  const shared = { label: 'Threshold', withAsterisk: true, error: faults.threshold };
  if (!isPercent(form.metric))
    return (
      <MoneyInput {...shared} currency={currency} value={form.threshold} onChange={(threshold) => set({ threshold })} />
    );
  return <PercentInput {...shared} value={form.threshold} onChange={(threshold) => set({ threshold })} />;
}

function TagFields({ form, set }: Pick<Props, 'form' | 'set'>) {
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
