import { Button, Group, Text } from '@mantine/core';
import { useAct } from '../../api/use-act.ts';
import type { Choice } from '../../parts/filters.tsx';
import { done } from '../../parts/done.ts';
import { StatusOf } from '../../parts/status.tsx';
import { TwoLines, type Column } from '../../parts/table.tsx';
import { ago } from '../../words/format.ts';
import { words } from '../../words/names.ts';
import { AccessText } from '../members/access-text.tsx';
import { ResendInvite, type Invite } from './queries.ts';

interface Shape {
  readonly accounts: readonly Choice[];
  onRevoke(invite: Invite): void;
}

/** The columns of the list of invitations. */
export function columnsFor({ accounts, onRevoke }: Shape): readonly Column<Invite>[] {
  return [
    {
      key: 'email',
      title: 'Address',
      sortBy: 'email',
      grow: true,
      cell: ({ email, invitedBy }) => (
        <TwoLines top={email} below={invitedBy ? `Invited by ${invitedBy.name}` : 'Invited by a former member'} />
      ),
    },
    {
      key: 'role',
      title: 'Role and accounts',
      hideOn: 'phone',
      cell: ({ role, accountAccess }) => (
        <TwoLines top={words(role)} below={<AccessText access={accountAccess} accounts={accounts} />} />
      ),
    },
    { key: 'status', title: 'Status', cell: ({ status }) => <StatusOf value={status} /> },
    {
      key: 'sent',
      title: 'Sent',
      sortBy: 'sent_at',
      hideOn: 'phone',
      cell: (invite) => <TwoLines top={ago(invite.sentAt)} below={untilOf(invite)} />,
    },
    { key: 'acts', title: '', align: 'right', cell: (invite) => <Acts invite={invite} onRevoke={onRevoke} /> },
  ];
}

function untilOf({ status, expiresAt, acceptedAt }: Invite): string {
  switch (status) {
    case 'ACCEPTED':
      return acceptedAt ? `Accepted ${ago(acceptedAt)}` : 'Accepted';
    case 'EXPIRED':
      return `Ended ${ago(expiresAt)}`;
    case 'PENDING':
      return `Ends ${ago(expiresAt)}`;
    case 'REVOKED':
      return 'Its link is good no more';
    default:
      return status satisfies never;
  }
}

function Acts({ invite, onRevoke }: { readonly invite: Invite } & Pick<Shape, 'onRevoke'>) {
  const resend = useAct(ResendInvite);
  if (invite.status === 'ACCEPTED' || invite.status === 'REVOKED') return null;
  const send = async () => {
    if (await resend.act({ id: invite.id })) done(`The invitation of ${invite.email} is on its way again.`);
  };
  return (
    <>
      <Group gap={6} justify="flex-end" wrap="nowrap">
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          loading={resend.isBusy}
          aria-label={`Resend the invitation of ${invite.email}`}
          onClick={() => void send()}
        >
          Resend
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          aria-label={`Revoke the invitation of ${invite.email}`}
          onClick={() => onRevoke(invite)}
        >
          Revoke
        </Button>
      </Group>
      {resend.refusal && (
        <Text size="xs" c="var(--bad)" role="alert" style={{ whiteSpace: 'normal' }}>
          {resend.refusal.message}
        </Text>
      )}
    </>
  );
}
