import { Group, Stack, Switch } from '@mantine/core';
import { useMay } from '../../api/me.tsx';
import { useAct, useAnswer } from '../../api/use-api.ts';
import { done } from '../../parts/form/dialog.tsx';
import { Muted } from '../../parts/form/menu.tsx';
import { Card, Status } from '../../parts/page/card.tsx';
import { RefusalAlert } from '../../parts/page/page.tsx';
import { OrganizationSettings, UpdateOrganization } from '../organization/queries.ts';

/** Setting to download exchange rates daily.
 *  @param host that they are downloaded from */
export function AutomaticCard({ host }: { readonly host: string }) {
  const mayWrite = useMay('organization.write');
  const { data } = useAnswer(OrganizationSettings, {});
  const update = useAct(UpdateOrganization);
  if (!data?.organization) return null;
  const isOn = data.organization.automaticExchangeRates;
  const turn = async () => {
    if (!(await update.act({ input: { automaticExchangeRates: !isOn } }))) return;
    done(
      isOn ? 'Exchange rates are no longer downloaded.' : 'Exchange rates are being downloaded: reload in a minute.',
    );
  };
  return (
    <Card title="Automatic exchange rates">
      <Stack gap="xs">
        {mayWrite ? (
          <Switch label="Download monthly rates" checked={isOn} disabled={update.isBusy} onChange={() => void turn()} />
        ) : (
          <Group>
            <Status value="automatic" tone={isOn ? 'good' : 'quiet'} label={isOn ? 'On' : 'Off'} />
          </Group>
        )}
        <RefusalAlert refusal={update.refusal} />
        <Muted>
          Once per day, the server downloads the European Central Bank’s reference rates from {host}, and sets the
          monthly averages of the currencies in your bills. Rates that you set take precedence.
        </Muted>
      </Stack>
    </Card>
  );
}
