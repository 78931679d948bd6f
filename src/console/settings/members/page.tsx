import { Group, Text } from '@mantine/core';
import { IconLockOpen, IconShieldHalf, IconUserMinus, IconUserPlus, IconUserShield } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay, useMe } from '../../api/me.tsx';
import { useAccountChoices } from '../../parts/choices/choices.tsx';
import { ActMenu } from '../../parts/form/menu.tsx';
import { anyOf, search, useList } from '../../parts/list/definition.tsx';
import type { Choice } from '../../parts/list/filters.tsx';
import { ListPage, NewButton } from '../../parts/list/list.tsx';
import { TwoLines, type Column, actsColumn } from '../../parts/list/table.tsx';
import { Status } from '../../parts/page/card.tsx';
import { Empty } from '../../parts/page/page.tsx';
import { ago, day, moment, words } from '../../words/format.ts';
import { SettingsPage } from '../settings-page.tsx';
import { AccessText } from './access.tsx';
import { MemberDialogs, type Opened } from './dialogs.tsx';
import { MemberList, type Member } from './queries.ts';
import { OnOff } from '../../parts/form/dialog.tsx';

const list = {
  csv: ['/org/members', 'members'],
  filters: {
    search: search('Name or email'),
    role: anyOf('role', 'Role', ['SUPER_ADMIN', 'ADMIN', 'MEMBER', 'VIEWER']),
  },
} as const;

/** Member list with roles and account access. */
export function MembersPage() {
  const mayWrite = useMay('members.write');
  const accounts = useAccountChoices();
  const [opened, setOpened] = useState<Opened | null>(null);
  return (
    <>
      <ListPage
        title="Members"
        lead="Members of the organization, their roles and account access."
        actions={
          mayWrite && (
            <NewButton Icon={IconUserPlus} href="/settings/invitations?invite=1">
              Invite
            </NewButton>
          )
        }
        Frame={SettingsPage}
        list={useList(list, MemberList)}
        columns={columnsFor({ accounts, mayWrite, onOpen: setOpened })}
        noun={['member']}
        empty={<Empty title="No members" />}
      />
      {opened && <MemberDialogs opened={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

interface Shape {
  readonly accounts: readonly Choice[];
  readonly mayWrite: boolean;
  onOpen(opened: Opened): void;
}

/** Columns of the member list, with an action menu for callers with permission. */
function columnsFor({ accounts, mayWrite, onOpen }: Shape): readonly Column<Member>[] {
  return [
    { title: 'Name', sortBy: 'name', grow: true, cell: (member) => <Name member={member} /> },
    { title: 'Role', cell: ({ role }) => words(role) },
    {
      title: 'Account access',
      hideOn: 'phone',
      cell: ({ accountAccess }) => <AccessText access={accountAccess} accounts={accounts} />,
    },
    {
      title: 'Two-factor',
      hideOn: 'phone',
      cell: ({ twoFactorEnabled }) => <OnOff isOn={twoFactorEnabled} />,
    },
    {
      title: 'Last sign-in',
      sortBy: 'last_login_at',
      hideOn: 'phone',
      cell: ({ lastLoginAt, joinedAt }) => (
        <TwoLines top={lastLoginAt ? ago(lastLoginAt) : 'Never'} below={`Joined ${day(joinedAt)}`} />
      ),
    },
    ...(mayWrite ? [actsColumn<Member>((member) => <MemberMenu member={member} onOpen={onOpen} />)] : []),
  ];
}

function Name({ member: { user, lockedUntil } }: { readonly member: Member }) {
  const me = useMe();
  return (
    <TwoLines
      top={
        <Group gap={6} component="span">
          <Text component="span" size="sm" fw={550}>
            {user.name}
          </Text>
          {user.id === me.user.id && <Status value="you" tone="busy" label="You" />}
          {lockedUntil && <Status value="locked" tone="bad" label={`Locked until ${moment(lockedUntil)}`} />}
        </Group>
      }
      below={user.email}
    />
  );
}

/** Action menu of a member. The Super Admin cannot be changed; for yourself, it only offers to leave. */
function MemberMenu({ member, onOpen }: { readonly member: Member; onOpen(opened: Opened): void }) {
  const me = useMe();
  const isSelf = member.user.id === me.user.id;
  const isOwner = member.role === 'SUPER_ADMIN';
  const mayChange = !isOwner && !isSelf;
  const open = (act: Opened['act']) => () => onOpen({ act, member });
  if (isOwner && !member.lockedUntil) return null;
  return (
    <ActMenu
      label={`Manage ${member.user.name}`}
      items={[
        mayChange && { label: 'Change role', Icon: IconUserShield, onClick: open('role') },
        mayChange && { label: 'Account access', Icon: IconShieldHalf, onClick: open('access') },
        member.lockedUntil !== null && { label: 'Unlock sign-in', Icon: IconLockOpen, onClick: open('unlock') },
        !isOwner && {
          label: isSelf ? 'Leave organization' : 'Remove',
          Icon: IconUserMinus,
          danger: true,
          onClick: open('remove'),
        },
      ]}
    />
  );
}
