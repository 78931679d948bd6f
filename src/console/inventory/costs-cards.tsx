import { Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Act, Muted } from '../parts/form/menu.tsx';
import { useAnswer } from '../api/use-api.ts';
import { Legend } from '../charts/legend.tsx';
import { StackChart } from '../charts/stack-chart.tsx';
import { costsHref, type CostsQuestion } from '../costs/address.ts';
import { tableCsv } from '../costs/filters/toolbar.tsx';
import { changeOf, type Row } from '../costs/table/rows.ts';
import { lastDayOf } from '../costs/last-day.ts';
import { LastCompleteDay } from '../costs/queries.ts';
import type { Question } from '../costs/question.ts';
import { useCosts, type CostsView } from '../costs/use-costs.ts';
import { Card, Change } from '../parts/page/card.tsx';
import { Caveats } from '../parts/page/caveats.tsx';
import { CsvButton } from '../parts/list/csv.tsx';
import { OneOf } from '../parts/list/filters.tsx';
import { Shown } from '../parts/page/page.tsx';
import { DataTable, type Column } from '../parts/list/table.tsx';
import { useUrlState } from '../parts/list/url-state.ts';
import { addDays, addMonths, monthStart } from '../words/days.ts';
import { count, counted, days, money, percent } from '../words/format.ts';
import type { ResourceDetails } from './queries.ts';
import { noValue, escaped } from '../costs/dimensions.ts';

const ranges = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '12m', label: '12 months' },
];

interface Props {
  readonly resource: ResourceDetails;
}

/** Costs of a resource: a chart per day or month by meter, and its charges by meter. Both end at the last complete day. */
export function ResourceCosts({ resource }: Props) {
  const known = useAnswer(LastCompleteDay, { accountId: [resource.accountId] }, { isLasting: true });
  return (
    <Shown of={known} height={420}>
      {(data) => <Costs resource={resource} to={lastDayOf(data)} />}
    </Shown>
  );
}

function Costs({ resource, to }: Props & { readonly to: string }) {
  const state = useUrlState();
  const range = state.one('range');
  const question = useMemo(() => questionOf(resource, range, to), [resource, range, to]);
  const answer = useCosts(question);
  return (
    <Shown of={answer} height={420}>
      {(view) => (
        <Stack gap="md">
          <Caveats of={view} />
          <ChartCard resource={resource} view={view} />
          {view.rows.length > 0 && <MetersCard resource={resource} view={view} />}
        </Stack>
      )}
    </Shown>
  );
}

function questionOf({ accountId, nativeId }: ResourceDetails, range: string | null, to: string): Question {
  const isYear = range === '12m';
  const from = isYear ? addMonths(monthStart(to), -11) : addDays(to, range === '90' ? -89 : -29);
  return {
    asked: { from, to },
    range: { from, to },
    granularity: isYear ? 'monthly' : 'daily',
    groups: ['meter'],
    metric: 'effective',
    filters: [
      { dimension: 'account', isExcluded: false, values: [accountId] },
      { dimension: 'resource', isExcluded: false, values: [escaped(nativeId)] },
    ],
    compare: 'previous_period',
    includesShared: false,
    sort: '-cost',
  };
}

interface CardProps extends Props {
  readonly view: CostsView;
}

/** Explorer query for the costs shown. */
function explorerQuestion({ accountId, nativeId }: ResourceDetails, { question }: CostsView): CostsQuestion {
  const { range, granularity } = question;
  return { ...range, granularity, account: accountId, resource: escaped(nativeId) };
}

function ChartCard({ resource, view }: CardProps) {
  const state = useUrlState();
  const { question, chart, currency, total, before, unconverted, unknownChange, rows } = view;
  const { range, granularity } = question;
  const title = granularity === 'daily' ? 'Daily cost' : 'Monthly cost';
  const period = days(range.from, range.to);
  return (
    <Card
      title={title}
      note={period}
      actions={
        <>
          <OneOf state={state} name="range" label="Range" choices={ranges} />
          <Act label="Explore costs" href={costsHref({ ...explorerQuestion(resource, view), group: 'meter' })} />
        </>
      }
    >
      {rows.length === 0 ? (
        <Muted>
          No data: this resource has no {unconverted.length > 0 && 'other '}charges for {period}.
        </Muted>
      ) : (
        <Stack gap="xs">
          <Text component="div" size="sm" c="dimmed">
            <Text span fw={600} size="lg" c="var(--ink)" className="figures">
              {money(total, currency)}
            </Text>{' '}
            {before && (
              <>
                {unknownChange === null && <Change percent={changeOf(total, before.total)} />} vs.{' '}
                {money(before.total, currency)} in {days(before.range.from, before.range.to)}
              </>
            )}
            {unknownChange !== null && ` · No percentage: ${unknownChange}`}
          </Text>
          <StackChart
            label={`${title} of ${resource.name}, ${period}: ${money(total, currency)} in total`}
            stacks={chart.stacks}
            series={chart.series}
            currency={currency}
            height={220}
          />
          {chart.series.length > 1 && <Legend items={chart.series} />}
        </Stack>
      )}
    </Card>
  );
}

function MetersCard({ resource, view }: CardProps) {
  const { rows, other, total, currency, question } = view;
  const explorer = explorerQuestion(resource, view);
  return (
    <Card
      flush
      title="Charges by meter"
      note={days(question.range.from, question.range.to)}
      actions={<CsvButton path={tableCsv(question)} name={`charges-by-meter-${resource.id}`} isWhole />}
    >
      <DataTable
        label="Charges by meter"
        rows={rows}
        columns={columnsOf(view)}
        keyOf={({ key }) => key}
        hrefOf={({ keys: [key] }) => {
          const meter = key?.value ?? null;
          return costsHref({ ...explorer, meter: meter === null ? noValue : escaped(meter), group: 'day' });
        }}
        foot={{ Meter: 'Total', Cost: money(total, currency), Share: total === 0 ? '–' : percent(100) }}
      />
      {other && (
        <Muted p="sm">
          {counted(other.count, 'more meter')} with {money(other.cost, currency)}, listed in Costs.
        </Muted>
      )}
    </Card>
  );
}

function columnsOf({ currency }: CostsView): Column<Row>[] {
  return [
    { title: 'Meter', grow: true, cell: ({ name }) => name },
    {
      title: 'Quantity',
      align: 'right',
      hideOn: 'half',
      cell: ({ quantity, unit }) => (quantity === null ? '–' : `${count(quantity, 2)} ${unit ?? ''}`),
    },
    { title: 'Cost', align: 'right', cell: ({ cost }) => money(cost, currency) },
    { title: 'Share', align: 'right', hideOn: 'phone', cell: ({ share }) => (share === null ? '–' : percent(share)) },
    {
      title: 'Change',
      align: 'right',
      hideOn: 'phone',
      cell: ({ before, change, changePercent }) => (
        <Change percent={changePercent} {...(change !== null && { amount: { value: change, before, currency } })} />
      ),
    },
  ];
}
