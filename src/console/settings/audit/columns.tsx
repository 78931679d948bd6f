import { Button, Text, Tooltip } from '@mantine/core';
import { TwoLines, type Column } from '../../parts/table.tsx';
import { ago, moment } from '../../words/format.ts';
import { words } from '../../words/names.ts';
import { factsOf } from './facts.ts';
import type { Entry } from './queries.ts';

/** The columns of the audit log. */
export function columnsFor(onOpen: (entry: Entry) => void): readonly Column<Entry>[] {
  return [
    {
      key: 'when',
      title: 'When',
      sortBy: 'timestamp',
      cell: ({ timestamp }) => (
        <Tooltip label={ago(timestamp)}>
          <span>{moment(timestamp)}</span>
        </Tooltip>
      ),
    },
    {
      key: 'what',
      title: 'What and who',
      sortBy: 'action',
      cell: ({ action, actor }) => <TwoLines top={words(action)} below={actor.email ?? 'Nobody signed in'} />,
    },
    {
      key: 'details',
      title: 'Details',
      grow: true,
      hideOn: 'tablet',
      cell: ({ details }) => (
        <Text size="xs" c="dimmed" lineClamp={2}>
          {factsOf(details)
            .map(({ name, text }) => `${name}: ${text}`)
            .join(' · ')}
        </Text>
      ),
    },
    {
      key: 'open',
      title: '',
      align: 'right',
      cell: (entry) => (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          aria-label={`Show ${words(entry.action).toLowerCase()} of ${moment(entry.timestamp)}`}
          onClick={() => onOpen(entry)}
        >
          Show
        </Button>
      ),
    },
  ];
}
