import { IconBell, IconCalendarRepeat, IconLayoutGridAdd, IconPlus, IconTargetArrow } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '../../api/me.tsx';
import { ActMenu } from '../../parts/form/menu.tsx';
import type { UrlState } from '../../parts/list/url-state.ts';
import { paramsOf, queryOfState } from '../../parts/views/address.ts';
import { prefilledHref } from './prefill.ts';

const AddToDashboard = lazy(async () => ({
  default: (await import('../../dashboards/add-dialog.tsx')).AddToDashboard,
}));

/** Menu that creates records, such as a budget, from the filters of the explorer. */
export function CreateFromView({ state }: { readonly state: UrlState }) {
  const [isAdding, setAdding] = useState(false);
  const [mayReport, mayBudget, mayAlert] = [
    useMay('reports.write'),
    useMay('budgets.write'),
    useMay('alert_rules.write'),
  ];
  const query = queryOfState(state);
  const href = (path: string) => prefilledHref(path, paramsOf(query));
  return (
    <>
      <ActMenu
        label="Use this view"
        button={{ Icon: IconPlus }}
        items={[
          { label: 'Add to dashboard', Icon: IconLayoutGridAdd, onClick: () => setAdding(true) },
          mayReport && { label: 'Schedule as report', Icon: IconCalendarRepeat, href: href('/reports/schedules') },
          mayBudget && { label: 'Create budget', Icon: IconTargetArrow, href: href('/budgets/new') },
          mayAlert && { label: 'Create alert rule', Icon: IconBell, href: href('/alert-rules/new') },
        ]}
      />
      {isAdding && (
        <Suspense>
          <AddToDashboard state={state} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </>
  );
}
