import { ActionIcon, Avatar, Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import {
  IconApi,
  IconBrandGraphql,
  IconBuilding,
  IconCheck,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
  IconSunMoon,
} from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { Muted } from '../parts/form/menu.tsx';
import { useMe } from '../api/me.tsx';
import { post } from '../api/rest.ts';
import { accessToken, enter, signOut } from '../api/session.ts';
import { failed } from '../parts/form/dialog.tsx';
import { mayLeave } from '../parts/form/unsaved.ts';
import { words } from '../words/format.ts';
import classes from './shell.module.css';
import { useCall } from '../api/use-api.ts';
import { Version } from './version.tsx';

/** User menu: settings, organization, colour scheme, API and sign-out. */
export function UserMenu({ isSmall = false }: { readonly isSmall?: boolean }) {
  return (
    <Menu position="top-start" width={260} withinPortal shadow="md">
      <Menu.Target>{isSmall ? <SmallTarget /> : <Target />}</Menu.Target>
      <Menu.Dropdown>
        <OrganizationItems />
        <Menu.Item component={Link} href="/settings" leftSection={<IconSettings size={16} aria-hidden />}>
          Settings
        </Menu.Item>
        <SchemeItem />
        <Menu.Divider />
        <Menu.Item
          component="a"
          href="/graphql"
          target="_blank"
          leftSection={<IconBrandGraphql size={16} aria-hidden />}
        >
          GraphiQL
        </Menu.Item>
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconApi size={16} aria-hidden />}>
          REST API
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => mayLeave() && void signOut()} leftSection={<IconLogout size={16} aria-hidden />}>
          Sign out
        </Menu.Item>
        <Version />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Cycles through the three colour schemes. The menu stays open to show the choice. */
function SchemeItem() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const schemes = {
    auto: { next: 'light', label: 'Theme: system', Icon: IconSunMoon },
    light: { next: 'dark', label: 'Theme: light', Icon: IconSun },
    dark: { next: 'auto', label: 'Theme: dark', Icon: IconMoon },
  } as const;
  const { next, label, Icon } = schemes[colorScheme];
  return (
    <Menu.Item
      closeMenuOnClick={false}
      onClick={() => setColorScheme(next)}
      leftSection={<Icon size={16} aria-hidden />}
    >
      {label}
    </Menu.Item>
  );
}

function Target(props: object) {
  const { user, organization, role } = useMe();
  return (
    <UnstyledButton {...props} className={classes.user}>
      <Avatar name={user.name} size={30} radius="xl" color="harbor" aria-hidden />
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={550} truncate>
          {organization.name}
        </Text>
        <Muted size="xs" truncate>
          {user.name} · {words(role)}
        </Muted>
      </div>
      <VisuallyHidden>: menu</VisuallyHidden>
    </UnstyledButton>
  );
}

function SmallTarget(props: object) {
  const { user, organization } = useMe();
  return (
    <ActionIcon {...props} variant="transparent" size="lg">
      <Avatar name={user.name} size={30} radius="xl" color="harbor" aria-hidden />
      <VisuallyHidden>
        {user.name}, {organization.name}: menu
      </VisuallyHidden>
    </ActionIcon>
  );
}

/** Organizations of the user, if there are several; choosing one switches to it. */
export function OrganizationItems() {
  const { organization, organizations } = useMe();
  const { move, isBusy, refusal } = useSwitch();
  useEffect(() => {
    if (refusal) failed(refusal.message);
  }, [refusal]);
  if (organizations.length < 2) return null;
  return (
    <>
      <Menu.Label>Organization</Menu.Label>
      <div className={classes.organizations}>
        {organizations.map(({ id, name, role }) => (
          <Menu.Item
            key={id}
            disabled={isBusy}
            aria-current={id === organization.id}
            onClick={() => id !== organization.id && mayLeave() && void move(id)}
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

/** Switches to another organization of the user. */
export function useSwitch() {
  const { run, ...state } = useCall();
  const [, go] = useLocation();
  const move = async (organizationId: string) => {
    const body = { organization_id: organizationId };
    const result = await run(() => post('/auth/switch-organization', body, accessToken() ?? ''));
    if (!result || 'refusal' in result) return;
    // The current page belongs to the previous organization.
    go('/', { replace: true });
    enter(result.value);
  };
  return { move, ...state };
}
