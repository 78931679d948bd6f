import { IconDivide } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useMay } from '../api/me.tsx';
import { useList } from '../parts/list/definition.tsx';
import { ListPage, NewButton } from '../parts/list/list.tsx';
import { TwoLines, type Column } from '../parts/list/table.tsx';
import { Empty } from '../parts/page/page.tsx';
import { count, day } from '../words/format.ts';
import { MetricDialog } from './metric-dialog.tsx';
import { UnitMetricsQuery, type UnitMetric } from './queries.ts';

const list = { csv: ['/metrics', 'unit-metrics'], filters: {} } as const;

/** Unit metric list. */
export function UnitCostsPage() {
  const mayWrite = useMay('metrics.write');
  const [, go] = useLocation();
  const [isNew, setNew] = useState(false);
  const newButton = mayWrite && <NewButton onClick={() => setNew(true)}>New unit metric</NewButton>;
  return (
    <ListPage
      views="UNIT_COSTS"
      title="Unit costs"
      lead="Cost per order, request, customer or any other unit of your business."
      label="Unit metrics"
      actions={newButton}
      list={useList(list, UnitMetricsQuery)}
      columns={columns}
      hrefOf={({ id }) => `/unit-costs/${id}`}
      noun={['unit metric']}
      empty={
        <Empty
          icon={IconDivide}
          title="No unit metrics yet"
          text="A unit metric has a quantity per day, such as orders. Costs are divided by it."
          action={newButton}
        />
      }
    >
      {isNew && <MetricDialog onDone={(id) => go(`/unit-costs/${id}`)} onClose={() => setNew(false)} />}
    </ListPage>
  );
}

const columns: readonly Column<UnitMetric>[] = [
  { title: 'Metric', sortBy: 'name', grow: true, cell: ({ name, key }) => <TwoLines top={name} below={key} /> },
  { title: 'Unit', hideOn: 'phone', cell: ({ unit }) => unit },
  { title: 'Values', align: 'right', hideOn: 'phone', cell: ({ valueCount }) => count(valueCount) },
  { title: 'Last value', cell: ({ lastDate }) => (lastDate === null ? 'None' : day(lastDate)) },
];
