import { Group, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { Muted } from '../../parts/form/menu.tsx';
import { useMe } from '../../api/me.tsx';
import { useAct, useAnswer } from '../../api/use-api.ts';
import { ConfirmDialog, done } from '../../parts/form/dialog.tsx';
import { Card, Status } from '../../parts/page/card.tsx';
import { RefusalAlert } from '../../parts/page/page.tsx';
import { counted } from '../../words/format.ts';
import { UpdateOrganization, type Organization } from './queries.ts';
import { MemberList } from '../members/queries.ts';

interface Props {
  readonly organization: Organization;
  readonly mayWrite: boolean;
}

/** Setting to require two-factor authentication for all members, with its effect on those without. */
export function TwoFactorCard({ organization: { requireTwoFactor }, mayWrite }: Props) {
  return (
    <Card title="Two-factor authentication">
      <Stack gap="xs">
        {mayWrite ? (
          <RequireSwitch isRequired={requireTwoFactor} />
        ) : (
          <Group>
            <Status
              value="two-factor"
              tone={requireTwoFactor ? 'good' : 'quiet'}
              label={requireTwoFactor ? 'Required for all members' : 'Not required'}
            />
          </Group>
        )}
        <Muted>
          If required, members without a second factor must set one up before they can continue. Their API tokens are
          rejected until then.
        </Muted>
      </Stack>
    </Card>
  );
}

function RequireSwitch({ isRequired }: { readonly isRequired: boolean }) {
  const [asks, setAsks] = useState(false);
  const update = useAct(UpdateOrganization);
  const lift = async () => {
    if (await update.act({ input: { requireTwoFactor: false } }))
      done('Two-factor authentication is no longer required.');
  };
  return (
    <>
      <Switch
        label="Require two-factor authentication for all members"
        checked={isRequired}
        disabled={update.isBusy}
        onChange={() => (isRequired ? void lift() : setAsks(true))}
      />
      <RefusalAlert refusal={update.refusal} />
      {asks && (
        <ConfirmDialog
          title="Require two-factor authentication"
          verb="Require"
          danger={false}
          text={<Affected />}
          mutation={UpdateOrganization}
          variables={{ input: { requireTwoFactor: true } }}
          confirmation="Two-factor authentication is now required."
          onClose={() => setAsks(false)}
        />
      )}
    </>
  );
}

/** Members who would have to set up a second factor immediately, including the caller. */
function Affected() {
  const { twoFactorEnabled } = useMe();
  return (
    <Stack gap="xs">
      {!twoFactorEnabled && (
        <Text size="sm" fw={600}>
          You have no second factor yet: you will be asked to set one up immediately.
        </Text>
      )}
      <Others />
    </Stack>
  );
}

function Others() {
  const { user } = useMe();
  const { data } = useAnswer(MemberList, { perPage: 100 });
  const page = data?.members;
  if (!page) return <Text size="sm">Members without a second factor must set one up before they can continue.</Text>;
  const others = page.data.filter((member) => !member.twoFactorEnabled && member.user.id !== user.id).length;
  const isPart = page.pagination.total > page.data.length;
  if (page.pagination.total === 1)
    return <Text size="sm">You are the only member. New members will need a second factor, too.</Text>;
  if (others === 0) return isPart ? null : <Text size="sm">All other members have a second factor.</Text>;
  return (
    <Text size="sm">
      {isPart && 'At least '}
      {counted(others, 'other member has', 'other members have')} no second factor: they must set one up before they can
      continue.
    </Text>
  );
}
