import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useMay } from '../../api/me.tsx';
import { useAct, useAnswer } from '../../api/use-api.ts';
import { done } from '../../parts/form/dialog.tsx';
import { AnyField, OneField, TextField } from '../../parts/form/fields.tsx';
import { useTagKeyChoices } from '../../parts/choices/choices.tsx';
import { changedFields } from '../../parts/form/changed-fields.ts';
import { CardForm, useFields } from '../../parts/form/form.tsx';
import { Card, Facts, FigureCard } from '../../parts/page/card.tsx';
import { Shown, TextLink } from '../../parts/page/page.tsx';
import { count, currencyChoices, day, monthNames } from '../../words/format.ts';
import { SettingsPage } from '../settings-page.tsx';
import { OwnershipCard } from './ownership.tsx';
import { OrganizationSettings, UpdateOrganization, type Organization } from './queries.ts';
import { TwoFactorCard } from './two-factor-card.tsx';

/** Organization settings: name, currency, fiscal year and security policy; for the Super Admin also transfer and deletion. */
export function OrganizationPage() {
  const answer = useAnswer(OrganizationSettings, {});
  const mayWrite = useMay('organization.write');
  const owns = useMay('organization.delete');
  return (
    <SettingsPage title="Organization" lead="Organization settings.">
      <Shown of={answer} height={480}>
        {({ organization }) =>
          organization && (
            <Stack gap="md">
              <CountsCard organization={organization} />
              <GeneralCard
                key={`${organization.name} ${organization.currency} ${organization.fiscalYearStartMonth} ${organization.ownerTagKey}`}
                of={organization}
                mayWrite={mayWrite}
              />
              <TwoFactorCard organization={organization} mayWrite={mayWrite} />
              {owns && <OwnershipCard organization={organization} />}
            </Stack>
          )
        }
      </Shown>
    </SettingsPage>
  );
}

/** Number of accounts and members that the caller can see. */
function CountsCard({
  organization: { accountCount, memberCount, createdAt },
}: {
  readonly organization: Organization;
}) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
      <FigureCard label="Connected accounts" value={count(accountCount)} href="/accounts" />
      <FigureCard label="Members" value={count(memberCount)} href="/settings/members" />
      <FigureCard label="Created" value={day(createdAt)} />
    </SimpleGrid>
  );
}

interface Props {
  readonly of: Organization;
  readonly mayWrite: boolean;
}

/** Name, currency, fiscal year and owner tag; editable with permission. */
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
            ['Owner tag', of.ownerTagKey],
            ['Fiscal year start', monthNames[of.fiscalYearStartMonth - 1] ?? ''],
          ]}
        />
      )}
    </Card>
  );
}

function GeneralForm({ of }: Pick<Props, 'of'>) {
  const tagKeys = useTagKeyChoices();
  const update = useAct(UpdateOrganization);
  const before = pick(of);
  const { form, set, field, check } = useFields(before, ({ name }) => ({
    name: name.trim() === '' && 'Name is missing',
  }));
  const changes = changedFields(before, { ...form, name: form.name.trim() });
  const save = async () => {
    if (check() && (await update.act({ input: changes }))) done('Saved.');
  };
  return (
    <CardForm of={update} fields={{ form, set }} isSame={Object.keys(changes).length === 0} maw={460} onSave={save}>
      <TextField label="Name" maxLength={100} {...field('name')} />
      <CurrencyField value={form.currency} now={of.currency} onChange={(currency) => set({ currency })} />
      <OneField
        label="Fiscal year start"
        description="Adds the fiscal year to the date ranges."
        choices={months}
        value={String(form.fiscalYearStartMonth)}
        onChange={(month) => set({ fiscalYearStartMonth: Number(month) })}
      />
      <AnyField
        label="Owner tag"
        description="Tag key that names the owner of a resource. Adds an Owner column to resource lists."
        placeholder="None"
        choices={tagKeys}
        {...field('ownerTagKey')}
      />
    </CardForm>
  );
}

function pick({ name, currency, fiscalYearStartMonth, ownerTagKey }: Organization) {
  return { name, currency, fiscalYearStartMonth, ownerTagKey };
}

const months = monthNames.map((label, index) => ({ value: String(index + 1), label }));

interface CurrencyProps {
  readonly value: string;
  /** The saved currency. */
  readonly now: string;
  onChange(currency: string): void;
}

function CurrencyField({ value, now, onChange }: CurrencyProps) {
  const choices = useMemo(currencyChoices, []);
  return (
    <>
      <OneField
        label="Currency"
        description="All costs are shown in this currency."
        choices={choices}
        value={value}
        searchable
        maxDropdownHeight={280}
        nothingFoundMessage="Unknown currency"
        onChange={onChange}
      />
      {value !== now && (
        <Text size="sm" c="var(--warn)">
          Costs in other currencies are converted at your{' '}
          <TextLink href="/settings/exchange-rates" inherit underline="always">
            exchange rates
          </TextLink>{' '}
          to {value}. Costs without a rate are excluded from totals and listed beside them. Budgets keep their currency;
          the thresholds of alert rules become amounts in {value}.
        </Text>
      )}
    </>
  );
}
