import { ActionIcon, Button, Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useAccountChoices } from '../parts/choices.ts';
import type { Changes, UrlState } from '../parts/url-state.ts';
import { providerName, regionName, words } from '../words/names.ts';
import classes from './costs.module.css';
import { tagName } from './groups.ts';
import { filterKeys, listKeys, type Question } from './question.ts';

interface Chip {
  readonly key: string;
  /** What is filtered by. */
  readonly name: string;
  readonly value: string;
  /** Changes that take it off. */
  readonly off: Changes;
}

const names: Readonly<Record<(typeof listKeys)[number], string>> = {
  account: 'Account',
  subAccount: 'Sub-account',
  provider: 'Provider',
  service: 'Service',
  region: 'Region',
  category: 'Category',
};

/** What the costs are narrowed to, in the order that the address has; each can be taken off. */
export function Chips({ state, question }: { readonly state: UrlState; readonly question: Question }) {
  const chips = chipsOf(state, question);
  if (chips.length === 0) return null;
  return (
    <Group gap={6} component="ul" className={classes.chips} aria-label="Filters in force">
      {chips.map((chip) => {
        const Item = chip.key.startsWith('account=') ? AccountChip : ChipItem;
        return <Item key={chip.key} chip={chip} onOff={() => takeOff(state, chip.off)} />;
      })}
      <li>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => takeOff(state, cleared(question))}>
          Clear all
        </Button>
      </li>
    </Group>
  );
}

/** The button goes with its filter: the focus goes to the page's heading, from where Tab leads on. */
function takeOff(state: UrlState, changes: Changes): void {
  state.set({ ...changes, find: null });
  document.getElementById('page-title')?.focus({ preventScroll: true });
}

interface ItemProps {
  readonly chip: Chip;
  onOff(): void;
}

function ChipItem({ chip: { name, value }, onOff }: ItemProps) {
  return (
    <li className={classes.chip}>
      <span className={classes.chipText}>
        {name}: <b>{value}</b>
      </span>
      <ActionIcon variant="transparent" color="gray" size={22} onClick={onOff} aria-label={`Take off ${name} ${value}`}>
        <IconX size={13} aria-hidden />
      </ActionIcon>
    </li>
  );
}

function AccountChip({ chip, onOff }: ItemProps) {
  const name = useAccountChoices().find(({ value }) => value === chip.value)?.label;
  return <ChipItem chip={{ ...chip, value: name ?? chip.value }} onOff={onOff} />;
}

/** Changes that take every filter off. What the costs are split by stays. */
function cleared({ group, filters }: Question): Changes {
  const off = Object.fromEntries(filterKeys.map((key) => [key, null]));
  return group === 'tag' ? { ...off, tagKey: filters.tagKey } : off;
}

/** In the order of the address: a drill-down adds to its end, so they read as the way here. */
function chipsOf(state: UrlState, question: Question): Chip[] {
  const chips = [...listChips(state), ...tagChips(question)];
  const order = [...new URLSearchParams(state.with({})).keys()];
  return chips.toSorted((one, other) => order.indexOf(keyIn(one)) - order.indexOf(keyIn(other)));
}

/** The key of the address that a chip is of. */
function keyIn({ key }: Chip): string {
  return key.split('=', 1)[0] ?? '';
}

function listChips(state: UrlState): Chip[] {
  return listKeys.flatMap((key) => {
    const values = [...new Set(state.all(key))];
    return values.map((value) => ({
      key: `${key}=${value}`,
      name: names[key],
      value: labelOf(key, value),
      off: { [key]: values.filter((one) => one !== value) },
    }));
  });
}

function tagChips({ group, filters }: Question): Chip[] {
  const { tagKey, tagValue, untagged } = filters;
  if (tagKey === null) return [];
  const chips: Chip[] = [];
  const keyStays: Changes = group === 'tag' ? {} : { tagKey: null };
  if (untagged)
    chips.push({ key: 'untagged', name: tagKey, value: tagName(null), off: { untagged: null, ...keyStays } });
  for (const value of tagValue) {
    const rest = tagValue.filter((one) => one !== value);
    const off = { tagValue: rest, ...(rest.length === 0 && keyStays) };
    chips.push({ key: `tagValue=${value}`, name: tagKey, value: tagName(value), off });
  }
  if (group !== 'tag' && !untagged && tagValue.length === 0)
    chips.push({ key: 'tagKey', name: tagKey, value: 'any value', off: { tagKey: null } });
  return chips;
}

function labelOf(key: (typeof listKeys)[number], value: string): string {
  if (key === 'provider') return providerName(value);
  if (key === 'region') return regionName(value);
  return key === 'category' ? words(value) : value;
}
