import { SimpleGrid, Stack, TagsInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMe } from '../../api/me.tsx';
import type { Refusal } from '../../api/refusal.ts';
import { useInventoryChoices } from '../../inventory/queries.ts';
import { PlaceFields } from '../../parts/choices/choices.tsx';
import { Act } from '../../parts/form/menu.tsx';
import { TextField, Toggle } from '../../parts/form/fields.tsx';
import { PageForm, useFields, type Sending } from '../../parts/form/form.tsx';
import { Card } from '../../parts/page/card.tsx';
import type { PolicyRow } from '../queries.ts';
import { RuleFields, type Faults, type DraftRule } from './rule-fields.tsx';

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
  const refused = of.refusal === null ? {} : faultsOfRefusal(of.refusal);
  const faults: Faults = { ...refused, ...found.faults };
  // A field that shows the error needs no second one below the form.
  const rest = Object.keys(refused).length > 0 ? { ...of, refusal: null } : of;
  const change = (part: Partial<Draft>) => {
    // Errors refer to rules by index, which changes when a rule is removed.
    if (part.rules && part.rules.length < form.rules.length) setFaults({});
    set(part);
  };
  return (
    <PageForm
      of={rest}
      verb={verb}
      back="/tags/policies"
      fields={{ form, set }}
      maw={860}
      onSubmit={() => check() && onSubmit(form)}
    >
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

/** Scope of a policy. */
function PolicyScope({ draft, faults, onChange }: PolicyScopeProps) {
  const { types } = useInventoryChoices();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <PlaceFields value={draft} accountError={faults['account']} onChange={onChange} />
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

/** Form state of a policy. */
export interface Draft {
  readonly name: string;
  readonly enabled: boolean;
  readonly provider: string | null;
  readonly accountId: string | null;
  readonly resourceTypes: readonly string[];
  readonly rules: readonly DraftRule[];
}

let made = 0;

/** New rule that requires a tag. */
function newRule(): DraftRule {
  return { id: (made += 1), key: '', required: true, allowedValues: [], pattern: '', caseSensitive: false };
}

/** Form state of a new policy. */
export function newDraft(): Draft {
  return { name: '', enabled: true, provider: null, accountId: null, resourceTypes: [], rules: [newRule()] };
}

/** Converts a policy to its form state. */
export function draftOf({ name, enabled, provider, accountId, resourceTypes, rules }: PolicyRow): Draft {
  const drafts = rules.map((rule) => ({ ...newRule(), ...rule, pattern: rule.pattern ?? '' }));
  return { name, enabled, provider, accountId, resourceTypes, rules: drafts };
}

/** Converts form state to the API's input. */
export function inputOf({ name, enabled, provider, accountId, resourceTypes, rules }: Draft) {
  return {
    name: name.trim(),
    enabled,
    provider,
    accountId,
    resourceTypes: [...resourceTypes],
    rules: rules.map(({ key, required, allowedValues, pattern, caseSensitive }) => ({
      key,
      required,
      allowedValues: [...allowedValues],
      pattern: pattern === '' ? null : pattern,
      caseSensitive,
    })),
  };
}

/** Validates what the client can check; the API validates the rest.
 *  @param mustNameAccount the caller has access to only some accounts */
function faultsOf(draft: Draft, mustNameAccount: boolean): Faults {
  const faults: Record<string, string> = {};
  const name = draft.name.trim();
  if (name === '') faults['name'] = 'Enter a name';
  else if (name.length > 100) faults['name'] = 'Use at most 100 characters';
  if (mustNameAccount && draft.accountId === null) faults['account'] = 'Choose an account';
  const seen = new Set<string>();
  for (const [index, rule] of draft.rules.entries()) {
    const folded = rule.key.trim().toLowerCase();
    if (folded === '') faults[`key ${index}`] = 'Enter a tag key';
    else if (seen.has(folded)) faults[`key ${index}`] = 'Another rule already has this key';
    else if (ruleIsEmpty(rule))
      faults[`rule ${index}`] = 'The rule has no effect: make the tag required, or restrict its values';
    seen.add(folded);
  }
  return faults;
}

const places: Readonly<Record<string, string>> = { key: 'key', pattern: 'pattern', allowedValues: 'values' };

/** Maps an API error to its form field, for example `rules[0].pattern`; empty if it does not concern a rule. */
function faultsOfRefusal(refusal: Refusal): Faults {
  const [, index, field = ''] = /^rules\[(\d+)\](?:\.(\w+))?/.exec(refusal.field ?? '') ?? [];
  if (index === undefined) return {};
  return { [`${places[field] ?? 'rule'} ${index}`]: refusal.rest };
}

/** Whether nothing can violate the rule. */
function ruleIsEmpty({ required, allowedValues, pattern, caseSensitive }: DraftRule): boolean {
  return !required && allowedValues.length === 0 && pattern === '' && !caseSensitive;
}
