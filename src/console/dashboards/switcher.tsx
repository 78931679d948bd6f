import { Menu, Text } from '@mantine/core';
import { IconCheck, IconChevronDown, IconLayoutDashboard } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useAnswer } from '../api/use-api.ts';
import { done } from '../parts/form/dialog.tsx';
import { Act } from '../parts/form/menu.tsx';
import { DashboardsQuery } from './queries.ts';
import { useFirstDashboard } from './rights.ts';

/** Address of the overview, even for members who open a dashboard first. */
export const overviewHref = '/?dashboard=overview';

interface Props {
  /** The open dashboard; null for the overview. */
  readonly current: { readonly id: string; readonly name: string } | null;
}

/** Menu of the overview and all dashboards. */
export function DashboardSwitcher({ current }: Props) {
  const { data } = useAnswer(DashboardsQuery, { perPage: 100, sortBy: 'NAME_ASC' });
  const dashboards = data?.dashboards?.data ?? [];
  const [first, setFirst] = useFirstDashboard();
  const id = current?.id ?? null;
  const name = current?.name ?? 'Overview';
  const choose = () => {
    setFirst(id);
    done(`${name} opens first in this browser`);
  };
  return (
    <Menu position="bottom-end" withinPortal shadow="md" width={280}>
      <Menu.Target>
        <Act
          label={name}
          aria-label={`Dashboard: ${name}`}
          Icon={IconLayoutDashboard}
          maw={220}
          rightSection={<IconChevronDown size={15} aria-hidden />}
        />
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        <Place name="Overview" href={overviewHref} isCurrent={id === null} />
        {dashboards.map((one) => (
          <Place key={one.id} name={one.name} href={`/dashboards/${one.id}`} isCurrent={one.id === id} />
        ))}
        <Menu.Divider />
        {first !== id && <Menu.Item onClick={choose}>Open {id === null ? 'the overview' : 'this'} first</Menu.Item>}
        <Menu.Item component={Link} href="/dashboards">
          All dashboards
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface PlaceProps {
  readonly name: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

function Place({ name, href, isCurrent }: PlaceProps) {
  return (
    <Menu.Item
      component={Link}
      href={href}
      {...(isCurrent && { rightSection: <IconCheck size={15} aria-label="Current dashboard" /> })}
    >
      <Text inherit truncate maw={220}>
        {name}
      </Text>
    </Menu.Item>
  );
}
