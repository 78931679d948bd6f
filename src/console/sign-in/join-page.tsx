import * as operations from '../../../schema/operations.ts';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSearch } from 'wouter';
import { Act } from '../parts/form/menu.tsx';
import { graphql, type RecordOf } from '../api/graphql.ts';
import { useMe } from '../api/me.tsx';
import { signOut } from '../api/session.ts';
import { useAct } from '../api/use-api.ts';
import { Card } from '../parts/page/card.tsx';
import { Empty, Page, RefusalAlert } from '../parts/page/page.tsx';
import { words } from '../words/format.ts';
import { useSwitch } from '../shell/user-menu.tsx';

const AcceptInvite = graphql(operations.acceptInvite);

/** Invitation page for signed-in users; accepting it switches to the new organization. */
export function JoinPage() {
  const token = new URLSearchParams(useSearch()).get('token') ?? '';
  if (token !== '') return <Join token={token} />;
  return (
    <Page title="This link is incomplete">
      <Card>
        <Empty
          title="The address contains no invitation"
          text="Open the link in the email again, or copy all of it."
          action={<Act label="Go to the overview" primary href="/" />}
        />
      </Card>
    </Page>
  );
}

function Join({ token }: { readonly token: string }) {
  const { user } = useMe();
  const { act, isBusy, refusal } = useAct(AcceptInvite);
  const switching = useSwitch();
  const [joined, setJoined] = useState<RecordOf<typeof AcceptInvite> | null>(null);
  useEffect(() => {
    // The pressed button is gone: announce the page to screen readers, and let Tab continue from there.
    if (refusal && document.activeElement === document.body) document.getElementById('page-title')?.focus();
  }, [refusal]);
  const accept = async () => {
    const organization = (await act({ inviteToken: token }))?.acceptInvite;
    if (!organization) return;
    setJoined(organization);
    await switching.move(organization.id);
  };
  return (
    <Page title="You have been invited" lead={`You are signed in as ${user.name}, ${user.email}.`}>
      <Card>
        <Stack gap="md" maw={560}>
          <Text size="sm">
            {joined
              ? `Joined ${joined.name}. Your role: ${words(joined.role)}.`
              : 'Accept this invitation to join the other organization. You remain a member of this one and can switch between them in the menu.'}
          </Text>
          <RefusalAlert refusal={refusal ?? switching.refusal} />
          <Group gap="xs">
            {joined ? (
              <Button loading={switching.isBusy} onClick={() => void switching.move(joined.id)}>
                Go to {joined.name}
              </Button>
            ) : (
              <NotYet code={refusal?.code ?? null} isBusy={isBusy} onAccept={() => void accept()} />
            )}
          </Group>
        </Stack>
      </Card>
    </Page>
  );
}

interface NotYetProps {
  /** Error code of the failed attempt. */
  readonly code: string | null;
  readonly isBusy: boolean;
  onAccept(): void;
}

/** Suggested next step, by error code. */
function NotYet({ code, isBusy, onAccept }: NotYetProps) {
  const isOver = code === 'CONFLICT' || code === 'VALIDATION_ERROR' || code === 'FORBIDDEN';
  return (
    <>
      {!isOver && <Act label="Accept invitation" primary loading={isBusy} onClick={onAccept} />}
      {code === 'FORBIDDEN' && <Act label="Sign out and use that address" primary onClick={() => void signOut()} />}
      <Act label={isOver ? 'Go to the overview' : 'Not now'} href="/" />
    </>
  );
}
