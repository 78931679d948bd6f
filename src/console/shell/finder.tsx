import { type ComboboxItem, type ComboboxItemGroup, Kbd, Select, UnstyledButton } from '@mantine/core';
import { useDebouncedValue, useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { type Role, useMe } from '../api/me.tsx';
import { costsHref } from '../costs/address.ts';
import { useAccountChoices, useCostChoices } from '../parts/choices/choices.tsx';
import { Dialog } from '../parts/form/dialog.tsx';
import { mayLeave } from '../parts/form/unsaved.ts';
import { mayVisit } from '../routes.tsx';
import { settingsGroups } from '../settings/settings-page.tsx';
import { useRecords, useResources } from './findable.ts';
import { navigation } from './navigation.ts';
import classes from './shell.module.css';

const keys = /Mac|iP/.test(navigator.platform) ? '⌘K' : 'Ctrl K';

/** Quick search for pages, accounts, services, resources and everything with a name, opened by a button or a shortcut. */
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
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 200);
  const places = usePlaces();
  const records = useRecords();
  const resources = useResources(search);
  const data = useMemo(
    () => [...places, ...records, ...resources].filter(({ items }) => items.length > 0),
    [places, records, resources],
  );
  const follow = (href: string | null) => {
    onClose();
    if (href && mayLeave()) go(href);
  };
  return (
    // After navigation the new page takes the focus; otherwise the dialog restores it.
    <Dialog opened onClose={onClose} title="Search" centered={false} yOffset="12vh" returnFocus={false}>
      <Select
        aria-label="Search"
        placeholder="Page, account, service, resource, budget…"
        data-autofocus
        searchable
        searchValue={text}
        onSearchChange={setText}
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
  { label: 'Virtual tags', href: '/tags/virtual' },
  { label: 'Report schedules', href: '/reports/schedules' },
  { label: 'Sent notifications', href: '/notifications' },
];

const acts: readonly Place[] = [
  { label: 'New budget', href: '/budgets/new' },
  { label: 'New alert rule', href: '/alert-rules/new' },
  { label: 'New tag policy', href: '/tags/policies/new' },
  { label: 'New virtual tag', href: '/tags/virtual/new' },
  { label: 'Connect an account', href: '/accounts/connect' },
];

/** Pages, accounts and services of the caller; each value is a URL. */
function usePlaces(): ComboboxItemGroup<ComboboxItem>[] {
  const { role } = useMe();
  const accounts = useAccountChoices();
  const { services } = useCostChoices();
  return useMemo(
    () => [
      placed(role, 'Pages', [...navigation.flatMap(({ items }) => items), ...inside]),
      placed(role, 'New', acts),
      { group: 'Accounts', items: accounts.map(({ value, label }) => ({ value: `/accounts/${value}`, label })) },
      {
        group: 'Costs of a service',
        items: services.map(({ value, label }) => ({ value: costsHref({ service: value, drill: 'true' }), label })),
      },
      placed(
        role,
        'Settings',
        settingsGroups.flatMap(({ places }) => places),
      ),
    ],
    [role, accounts, services],
  );
}

function placed(role: Role, group: string, places: readonly Place[]): ComboboxItemGroup<ComboboxItem> {
  const items = places.filter(({ href }) => mayVisit(role, href));
  return { group, items: items.map(({ label, href }) => ({ value: href, label })) };
}
