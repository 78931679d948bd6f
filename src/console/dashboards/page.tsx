import { IconLayoutDashboard } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { usePeople } from '../parts/choices/choices.tsx';
import { useList } from '../parts/list/definition.tsx';
import { ListPage, NewButton } from '../parts/list/list.tsx';
import type { Column } from '../parts/list/table.tsx';
import { Empty } from '../parts/page/page.tsx';
import { ago, count } from '../words/format.ts';
import { DashboardDialog } from './dialogs.tsx';
import { DashboardsQuery, type DashboardRow } from './queries.ts';

const list = { csv: ['/dashboards', 'dashboards'], filters: {} } as const;

/** Dashboard list. */
export function DashboardsPage() {
  const [, go] = useLocation();
  const [isNew, setNew] = useState(false);
  const dashboards = useList(list, DashboardsQuery);
  const personOf = usePeople(dashboards.rows.map(({ createdById }) => createdById));
  const newButton = <NewButton onClick={() => setNew(true)}>New dashboard</NewButton>;
  return (
    <ListPage
      title="Dashboards"
      lead="Charts, tables and totals of saved cost views, for you or the organization."
      actions={newButton}
      list={dashboards}
      columns={columnsOf(personOf)}
      hrefOf={({ id }) => `/dashboards/${id}`}
      noun={['dashboard']}
      empty={
        <Empty
          icon={IconLayoutDashboard}
          title="No dashboards yet"
          text="A dashboard shows saved views of the cost explorer. The overview is always available."
          action={newButton}
        />
      }
    >
      {isNew && <DashboardDialog isMine onDone={(id) => go(`/dashboards/${id}`)} onClose={() => setNew(false)} />}
    </ListPage>
  );
}

function columnsOf(personOf: ReturnType<typeof usePeople>): Column<DashboardRow>[] {
  return [
    { title: 'Dashboard', sortBy: 'name', grow: true, cell: ({ name }) => name },
    {
      title: 'Visible to',
      cell: ({ visibility }) => (visibility === 'PRIVATE' ? 'Only me' : 'Organization'),
    },
    { title: 'Widgets', align: 'right', hideOn: 'phone', cell: ({ widgets }) => count(widgets.length) },
    { title: 'Owner', hideOn: 'phone', cell: ({ createdById }) => personOf(createdById) },
    { title: 'Changed', sortBy: 'updated_at', hideOn: 'phone', cell: ({ updatedAt }) => ago(updatedAt) },
  ];
}
