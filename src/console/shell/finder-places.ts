import type { ComboboxItem, ComboboxItemGroup } from '@mantine/core';
import type { Role } from '../api/permissions.ts';
import { costsHref } from '../costs/address.ts';
import type { Choice } from '../parts/filters.tsx';
import { mayVisit } from '../routes.tsx';
import { settingsGroups } from '../settings/places.ts';
import { navigation } from './navigation.ts';

interface Place {
  readonly label: string;
  readonly href: string;
}

/** Pages that the side bar does not name. */
const inside: readonly Place[] = [
  { label: 'Commitment planner', href: '/coverage/planner' },
  { label: 'Tag violations', href: '/tags/violations' },
  { label: 'Tag policies', href: '/tags/policies' },
  { label: 'Report schedules', href: '/reports/schedules' },
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

/** Everywhere that a member of this role can go by name; each value is an address. */
export function findable({ role, accounts, services }: Known): ComboboxItemGroup<ComboboxItem>[] {
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
