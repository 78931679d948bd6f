import { Menu } from '@mantine/core';
import { IconBuilding, IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useMe } from '../api/me.tsx';
import { post, refused } from '../api/rest.ts';
import { accessToken, enter } from '../api/session.ts';
import { failed } from '../parts/done.ts';
import { words } from '../words/names.ts';
import classes from './shell.module.css';

/** The caller's organizations, where there are several: choosing one goes on there. */
export function OrganizationItems() {
  const { organization, organizations } = useMe();
  const [isBusy, setBusy] = useState(false);
  const [, go] = useLocation();
  if (organizations.length < 2) return null;
  const move = async (organizationId: string) => {
    setBusy(true);
    const result = await refused(
      post('/auth/switch-organization', { organization_id: organizationId }, accessToken() ?? ''),
    );
    setBusy(false);
    if ('refusal' in result) return failed(result.refusal.message);
    // What was open belonged to the other organization.
    go('/');
    enter(result.value);
  };
  return (
    <>
      <Menu.Label>Organization</Menu.Label>
      <div className={classes.organizations}>
        {organizations.map(({ id, name, role }) => (
          <Menu.Item
            key={id}
            disabled={isBusy}
            aria-current={id === organization.id}
            onClick={() => id !== organization.id && void move(id)}
            leftSection={<IconBuilding size={16} aria-hidden />}
            rightSection={id === organization.id ? <IconCheck size={16} aria-hidden /> : words(role)}
          >
            {name}
          </Menu.Item>
        ))}
      </div>
      <Menu.Divider />
    </>
  );
}
