import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
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
      cell: ({ timestamp }) => <When at={timestamp} />,
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
      hideOn: 'phone',
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
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Show ${words(entry.action).toLowerCase()} of ${moment(entry.timestamp)}`}
          onClick={() => onOpen(entry)}
        >
          <IconListDetails size={17} aria-hidden />
        </ActionIcon>
      ),
    },
  ];
}

/** The day above the time, so that both fit a phone. */
function When({ at }: { readonly at: string }) {
  const [day = '', year = '', time = ''] = moment(at).split(', ');
  return (
    <Tooltip label={ago(at)}>
      <div>
        <TwoLines top={`${day}, ${year}`} below={time} />
      </div>
    </Tooltip>
  );
}
