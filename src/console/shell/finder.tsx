import { Combobox, Kbd, Loader, TextInput, UnstyledButton, useCombobox } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useAllPages } from '../api/all-pages.ts';
import { type Role, useMe } from '../api/me.tsx';
import { costsHref } from '../costs/address.ts';
import { AccountChoices, useCostChoices } from '../parts/choices/choices.tsx';
import { Dialog } from '../parts/form/dialog.tsx';
import { mayLeave } from '../parts/form/unsaved.ts';
import { nameMatches } from '../../kit/text/service-aliases.ts';
import type { Choice } from '../parts/list/filters.tsx';
import { mayVisit } from '../routes.tsx';
import { settingsGroups } from '../settings/settings-page.tsx';
import { type Found, useRecords, useResources, useSubAccounts } from './findable.ts';
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
  const [isEntered, setEntered] = useState(false);
  const [picked, setPicked] = useState<string | null>(null);
  const found = useFound(text.trim());
  const options = found.flatMap(({ items }) => items);
  const best = bestOf(found);
  const chosen = options.find(({ value }) => value === picked)?.value ?? best;
  const isWaiting = found.some(({ isReady }) => !isReady);
  const follow = (href: string) => {
    onClose();
    if (mayLeave()) go(href);
  };
  const type = (next: string) => {
    setText(next);
    setPicked(null);
    setEntered(false);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') setEntered(true);
    else if (step) setPicked(optionBeside(options, chosen, step));
    else return;
    event.preventDefault();
  };
  // Enter opens an entry once it is known, which can be later.
  useEffect(() => {
    if (!isEntered || chosen === undefined) return;
    if (chosen === null) setEntered(false);
    else follow(chosen);
  });
  return (
    // After navigation the new page takes the focus; otherwise the dialog restores it.
    <Dialog opened onClose={onClose} title="Search" centered={false} yOffset="12vh" returnFocus={false}>
      <FinderList {...{ text, found, chosen, isWaiting }} onType={type} onPress={press} onFollow={follow} />
    </Dialog>
  );
}

interface ListProps {
  readonly text: string;
  readonly found: readonly Found[];
  /** The entry that Enter opens. */
  readonly chosen: string | null | undefined;
  readonly isWaiting: boolean;
  onType(text: string): void;
  onPress(event: KeyboardEvent): void;
  onFollow(href: string): void;
}

function FinderList({ text, found, chosen, isWaiting, onType, onPress, onFollow }: ListProps) {
  const listId = useId();
  const store = useCombobox();
  useEffect(() => {
    if (chosen) document.getElementById(listId + chosen)?.scrollIntoView({ block: 'nearest' });
  }, [chosen, listId]);
  return (
    <Combobox store={store} onOptionSubmit={onFollow}>
      <TextInput
        role="combobox"
        aria-label="Search"
        aria-expanded
        aria-haspopup="listbox"
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={chosen ? listId + chosen : undefined}
        autoComplete="off"
        placeholder="Page, account, service, resource, budget…"
        data-autofocus
        value={text}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={onPress}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={isWaiting && text !== '' ? <Loader size="xs" aria-label="Searching" /> : null}
      />
      <Combobox.Options id={listId} aria-label="Results" className={classes.found}>
        {found
          .filter(({ items }) => items.length > 0)
          .map(({ group, items }) => (
            <Combobox.Group key={group} label={group}>
              {items.map(({ value, label }) => (
                <Combobox.Option
                  key={value}
                  id={listId + value}
                  value={value}
                  selected={value === chosen}
                  aria-selected={value === chosen}
                >
                  {label}
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
        {found.every(({ items }) => items.length === 0) && (
          <Combobox.Empty>{isWaiting ? 'Searching…' : 'No results'}</Combobox.Empty>
        )}
      </Combobox.Options>
    </Combobox>
  );
}

/** Maximum number of entries shown. */
const most = 60;

/** Entries whose label contains a text, and services that it abbreviates. */
function useFound(text: string): Found[] {
  const places = usePlaces();
  const subAccounts = useSubAccounts(text);
  const records = useRecords(text);
  const resources = useResources(text);
  let left = most;
  return [...places, subAccounts, ...records, ...resources].map((one) => {
    const items = one.items.filter(({ label }) => nameMatches(label, text)).slice(0, left);
    left -= items.length;
    return { ...one, items };
  });
}

/** The first entry, once none can be added before it: undefined until then, null if there is none. */
function bestOf(found: readonly Found[]): string | null | undefined {
  for (const { items, isReady } of found) {
    if (!isReady) return undefined;
    if (items[0]) return items[0].value;
  }
  return null;
}

/** The entry after or before the given one; wraps around at the ends. */
function optionBeside(options: readonly Choice[], value: string | null | undefined, step: number): string | null {
  const index = options.findIndex((option) => option.value === value);
  const next = index === -1 && step < 0 ? -1 : index + step;
  return options.at(next % options.length)?.value ?? null;
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

/** Pages, accounts and services of the caller. */
function usePlaces(): Found[] {
  const { role } = useMe();
  const accounts = useAllPages(AccountChoices, {}, { isLasting: true });
  const { services, isLoading } = useCostChoices();
  return useMemo(
    () => [
      placed(role, 'Pages', [...navigation.flatMap(({ items }) => items), ...inside]),
      placed(role, 'New', acts),
      {
        group: 'Accounts',
        items: (accounts.rows ?? []).map(({ id, name }) => ({ value: `/accounts/${id}`, label: name })),
        isReady: accounts.isWhole || accounts.refusal !== null,
      },
      {
        group: 'Costs of a service',
        items: services.map(({ value, label }) => ({ value: costsHref({ service: value, drill: 'true' }), label })),
        isReady: !isLoading,
      },
      placed(
        role,
        'Settings',
        settingsGroups.flatMap(({ places }) =>
          places.map(({ label, href, contents }) => ({ label: contents ? `${label}: ${contents}` : label, href })),
        ),
      ),
    ],
    [role, accounts, services, isLoading],
  );
}

function placed(role: Role, group: string, places: readonly Place[]): Found {
  const items = places.filter(({ href }) => mayVisit(role, href));
  return { group, items: items.map(({ label, href }) => ({ value: href, label })), isReady: true };
}
