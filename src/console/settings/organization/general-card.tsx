import { Anchor, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMemo, useState, type SubmitEvent } from 'react';
import { Link } from 'wouter';
import { useAct } from '../../api/use-act.ts';
import { Card } from '../../parts/card.tsx';
import { done } from '../../parts/done.ts';
import { Facts } from '../../parts/facts.tsx';
import { RefusalAlert } from '../../parts/refusal.tsx';
import { currencyChoices } from '../../words/currencies.ts';
import { UpdateOrganization, type Organization } from './queries.ts';

interface Props {
  readonly of: Organization;
  readonly mayWrite: boolean;
}

/** The organization's name and currency: a form for those who may change them. */
export function GeneralCard({ of, mayWrite }: Props) {
  return (
    <Card title="General">
      {mayWrite ? (
        <GeneralForm of={of} />
      ) : (
        <Facts
          facts={[
            ['Name', of.name],
            ['Currency', of.currency],
          ]}
        />
      )}
    </Card>
  );
}

function GeneralForm({ of }: Pick<Props, 'of'>) {
  const [name, setName] = useState(of.name);
  const [currency, setCurrency] = useState(of.currency);
  const [fault, setFault] = useState<string | null>(null);
  const update = useAct(UpdateOrganization);
  const choices = useMemo(currencyChoices, []);
  const isSame = name.trim() === of.name && currency === of.currency;
  const save = async () => {
    if (name.trim() === '') return setFault('Name is missing');
    if (await update.act({ input: { name: name.trim(), currency } })) done('Saved.');
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isSame) void save();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" maw={460}>
        <TextInput
          label="Name"
          maxLength={100}
          value={name}
          error={fault}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setFault(null);
          }}
        />
        <Select
          label="Currency"
          description="Every cost is shown in it."
          data={choices}
          value={currency}
          searchable
          allowDeselect={false}
          maxDropdownHeight={280}
          nothingFoundMessage="There is no such currency"
          onChange={(next) => next && setCurrency(next)}
        />
        {currency !== of.currency && (
          <Text size="sm" c="var(--warn)">
            Costs in other currencies are converted by your{' '}
            <Anchor component={Link} href="/settings/exchange-rates" inherit underline="always">
              exchange rates
            </Anchor>{' '}
            to {currency}. What has no rate is left out of the totals and named beside them. Budgets keep the currency
            they have.
          </Text>
        )}
        <RefusalAlert refusal={update.refusal} />
        <Group>
          <Button type="submit" loading={update.isBusy} disabled={isSame}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
