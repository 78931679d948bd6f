import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useAct } from '../../api/use-act.ts';
import { Card } from '../../parts/card.tsx';
import { done } from '../../parts/done.ts';
import { RefusalAlert } from '../../parts/refusal.tsx';
import { words } from '../../words/names.ts';
import { UpdateBilling, type Organization } from './queries.ts';

/** How the organization pays for this service; for the Super Admin alone. */
export function BillingCard({ billing: { email, plan } }: { readonly billing: NonNullable<Organization['billing']> }) {
  const [typed, setTyped] = useState(email ?? '');
  const update = useAct(UpdateBilling);
  const isSame = typed.trim() === (email ?? '');
  const save = async () => {
    if (await update.act({ billingEmail: typed.trim() || null })) done('Saved.');
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isSame) void save();
  };
  return (
    <Card title="Billing" note="Only the Super Admin sees this.">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" maw={460}>
          <Text size="sm">
            Plan: <strong>{words(plan.replaceAll('-', '_'))}</strong>
          </Text>
          <TextInput
            type="email"
            label="Billing email"
            description="Where bills for this service go. Empty for nowhere."
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <RefusalAlert refusal={update.refusal} />
          <Group>
            <Button type="submit" loading={update.isBusy} disabled={isSame}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
