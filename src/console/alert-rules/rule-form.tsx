import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { Link } from 'wouter';
import { useMe } from '../api/me.tsx';
import type { Refusal } from '../api/refusal.ts';
import { Card } from '../parts/card.tsx';
import { RefusalAlert } from '../parts/refusal.tsx';
import { RecipientFields } from '../parts/recipient-fields.tsx';
import { useWrongField } from '../parts/wrong-field.ts';
import { ConditionFields } from './condition-fields.tsx';
import { faultsOf, mostEmails, type Faults, type RuleForm } from './form.ts';
import { PreviewCard } from './preview-card.tsx';
import { useSentence } from './sentence.ts';
import classes from './alert-rules.module.css';

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
