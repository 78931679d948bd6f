import { Group, Text } from '@mantine/core';
import { useMe } from '../../api/me.tsx';
import type { Choice } from '../../parts/filters.tsx';
import { Status } from '../../parts/status.tsx';
import { TwoLines, type Column } from '../../parts/table.tsx';
import { ago, day, moment } from '../../words/format.ts';
import { words } from '../../words/names.ts';
import { AccessText } from './access-text.tsx';
import type { Opened } from './dialogs.tsx';
import { MemberMenu } from './member-menu.tsx';
import type { Member } from './queries.ts';

interface Shape {
  readonly accounts: readonly Choice[];
  readonly mayWrite: boolean;
  onOpen(opened: Opened): void;
}

/** The columns of the list of members; with what can be done to each for those who may. */
export function columnsFor({ accounts, mayWrite, onOpen }: Shape): readonly Column<Member>[] {
  const columns: Column<Member>[] = [
    { key: 'name', title: 'Name', sortBy: 'name', grow: true, cell: (member) => <Name member={member} /> },
    { key: 'role', title: 'Role', cell: ({ role }) => words(role) },
    {
      key: 'access',
      title: 'Account access',
      hideOn: 'phone',
      cell: ({ accountAccess }) => <AccessText access={accountAccess} accounts={accounts} />,
    },
    {
      key: 'factor',
      title: 'Two-factor',
      hideOn: 'phone',
      cell: ({ twoFactorEnabled }) => (
        <Status value="" tone={twoFactorEnabled ? 'good' : 'quiet'} label={twoFactorEnabled ? 'On' : 'Off'} />
      ),
    },
    {
      key: 'login',
      title: 'Last login',
      sortBy: 'last_login_at',
      hideOn: 'phone',
      cell: ({ lastLoginAt, joinedAt }) => (
        <TwoLines top={lastLoginAt ? ago(lastLoginAt) : 'Never'} below={`Joined ${day(joinedAt)}`} />
      ),
    },
  ];
  if (!mayWrite) return columns;
  const acts: Column<Member> = {
    key: 'acts',
    title: '',
    align: 'right',
    cell: (member) => <MemberMenu member={member} onOpen={onOpen} />,
  };
  return [...columns, acts];
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
