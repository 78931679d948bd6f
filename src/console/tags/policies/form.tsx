import { SimpleGrid, Stack, TagsInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Act } from '../../parts/form/button.tsx';
import { useMe } from '../../api/me.tsx';
import { useInventoryChoices } from '../../inventory/queries.ts';
import { useAccountChoices, useCostChoices } from '../../parts/choices/choices.tsx';
import { AnyField, TextField, Toggle } from '../../parts/form/fields.tsx';
import { PageForm, useFields, type Sending } from '../../parts/form/form.tsx';
import { Card } from '../../parts/page/card.tsx';
import { faultsOf, faultsOfRefusal, newRule, type Draft, type Faults } from './draft.ts';
import { RuleFields } from './rule-fields.tsx';

/** Maximum rules per policy; the API's limit. */
const mostRules = 20;

interface Props {
  readonly initial: Draft;
  /** Label of the submit button. */
  readonly verb: string;
  readonly of: Sending;
  onSubmit(draft: Draft): unknown;
}

/** Form for a policy: name, scope and rules. */
export function PolicyForm({ initial, verb, of, onSubmit }: Props) {
  const mustName = useMe().accountAccess !== null;
  const { form, set, setFaults, check, ...found } = useFields(initial, (draft) => faultsOf(draft, mustName));
  const faults: Faults = { ...(of.refusal && faultsOfRefusal(of.refusal)), ...found.faults };
  const change = (part: Partial<Draft>) => {
    // Errors refer to rules by index, which changes when a rule is removed.
    if (part.rules && part.rules.length < form.rules.length) setFaults({});
    set(part);
  };
  return (
    <PageForm of={of} verb={verb} back="/tags/policies" maw={860} onSubmit={() => check() && onSubmit(form)}>
      <Card title="Policy">
        <Stack gap="sm">
          <TextField
            label="Name"
            withAsterisk
            maxLength={100}
            value={form.name}
            error={faults['name']}
            onChange={(name) => change({ name })}
          />
          <Toggle
            label="Enabled"
            description="Only enabled policies are evaluated."
            checked={form.enabled}
            onChange={(enabled) => change({ enabled })}
          />
        </Stack>
      </Card>
      <Card title="Scope">
        <PolicyScope draft={form} faults={faults} onChange={change} />
      </Card>
      <Card title="Rules">
        <Rules draft={form} faults={faults} onChange={change} />
      </Card>
    </PageForm>
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
        <Act label="Add a rule" Icon={IconPlus} onClick={() => onChange({ rules: [...rules, newRule()] })} />
      )}
    </Stack>
  );
}

interface PolicyScopeProps {
  readonly draft: Draft;
  readonly faults: Faults;
  onChange(part: Partial<Draft>): void;
}

/** Scope of a policy. Callers with access to only some accounts must choose one, as the API requires. */
function PolicyScope({ draft, faults, onChange }: PolicyScopeProps) {
  const accounts = useAccountChoices();
  const { providers } = useCostChoices();
  const { types } = useInventoryChoices();
  const mustName = useMe().accountAccess !== null;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <AnyField
        label="Account"
        placeholder={mustName ? 'Choose an account' : 'Every account'}
        choices={accounts}
        value={draft.accountId}
        required={mustName}
        error={faults['account']}
        onChange={(accountId) => onChange({ accountId })}
      />
      <AnyField
        label="Provider"
        placeholder="Every provider"
        choices={providers}
        value={draft.provider}
        onChange={(provider) => onChange({ provider })}
      />
      <TagsInput
        label="Resource types"
        description="Leave empty for all types. Not case-sensitive."
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
