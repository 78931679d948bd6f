import { type ComboboxItem, type ComboboxItemGroup, Kbd, Select, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { type Role, useMe } from '../api/me.tsx';
import { costsHref } from '../costs/address.ts';
import { useAccountChoices, useCostChoices } from '../parts/choices/choices.tsx';
import { Dialog } from '../parts/form/dialog.tsx';
import type { Choice } from '../parts/list/filters.tsx';
import { mayVisit } from '../routes.tsx';
import { settingsGroups } from '../settings/settings-page.tsx';
import { navigation } from './navigation.ts';
import classes from './shell.module.css';

const keys = /Mac|iP/.test(navigator.platform) ? '⌘K' : 'Ctrl K';

/** Quick search for pages, accounts and service costs, opened by a button or a keyboard shortcut. */
export function Finder() {
  const [isOpen, { open, close }] = useDisclosure();
  // Also works in fields, since the shortcut types no text.
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <UnstyledButton className={classes.find} onClick={open} aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={16} stroke={1.7} aria-hidden />
        Search…
        <Kbd size="xs" ml="auto" visibleFrom="md">
          {keys}
        </Kbd>
      </UnstyledButton>
      {isOpen && <FinderDialog onClose={close} />}
    </>
  );
}

function FinderDialog({ onClose }: { onClose(): void }) {
  const { role } = useMe();
  const [, go] = useLocation();
  const accounts = useAccountChoices();
  const { services } = useCostChoices();
  const data = useMemo(() => findable({ role, accounts, services }), [role, accounts, services]);
  const follow = (href: string | null) => {
    onClose();
    if (href) go(href);
  };
  return (
    // After navigation the new page takes the focus; otherwise the dialog restores it.
    <Dialog opened onClose={onClose} title="Go to" centered={false} yOffset="12vh" returnFocus={false}>
      <Select
        aria-label="Page, account or service"
        placeholder="Page, account or service"
        data-autofocus
        searchable
        selectFirstOptionOnChange
        dropdownOpened
        limit={60}
        maxDropdownHeight={360}
        nothingFoundMessage="No results"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={null}
        data={data}
        value={null}
        onChange={follow}
        // The option list handles Escape before the dialog does.
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
      />
    </Dialog>
  );
}

interface Place {
  readonly label: string;
  readonly href: string;
}

/** Pages that are not in the side bar. */
const inside: readonly Place[] = [
  { label: 'Commitment planner', href: '/coverage/planner' },
  { label: 'Tag violations', href: '/tags/violations' },
  { label: 'Tag policies', href: '/tags/policies' },
  { label: 'Report schedules', href: '/reports/schedules' },
  { label: 'Sent notifications', href: '/notifications' },
];

const acts: readonly Place[] = [
  { label: 'New budget', href: '/budgets/new' },
  { label: 'New alert rule', href: '/alert-rules/new' },
  { label: 'New tag policy', href: '/tags/policies/new' },
  { label: 'Connect an account', href: '/accounts/connect' },
];

interface Known {
  readonly role: Role;
  readonly accounts: readonly Choice[];
  readonly services: readonly Choice[];
}

/** All destinations of a role; each value is a URL. */
function findable({ role, accounts, services }: Known): ComboboxItemGroup<ComboboxItem>[] {
  const placed = (group: string, places: readonly Place[]) => ({
    group,
    items: places.filter(({ href }) => mayVisit(role, href)).map(({ label, href }) => ({ value: href, label })),
  });
  const groups = [
    placed('Pages', [...navigation.flatMap(({ items }) => items), ...inside]),
    placed('New', acts),
    { group: 'Accounts', items: accounts.map(({ value, label }) => ({ value: `/accounts/${value}`, label })) },
    {
      group: 'Costs of a service',
      items: services.map(({ value, label }) => ({ value: costsHref({ service: value }), label })),
    },
    placed(
      'Settings',
      settingsGroups.flatMap(({ places }) => places),
    ),
  ];
  return groups.filter(({ items }) => items.length > 0);
}
