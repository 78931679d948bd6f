import { Stack } from '@mantine/core';
import { useMay } from '../api/me.tsx';
import { useAnswer } from '../api/use-answer.ts';
import { Shown } from '../parts/shown.tsx';
import { BillingCard } from './organization/billing-card.tsx';
import { CountsCard } from './organization/counts-card.tsx';
import { GeneralCard } from './organization/general-card.tsx';
import { OwnershipCard } from './organization/ownership-card.tsx';
import { OrganizationSettings } from './organization/queries.ts';
import { TwoFactorCard } from './organization/two-factor-card.tsx';
import { SettingsPage } from './settings-page.tsx';

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
