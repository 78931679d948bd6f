import { Stack } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { useMay, useMe } from '../api/me.tsx';
import { useAgainWhen, useAnswer } from '../api/use-api.ts';
import { useLastDay } from '../costs/last-day.ts';
import { shownDays } from '../costs/question.ts';
import { ConfirmDialog } from '../parts/form/dialog.tsx';
import { ActMenu } from '../parts/form/menu.tsx';
import { CsvButton, queryOf } from '../parts/list/csv.tsx';
import {
  askedDays,
  type AskedDays,
  BadAddress,
  chosenDays,
  dayFaults,
  DayRangePicker,
  presetFaults,
  presetIn,
  type DayRange,
} from '../parts/list/day-range.tsx';
import { byAccount, byProvider, byService, keysOf, questionOf, strangerFaults } from '../parts/list/definition.tsx';
import { OneOf } from '../parts/list/filters.tsx';
import { FilterControls, NewButton } from '../parts/list/list.tsx';
import { useUrlState } from '../parts/list/url-state.ts';
import { Empty, RecordPage, Shown } from '../parts/page/page.tsx';
import { addDays, addMonths, monthStart, today } from '../words/days.ts';
import { day } from '../words/format.ts';
import { UnitCostBody } from './body.tsx';
import { MetricDialog } from './metric-dialog.tsx';
import { DeleteUnitMetric, UnitCostQuery, UnitMetricQuery, type UnitMetric } from './queries.ts';
import { ValuesCard } from './values-card.tsx';
import { ValuesDialog } from './values-dialog.tsx';

/** Page of a unit metric: its cost per unit by day or month. */
export function UnitCostPage() {
  const { id = '' } = useParams<{ id: string }>();
  const answer = useAnswer(UnitMetricQuery, { id });
  const [changes, setChanges] = useState(0);
  const changed = () => {
    answer.again();
    setChanges(changes + 1);
  };
  return (
    <RecordPage
      of={answer}
      record={(data) => data.unitMetric}
      noun="unit metric"
      crumbs={[['Unit costs', '/unit-costs']]}
      reads={[...keysOf(filters), 'from', 'to', 'days', 'granularity', 'page']}
      titleOf={({ name }) => name}
      leadOf={({ key, lastDate }) => `${key} · ${lastDate ? `last value ${day(lastDate)}` : 'no values yet'}`}
      actionsOf={(metric) => <Actions metric={metric} onChange={changed} />}
    >
      {(metric) => (
        <Stack gap="md">
          <UnitCosts metric={metric} changes={changes} />
          {metric.valueCount > 0 && <ValuesCard metric={metric} changes={changes} onChange={changed} />}
        </Stack>
      )}
    </RecordPage>
  );
}

type Open = 'values' | 'edit' | 'delete' | null;

function Actions({ metric, onChange }: { readonly metric: UnitMetric; onChange(): void }) {
  const mayWrite = useMay('metrics.write');
  const [, go] = useLocation();
  const [open, setOpen] = useState<Open>(null);
  if (!mayWrite) return null;
  const close = () => setOpen(null);
  return (
    <>
      <NewButton onClick={() => setOpen('values')} Icon={IconPlus}>
        Add values
      </NewButton>
      <ActMenu
        label="More actions"
        items={[
          { label: 'Edit', Icon: IconPencil, onClick: () => setOpen('edit') },
          { label: 'Delete', Icon: IconTrash, danger: true, onClick: () => setOpen('delete') },
        ]}
      />
      {open === 'values' && <ValuesDialog metric={metric} onDone={onChange} onClose={close} />}
      {open === 'edit' && <MetricDialog metric={metric} onDone={onChange} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title="Delete this unit metric?"
          verb="Delete unit metric"
          text={`“${metric.name}” and all its values are deleted for everyone. This cannot be undone.`}
          mutation={DeleteUnitMetric}
          variables={{ id: metric.id }}
          confirmation={`${metric.name} deleted`}
          onDone={() => go('/unit-costs', { replace: true })}
          onClose={close}
        />
      )}
    </>
  );
}

const filters = { account: byAccount, provider: byProvider, service: byService };
const granularities = [
  { value: 'monthly', label: 'Monthly' },
  { value: 'daily', label: 'Daily' },
];

interface UnitCostsProps {
  readonly metric: UnitMetric;
  /** Number of changes since the page was opened, each of which refetches the costs. */
  readonly changes: number;
}

function UnitCosts({ metric, changes }: UnitCostsProps) {
  const state = useUrlState();
  const isDaily = state.one('granularity') === 'daily';
  const lastDay = useLastDay();
  const fiscalStart = useMe().organization.fiscalYearStartMonth;
  const days = askedDays(state, { lastDay, fiscalStart });
  const asked = rangeOf(days, isDaily, lastDay ?? today());
  const range = shownDays(asked, lastDay ?? '');
  const faults = [
    ...dayFaults(days),
    ...presetFaults(state),
    ...strangerFaults(state, 'granularity', ['monthly', 'daily']),
  ];
  const question = { metric: metric.key, startDate: range.from, endDate: range.to };
  const scope = questionOf(filters, state);
  const answer = useAnswer(
    UnitCostQuery,
    { ...question, granularity: isDaily ? 'DAILY' : 'MONTHLY', filters: { include: includeOf(scope) } },
    { pause: faults.length > 0 || metric.valueCount === 0 || lastDay === null },
  );
  useAgainWhen(String(changes), answer);
  if (faults.length > 0) return <BadAddress state={state} faults={faults} what="unit costs" />;
  if (metric.valueCount === 0)
    return (
      <Empty
        title="No values yet"
        text="Add a quantity per day, as CSV here or through the API, to see the cost per unit."
      />
    );
  const csv = queryOf({
    metric: metric.key,
    start_date: range.from,
    end_date: range.to,
    granularity: isDaily ? 'daily' : 'monthly',
    ...scope,
  });
  return (
    <Stack gap="md">
      <FilterControls filters={filters} state={state} keys={['from', 'to', 'days']}>
        <OneOf state={state} name="granularity" label="Granularity" choices={granularities} />
        <DayRangePicker
          value={asked}
          preset={presetIn(state)}
          lastDay={lastDay}
          onChange={(chosen, name) => state.set(chosenDays(chosen, name))}
        />
      </FilterControls>
      <Shown of={answer} height={520}>
        {({ unitCost }) =>
          unitCost && (
            <UnitCostBody
              cost={unitCost}
              csv={<CsvButton path={`/costs/unit${csv}`} name={`unit-cost-${metric.key}`} isWhole />}
            />
          )
        }
      </Shown>
    </Stack>
  );
}

/** The days in the URL; by default the last six months, or the last 30 days.
 *  @param lastDay the last complete day: the days after it have values but not all costs */
function rangeOf(days: AskedDays, isDaily: boolean, lastDay: string): DayRange {
  const to = days.to ?? lastDay;
  const first = isDaily ? addDays(lastDay, -29) : addMonths(monthStart(lastDay), -5);
  return { from: days.from ?? first, to };
}

function includeOf(scope: Readonly<Partial<Record<'account' | 'provider' | 'service', string[]>>>) {
  const named = [
    ['ACCOUNT', scope.account],
    ['PROVIDER', scope.provider],
    ['SERVICE', scope.service],
  ] as const;
  return named.flatMap(([dimension, values]) => (values ? [{ dimension, values }] : []));
}
