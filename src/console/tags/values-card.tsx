import { Group, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { ShareBar } from '../charts/bar-list.tsx';
import { coloursOf, none, rest } from '../charts/colours.ts';
import { Legend } from '../charts/legend.tsx';
import { costsHref, type CostsQuestion } from '../costs/address.ts';
import { inventoryHref } from '../inventory/queries.ts';
import { DataTable, type Column } from '../parts/list/table.tsx';
import { Card } from '../parts/page/card.tsx';
import { counted, money, percent } from '../words/format.ts';
import type { TagCosts } from '../costs/totals.ts';
import { noValue, escaped } from '../costs/dimensions.ts';

/** Maximum rows; the others are combined into one, and the explorer lists them all. */
const most = 100;

interface Props {
  readonly tagKey: string;
  readonly costs: TagCosts;
  readonly explorer: CostsQuestion;
}

/** Cost by value as a share bar and a table; both add up to the same total. */
export function ValuesCard({ tagKey, costs, explorer }: Props) {
  const groups = useMemo(() => groupsOf(costs, most), [costs]);
  const parts = useMemo(() => partsOf(groups), [groups]);
  const { currency, totalCost } = costs;
  const values = costs.groups.filter(({ tagValue }) => tagValue !== null).length;
  const label = parts.map((part) => `${part.label} ${money(part.value, currency)}`).join(', ');
  return (
    <Card title="Costs by value" note={counted(values, 'value')} flush>
      <Stack gap="xs" px="md" pb="sm">
        <ShareBar label={`Costs by ${tagKey}: ${label}`} parts={parts} />
        <Legend items={parts} />
      </Stack>
      <DataTable
        label={`Costs by the values of ${tagKey}`}
        rows={groups}
        columns={columnsOf({ tagKey, currency, explorer })}
        keyOf={({ key }) => key}
        foot={{ Value: 'Total', Cost: money(totalCost, currency), Share: totalCost === 0 ? '–' : percent(100) }}
      />
    </Card>
  );
}

interface Context {
  readonly tagKey: string;
  readonly currency: string;
  readonly explorer: CostsQuestion;
}

function columnsOf({ tagKey, currency, explorer }: Context): Column<ValueGroup>[] {
  return [
    {
      title: 'Value',
      grow: true,
      cell: (group) => (
        <Group gap={8} wrap="nowrap">
          <span aria-hidden style={{ flex: 'none', width: 9, height: 9, borderRadius: 2, background: group.colour }} />
          <Link href={hrefOf(group, tagKey, explorer)}>{group.label}</Link>
        </Group>
      ),
    },
    { title: 'Cost', align: 'right', cell: ({ cost }) => money(cost, currency) },
    { title: 'Share', align: 'right', cell: ({ percentage }) => (percentage === null ? '–' : percent(percentage)) },
    {
      title: 'Resources',
      hideOn: 'phone',
      cell: ({ kind, value }) =>
        kind === 'untagged' || (kind === 'value' && value !== '') ? (
          <Link
            href={inventoryHref({
              tagKey,
              ...(kind === 'untagged' ? { untagged: 'true' as const } : { tagValue: value }),
            })}
            aria-label={`In the inventory: ${kind === 'untagged' ? `without ${tagKey}` : `${tagKey} ${value}`}`}
          >
            In the inventory
          </Link>
        ) : (
          <Text span size="sm" c="dimmed">
            –
          </Text>
        ),
    },
  ];
}

/** Explorer link filtered by the group and grouped by service; for the combined group, unfiltered. */
function hrefOf({ kind, value }: ValueGroup, tagKey: string, explorer: CostsQuestion): string {
  const only = (one: string) => costsHref({ ...explorer, group: 'service', [`tag:${tagKey}`]: one });
  switch (kind) {
    case 'value':
      return value === '' ? costsHref(explorer) : only(escaped(value));
    case 'untagged':
      return only(noValue);
    case 'more':
      return costsHref(explorer);
    default:
      return kind satisfies never;
  }
}

/** Tag value with its cost, for chart and table. */
interface ValueGroup {
  readonly key: string;
  readonly label: string;
  readonly kind: 'value' | 'untagged' | 'more';
  /** Tag value; empty for untagged and combined rows. */
  readonly value: string;
  readonly cost: number;
  /** Null if the total is 0. */
  readonly percentage: number | null;
  readonly colour: string;
}

/** Converts groups to rows: the first `most` individually and the rest combined, so that the sum stays complete. */
function groupsOf({ groups, totalCost }: TagCosts, shown: number): ValueGroup[] {
  const colours = coloursOf(groups.map(({ tagValue }) => tagValue));
  const rows = groups.slice(0, shown).map(({ tagValue, cost, percentage }, index): ValueGroup => {
    if (tagValue === null) return { ...untagged, cost, percentage };
    const colour = colours[index] ?? rest;
    return {
      key: `value ${tagValue}`,
      label: tagValue || 'Empty value',
      kind: 'value',
      value: tagValue,
      cost,
      percentage,
      colour,
    };
  });
  const others = groups.slice(shown);
  if (others.length === 0) return rows;
  const cost = others.reduce((total, other) => total + other.cost, 0);
  const percentage = totalCost === 0 ? null : (cost / totalCost) * 100;
  const label = `and ${others.length.toLocaleString('en-US')} more`;
  return [...rows, { key: 'more', label, kind: 'more', value: '', cost, percentage, colour: rest }];
}

const untagged = { key: 'untagged', label: 'Untagged', kind: 'untagged', value: '', colour: none } as const;

/** Parts of the share bar: groups with their own colour, and the rest combined. */
function partsOf(groups: readonly ValueGroup[]): { key: string; value: number; colour: string; label: string }[] {
  const own = groups.filter(({ kind, colour }) => kind === 'untagged' || colour !== rest);
  const others = groups.filter((group) => !own.includes(group));
  const parts = own.map(({ key, cost, colour, label }) => ({ key, value: cost, colour, label }));
  if (others.length === 0) return parts;
  const value = others.reduce((total, { cost }) => total + cost, 0);
  return [...parts, { key: 'others', value, colour: rest, label: 'Other values' }];
}
