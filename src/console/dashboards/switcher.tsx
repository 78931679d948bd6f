import { Menu, Text } from '@mantine/core';
import { IconCheck, IconChevronDown, IconLayoutDashboard } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { VariablesOf } from '../api/graphql.ts';
import { useAllPages } from '../api/all-pages.ts';
import { useMay, useMe } from '../api/me.tsx';
import { useAct } from '../api/use-api.ts';
import { done, failed } from '../parts/form/dialog.tsx';
import { Act, useMenuSearch } from '../parts/form/menu.tsx';
import { DashboardsQuery, UpdateDefaultDashboard, type Dashboard } from './queries.ts';
import { firstDashboard, overview } from './rights.ts';

/** Address of the overview, even for members who open a dashboard first. */
export const overviewHref = '/?dashboard=overview';

interface Props {
  /** The open dashboard; null for the overview. */
  readonly current: Pick<Dashboard, 'id' | 'name' | 'visibility'> | null;
}

/** Menu of the overview and all dashboards. */
export function DashboardSwitcher({ current }: Props) {
  const [isWanted, want] = useState(false);
  const { rows } = useAllPages(DashboardsQuery, { sortBy: 'NAME_ASC' }, { pause: !isWanted });
  const [found, search] = useMenuSearch(rows ?? [], 'Find a dashboard');
  const id = current?.id ?? null;
  const name = current?.name ?? 'Overview';
  return (
    <Menu position="bottom-end" withinPortal shadow="md" width={280} onOpen={() => want(true)}>
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
        {search}
        <Place name="Overview" href={overviewHref} isCurrent={id === null} />
        {found.map((one) => (
          <Place key={one.id} name={one.name} href={`/dashboards/${one.id}`} isCurrent={one.id === id} />
        ))}
        {!rows && <Menu.Label>Loading…</Menu.Label>}
        <Menu.Divider />
        <FirstItems current={current} name={name} />
        <Menu.Item component={Link} href="/dashboards">
          All dashboards
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface FirstProps extends Props {
  readonly name: string;
}

/** Menu items that set the member's start page and, for Admins, that of all members without their own. */
function FirstItems({ current, name }: FirstProps) {
  const me = useMe();
  const { own, organization } = me.defaultDashboard;
  const mayChoose = useMay('organization.write') && current?.visibility !== 'PRIVATE';
  const { act, refusal } = useAct(UpdateDefaultDashboard);
  useEffect(() => {
    if (refusal) failed(`The choice was not saved: ${refusal.message}`);
  }, [refusal]);
  const id = current?.id ?? overview;
  const choose = async (input: VariablesOf<typeof UpdateDefaultDashboard>['input'], message: string) => {
    if (await act({ input })) done(message);
  };
  return (
    <>
      {firstDashboard(me) !== id && (
        <Menu.Item onClick={() => void choose({ own: id }, `${name} is your start page`)}>
          Set as my start page
        </Menu.Item>
      )}
      {own !== null && (
        <Menu.Item onClick={() => void choose({ own: null }, 'You use the organization’s start page')}>
          Use the organization’s start page
        </Menu.Item>
      )}
      {mayChoose && (organization ?? overview) !== id && (
        <Menu.Item onClick={() => void choose({ organization: id }, `${name} is the organization’s start page`)}>
          Set as the organization’s start page
        </Menu.Item>
      )}
    </>
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
