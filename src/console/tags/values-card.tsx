import { Group, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { Legend } from '../charts/legend.tsx';
import { ShareBar } from '../charts/share-bar.tsx';
import { costsHref, escaped, noValue, type CostsQuestion } from '../costs/address.ts';
import { inventoryHref } from '../inventory/address.ts';
import { Card } from '../parts/card.tsx';
import { DataTable, type Column } from '../parts/table.tsx';
import { counted, money, percent } from '../words/format.ts';
import { groupsOf, partsOf, type ValueGroup } from './groups.ts';
import type { TagCosts } from './queries.ts';

/** Rows at most: the others are told as one, and the explorer has them all. */
const most = 100;

interface Props {
  readonly tagKey: string;
  readonly costs: TagCosts;
  readonly explorer: CostsQuestion;
}

/** What each value costs, as shares of a bar and as a table: both add up to the same total. */
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
        foot={{ value: 'Total', cost: money(totalCost, currency), share: totalCost === 0 ? '–' : percent(100) }}
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
      key: 'value',
      title: 'Value',
      grow: true,
      cell: (group) => (
        <Group gap={8} wrap="nowrap">
          <span aria-hidden style={{ flex: 'none', width: 9, height: 9, borderRadius: 2, background: group.colour }} />
          <Link href={hrefOf(group, tagKey, explorer)}>{group.label}</Link>
        </Group>
      ),
    },
    { key: 'cost', title: 'Cost', align: 'right', cell: ({ cost }) => money(cost, currency) },
    {
      key: 'share',
      title: 'Share',
      align: 'right',
      cell: ({ percentage }) => (percentage === null ? '–' : percent(percentage)),
    },
    {
      key: 'resources',
      title: 'Resources',
      hideOn: 'phone',
      cell: ({ kind, value }) =>
        kind === 'value' && value !== '' ? (
          <Link href={inventoryHref({ tagKey, tagValue: value })} aria-label={`In the inventory: ${tagKey} ${value}`}>
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

/** The explorer with just this group, by service; or with all of them. */
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
