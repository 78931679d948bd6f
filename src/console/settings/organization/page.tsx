import { Anchor, Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useMay } from '../../api/me.tsx';
import { useAct, useAnswer } from '../../api/use-api.ts';
import { done } from '../../parts/form/done.ts';
import { Card, Facts, FigureCard } from '../../parts/page/card.tsx';
import { RefusalAlert, Shown } from '../../parts/page/shown.tsx';
import { currencyChoices, words } from '../../words/names.ts';
import { count, day } from '../../words/format.ts';
import { SettingsPage } from '../settings-page.tsx';
import { OwnershipCard } from './ownership.tsx';
import { type Organization, OrganizationSettings, UpdateBilling, UpdateOrganization } from './queries.ts';
import { TwoFactorCard } from './two-factor-card.tsx';

/** The organization: its name and currency, what it asks of members, and, for its Super Admin, billing, handing over, deleting. */
export function OrganizationPage() {
  const answer = useAnswer(OrganizationSettings, {});
  const mayWrite = useMay('organization.write');
  const owns = useMay('organization.delete');
  return (
    <SettingsPage title="Organization" lead="What holds for everybody in it.">
      <Shown of={answer} height={480}>
        {({ organization }) =>
          organization && (
            <Stack gap="md">
              <CountsCard organization={organization} />
              <GeneralCard
                key={`${organization.name} ${organization.currency}`}
                of={organization}
                mayWrite={mayWrite}
              />
              <TwoFactorCard organization={organization} mayWrite={mayWrite} />
              {organization.billing && <BillingCard key={organization.billing.email} billing={organization.billing} />}
              {owns && <OwnershipCard organization={organization} />}
            </Stack>
          )
        }
      </Shown>
    </SettingsPage>
  );
}

/** How many accounts and members there are, of those that the caller may see. */
function CountsCard({
  organization: { accountCount, memberCount, createdAt },
}: {
  readonly organization: Organization;
}) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
      <FigureCard label="Connected accounts" value={count(accountCount)} href="/accounts" />
      <FigureCard label="Members" value={count(memberCount)} href="/settings/members" />
      <FigureCard label="Since" value={day(createdAt)} />
    </SimpleGrid>
  );
}

interface Props {
  readonly of: Organization;
  readonly mayWrite: boolean;
}

/** The organization's name and currency: a form for those who may change them. */
function GeneralCard({ of, mayWrite }: Props) {
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

/** How the organization pays for this service; for the Super Admin alone. */
function BillingCard({ billing: { email, plan } }: { readonly billing: NonNullable<Organization['billing']> }) {
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
