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
    { key: 'role', title: 'Role', hideOn: 'phone', cell: ({ role }) => words(role) },
    {
      key: 'access',
      title: 'Account access',
      hideOn: 'tablet',
      cell: ({ accountAccess }) => <AccessText access={accountAccess} accounts={accounts} />,
    },
    { key: 'status', title: 'Status', cell: ({ status }) => <StatusOf value={status} /> },
    { key: 'sent', title: 'Sent', sortBy: 'sent_at', hideOn: 'phone', cell: ({ sentAt }) => ago(sentAt) },
    { key: 'until', title: 'Until', sortBy: 'expires_at', hideOn: 'tablet', cell: untilOf },
    { key: 'acts', title: '', align: 'right', cell: (invite) => <Acts invite={invite} onRevoke={onRevoke} /> },
  ];
}

function untilOf({ status, expiresAt, acceptedAt }: Invite): string {
  if (status === 'ACCEPTED') return acceptedAt ? `Accepted ${ago(acceptedAt)}` : 'Accepted';
  if (status === 'REVOKED') return '–';
  return status === 'EXPIRED' ? `Ended ${ago(expiresAt)}` : ago(expiresAt);
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
