import { Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Act } from '../../parts/form/menu.tsx';
import { useAct } from '../../api/use-api.ts';
import { useAccountChoices } from '../../parts/choices/choices.tsx';
import { ConfirmDialog, done } from '../../parts/form/dialog.tsx';
import { anyOf, useList } from '../../parts/list/definition.tsx';
import type { Choice } from '../../parts/list/filters.tsx';
import { ListPage, NewButton } from '../../parts/list/list.tsx';
import { EmailText, Pair, TwoLines, type Column, actsColumn } from '../../parts/list/table.tsx';
import { MailNote } from '../../parts/page/mail-note.tsx';
import { Empty } from '../../parts/page/page.tsx';
import { StatusOf } from '../../parts/page/card.tsx';
import { ago, words } from '../../words/format.ts';
import { AccessText } from '../members/access.tsx';
import { SettingsPage } from '../settings-page.tsx';
import {
  InviteDialog,
  InviteList,
  RenewedDialog,
  ResendInvite,
  RevokeInvite,
  type Invite,
  type LinkedInvite,
} from './invite-dialog.tsx';

const list = {
  csv: ['/org/invites', 'invitations'],
  filters: { status: anyOf('status', 'Status', ['PENDING', 'ACCEPTED', 'EXPIRED', 'REVOKED']) },
} as const;

/** Invitation list with statuses. */
export function InvitationsPage() {
  const accounts = useAccountChoices();
  const [revoked, setRevoked] = useState<Invite | null>(null);
  const [renewed, setRenewed] = useState<LinkedInvite | null>(null);
  const invites = useList(list, InviteList);
  const { state } = invites;
  const invite = (
    <NewButton Icon={IconUserPlus} onClick={() => state.set({ invite: '1' })}>
      Invite
    </NewButton>
  );
  return (
    <>
      <ListPage
        title="Invitations"
        lead="Links expire after 7 days."
        actions={invite}
        Frame={SettingsPage}
        tabs={<MailNote />}
        reads={['invite']}
        list={invites}
        columns={columnsFor({ accounts, onRevoke: setRevoked, onLink: setRenewed })}
        noun={['invitation']}
        empty={
          <Empty
            title="No invitations yet"
            text="Invite people by email. They choose their own password."
            action={invite}
          />
        }
      />
      {state.has('invite') && <InviteDialog onClose={() => state.set({ invite: null }, { replace: true })} />}
      {renewed && <RenewedDialog invite={renewed} onClose={() => setRenewed(null)} />}
      {revoked && (
        <ConfirmDialog
          title="Revoke invitation"
          verb="Revoke"
          text={`The link sent to ${revoked.email} stops working. You can invite the address again.`}
          mutation={RevokeInvite}
          variables={{ id: revoked.id }}
          confirmation={`Invitation for ${revoked.email} revoked.`}
          onClose={() => setRevoked(null)}
        />
      )}
    </>
  );
}

interface Shape {
  readonly accounts: readonly Choice[];
  onRevoke(invite: Invite): void;
  /** Shows the link of a resent invitation. */
  onLink(invite: LinkedInvite): void;
}

function columnsFor({ accounts, ...acts }: Shape): readonly Column<Invite>[] {
  return [
    {
      title: 'Email',
      sortBy: 'email',
      grow: true,
      cell: ({ email, invitedBy }) => (
        <TwoLines
          top={<EmailText email={email} />}
          below={invitedBy ? `Invited by ${invitedBy.name}` : 'Invited by a former member'}
        />
      ),
    },
    {
      title: 'Role and accounts',
      hideOn: 'phone',
      cell: ({ role, accountAccess }) => (
        <TwoLines top={words(role)} below={<AccessText access={accountAccess} accounts={accounts} />} />
      ),
    },
    { title: 'Status', cell: ({ status }) => <StatusOf value={status} /> },
    {
      title: 'Sent',
      sortBy: 'sent_at',
      hideOn: 'phone',
      cell: (invite) => <TwoLines top={ago(invite.sentAt)} below={untilOf(invite)} />,
    },
    actsColumn((invite) => <Acts invite={invite} {...acts} />),
  ];
}

function untilOf({ status, expiresAt, acceptedAt }: Invite): string {
  switch (status) {
    case 'ACCEPTED':
      return acceptedAt ? `Accepted ${ago(acceptedAt)}` : 'Accepted';
    case 'EXPIRED':
      return `Expired ${ago(expiresAt)}`;
    case 'PENDING':
      return `Expires ${ago(expiresAt)}`;
    case 'REVOKED':
      return 'The link no longer works';
    default:
      return status satisfies never;
  }
}

function Acts({ invite, onRevoke, onLink }: { readonly invite: Invite } & Omit<Shape, 'accounts'>) {
  const resend = useAct(ResendInvite);
  if (invite.status === 'ACCEPTED' || invite.status === 'REVOKED') return null;
  const send = async () => {
    const sent = (await resend.act({ id: invite.id }))?.resendInvite;
    if (!sent) return;
    if (sent.link === null) done(`Invitation resent to ${invite.email}.`);
    else onLink(sent);
  };
  return (
    <>
      <Pair>
        <Act
          label="Resend"
          size="compact-sm"
          variant="subtle"
          color="gray"
          loading={resend.isBusy}
          aria-label={`Resend invitation to ${invite.email}`}
          onClick={() => void send()}
        />
        <Act
          label="Revoke"
          size="compact-sm"
          variant="subtle"
          color="gray"
          aria-label={`Revoke invitation to ${invite.email}`}
          onClick={() => onRevoke(invite)}
        />
      </Pair>
      {resend.refusal && (
        <Text size="xs" c="var(--bad)" role="alert" style={{ whiteSpace: 'normal' }}>
          {resend.refusal.message}
        </Text>
      )}
    </>
  );
}
