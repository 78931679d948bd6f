import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconLockOpen, IconShieldHalf, IconUserMinus, IconUserShield } from '@tabler/icons-react';
import { useMe } from '../../api/me.tsx';
import type { Opened } from './dialogs.tsx';
import type { Member } from './queries.ts';

interface Props {
  readonly member: Member;
  onOpen(opened: Opened): void;
}

/** What can be done to a member. Nobody changes the Super Admin; of oneself only leaving is offered. */
export function MemberMenu({ member, onOpen }: Props) {
  const me = useMe();
  const isSelf = member.user.id === me.user.id;
  const isOwner = member.role === 'SUPER_ADMIN';
  if (isOwner && !member.lockedUntil) return null;
  return (
    <Menu position="bottom-end" withinPortal shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Manage ${member.user.name}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!isOwner && !isSelf && <ChangeItems member={member} onOpen={onOpen} />}
        {member.lockedUntil && (
          <Menu.Item
            leftSection={<IconLockOpen size={16} aria-hidden />}
            onClick={() => onOpen({ act: 'unlock', member })}
          >
            Unlock the login
          </Menu.Item>
        )}
        {!isOwner && (
          <Menu.Item
            color="var(--bad)"
            leftSection={<IconUserMinus size={16} aria-hidden />}
            onClick={() => onOpen({ act: 'remove', member })}
          >
            {isSelf ? 'Leave the organization' : 'Remove'}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function ChangeItems({ member, onOpen }: Props) {
  return (
    <>
      <Menu.Item leftSection={<IconUserShield size={16} aria-hidden />} onClick={() => onOpen({ act: 'role', member })}>
        Change role
      </Menu.Item>
      <Menu.Item
        leftSection={<IconShieldHalf size={16} aria-hidden />}
        onClick={() => onOpen({ act: 'access', member })}
      >
        Account access
      </Menu.Item>
    </>
  );
}
