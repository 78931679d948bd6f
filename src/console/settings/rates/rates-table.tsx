import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { Empty } from '../../parts/page/page.tsx';
import { ChoiceFilter, FilterBar } from '../../parts/list/filters.tsx';
import { Pager, PastTheEnd } from '../../parts/list/list.tsx';
import { Status } from '../../parts/page/card.tsx';
import { DataTable, type Column } from '../../parts/list/table.tsx';
import { knownOf, pageOf, useUrlState } from '../../parts/list/url-state.ts';
import { month as monthName } from '../../words/format.ts';
import type { Rate, Wanted } from './rates-dialog.tsx';

interface Acts {
  onChange(wanted: Wanted): void;
  onRemove(rate: Rate): void;
}

interface Props {
  readonly rates: readonly Rate[];
  /** Currency of the organization; rates to other currencies are kept but unused. */
  readonly currency: string;
  /** For users who may change rates. */
  readonly acts?: Acts;
}

const perPage = 50;

/** Exchange rates filtered by currency, newest month first, fifty per page. */
export function RatesTable({ rates, currency, acts }: Props) {
  const state = useUrlState();
  const page = pageOf(state);
  const currencies = [...new Set(rates.map(({ from }) => from))].toSorted();
  const chosen = knownOf(state, 'from', currencies);
  const shown = chosen.length > 0 ? rates.filter(({ from }) => chosen.includes(from)) : rates;
  if (rates.length === 0)
    return <Empty title="No rates yet" text={`No rates are needed while every bill is in ${currency}.`} />;
  const pages = { page, perPage, total: shown.length, totalPages: Math.max(1, Math.ceil(shown.length / perPage)) };
  return (
    <>
      {currencies.length > 1 && (
        <Group px="md" pt="sm">
          <FilterBar state={state} keys={['from']}>
            <ChoiceFilter
              state={state}
              name="from"
              label="From"
              choices={currencies.map((value) => ({ value, label: value }))}
            />
          </FilterBar>
        </Group>
      )}
      {page > pages.totalPages ? (
        <PastTheEnd of={pages} state={state} />
      ) : (
        <>
          <DataTable
            label="Exchange rates"
            rows={shown.slice((page - 1) * perPage, page * perPage)}
            columns={columnsFor(currency, acts)}
            keyOf={({ month, from, to }) => `${month} ${from} ${to}`}
          />
          <Pager of={pages} state={state} noun={['rate']} />
        </>
      )}
    </>
  );
}

function columnsFor(currency: string, acts: Acts | undefined): readonly Column<Rate>[] {
  const columns: Column<Rate>[] = [
    { title: 'Month', cell: ({ month }) => monthName(month) },
    { title: 'From', cell: ({ from }) => from },
    { title: 'To', cell: ({ to }) => to },
    { title: 'Rate', align: 'right', cell: ({ rate }) => rateText(rate) },
    {
      key: 'use',
      title: '',
      grow: true,
      hideOn: 'phone',
      cell: ({ to }) => to !== currency && <Status value="unused" tone="quiet" label={`Not used for ${currency}`} />,
    },
  ];
  if (!acts) return columns;
  return [...columns, { key: 'acts', title: '', align: 'right', cell: (rate) => <RowActs rate={rate} {...acts} /> }];
}

/** Formats a rate with all stored digits. */
function rateText(rate: number): string {
  return rate.toLocaleString('en-US', { maximumFractionDigits: 12, minimumFractionDigits: 2 });
}

function RowActs({ rate, onChange, onRemove }: Acts & { readonly rate: Rate }) {
  const { month, from, to } = rate;
  const what = `${from} to ${to} of ${monthName(month)}`;
  const change = () => onChange({ from, to, months: [month], rate: rate.rate });
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <Tooltip label="Change">
        <ActionIcon variant="subtle" color="gray" aria-label={`Change ${what}`} onClick={change}>
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Remove">
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${what}`} onClick={() => onRemove(rate)}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
