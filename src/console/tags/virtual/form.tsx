import { SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { TextField, Toggle } from '../../parts/form/fields.tsx';
import { PageForm, useFields, type Sending } from '../../parts/form/form.tsx';
import { Card } from '../../parts/page/card.tsx';
import { most, namedValues, type Draft, type DraftRule } from './draft.ts';
import { faultsOf, faultsOfRefusal, faultsWithout, type Faults } from './faults.ts';
import { PreviewCard } from './preview-card.tsx';
import { RulesCard } from './rules-card.tsx';
import { SplitsCard } from './splits-card.tsx';
import { usePreview } from './use-preview.ts';
import { YamlButtons } from './yaml-buttons.tsx';

interface Props {
  readonly initial: Draft;
  /** Whether the virtual tag exists, so that its key cannot change. */
  readonly isStored: boolean;
  /** Label of the submit button. */
  readonly verb: string;
  readonly of: Sending;
  onSubmit(draft: Draft): unknown;
}

/** Maximum number of rules that start expanded; if there are more, all start collapsed. */
const mostOpen = 3;

/** Form for a virtual tag, with a live preview of its rules. */
export function VirtualTagForm({ initial, isStored, verb, of, onSubmit }: Props) {
  const { form, faults, change, check } = useDraft(initial, of);
  const { open, setOpen, addRule, frame } = useOpenRules(form, change);
  const fill = (draft: Draft) => change({ ...draft, key: isStored ? form.key : draft.key }, '');
  const preview = usePreview(form);
  const values = useMemo(() => {
    const previewed = (preview.data?.values ?? []).map(({ value }) => value);
    return [...new Set([...namedValues(form), ...previewed])];
  }, [form, preview.data]);
  return (
    <PageForm
      of={of}
      verb={verb}
      back="/tags/virtual"
      fields={{ form, set: (part: Partial<Draft>) => change(part, '') }}
      onSubmit={() => check() && onSubmit(form)}
      aside={<PreviewCard preview={preview} onAddRule={addRule} />}
    >
      <General draft={form} isStored={isStored} faults={faults} onChange={change} onImport={fill} />
      <div ref={frame}>
        <RulesCard
          draft={form}
          faults={faults}
          open={open}
          onOpen={setOpen}
          onChange={(rules, at) => change({ rules }, at)}
        >
          <TextField
            label="Default value"
            description="The value of charges that no rule matches."
            withAsterisk
            maw={320}
            maxLength={most.characters}
            value={form.defaultValue}
            error={faults['defaultValue']}
            onChange={(defaultValue) => change({ defaultValue }, 'defaultValue')}
          />
        </RulesCard>
      </div>
      <SplitsCard
        splits={form.splits}
        tagKey={form.key || keyOf(form.name)}
        values={values}
        faults={faults}
        onChange={(splits, at) => change({ splits }, at)}
      />
    </PageForm>
  );
}

/** Changes a part of the form, such as `rules[2]`: its errors are outdated. */
type Change = (part: Partial<Draft>, at: string) => void;

/** State of the form, with the errors that the console or the API found in it. */
function useDraft(initial: Draft, of: Sending) {
  const { form, set, setFaults, check, faults: found } = useFields(initial, faultsOf);
  const faults: Faults = { ...(of.refusal && faultsOfRefusal(of.refusal)), ...found };
  const change: Change = (part, at) => {
    of.clear?.();
    setFaults((before) => faultsWithout(before as Faults, at));
    set(part);
  };
  return { form, faults, change, check };
}

/** Rules that are expanded; all of a short list at first. */
function useOpenRules({ rules }: Draft, change: Change) {
  const frame = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<number>>(
    () => new Set(rules.length <= mostOpen ? rules.map(({ id }) => id) : []),
  );
  const addRule = (rule: DraftRule) => {
    setOpen(new Set([...open, rule.id]));
    change({ rules: [...rules, rule] }, 'rules');
    // After rendering: focuses the value of the new rule, which is still to be entered.
    setTimeout(() => [...(frame.current?.querySelectorAll<HTMLElement>('[data-rule-value]') ?? [])].at(-1)?.focus());
  };
  return { open, setOpen, addRule, frame };
}

interface GeneralProps {
  readonly draft: Draft;
  readonly isStored: boolean;
  readonly faults: Faults;
  onChange(part: Partial<Draft>, at: string): void;
  onImport(draft: Draft): void;
}

function General({ draft, isStored, faults, onChange, onImport }: GeneralProps) {
  return (
    <Card title="General" actions={<YamlButtons draft={draft} onImport={onImport} />}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextField
            label="Name"
            withAsterisk
            maxLength={100}
            value={draft.name}
            error={faults['name']}
            onChange={(name) => onChange({ name }, 'name')}
          />
          <TextField
            label="Key"
            readOnly={isStored}
            maxLength={60}
            placeholder={keyOf(draft.name)}
            spellCheck={false}
            autoComplete="off"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            description={isStored ? 'The key cannot be changed.' : 'For the API. Default: derived from the name.'}
            value={draft.key}
            error={faults['key']}
            onChange={(key) => onChange({ key }, 'key')}
          />
        </SimpleGrid>
        <TextInput
          label="Description"
          maxLength={500}
          value={draft.description}
          error={faults['description']}
          onChange={(event) => onChange({ description: event.currentTarget.value }, 'description')}
        />
        <Toggle
          label="Enabled"
          description="Costs can be grouped and filtered by enabled virtual tags only."
          checked={draft.enabled}
          onChange={(enabled) => onChange({ enabled }, 'enabled')}
        />
      </Stack>
    </Card>
  );
}

/** The key that the API derives from a name. */
function keyOf(name: string): string {
  const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return words.replace(/^-/, '').slice(0, 60).replace(/-$/, '');
}
