import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlus, IconPencil, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useMay, useMe } from '../../api/me.tsx';
import { useAnswer } from '../../api/use-api.ts';
import { MonthlyCosts } from '../../costs/totals.ts';
import { Act } from '../../parts/form/menu.tsx';
import { ConfirmDialog, IconAct } from '../../parts/form/dialog.tsx';
import { BadAddress } from '../../parts/list/day-range.tsx';
import { strangerFaults } from '../../parts/list/definition.tsx';
import { ChoiceFilter, FilterBar } from '../../parts/list/filters.tsx';
import { Pager, PastTheEnd } from '../../parts/list/list.tsx';
import { DataTable, type Column, actsColumn } from '../../parts/list/table.tsx';
import { knownOf, pageOf, useUrlState } from '../../parts/list/url-state.ts';
import { Card, Status } from '../../parts/page/card.tsx';
import { Shown, Empty } from '../../parts/page/page.tsx';
import { addMonths, monthStart, today } from '../../words/days.ts';
import { money, month as monthName } from '../../words/format.ts';
import { SettingsPage } from '../settings-page.tsx';
import { AutomaticCard } from './automatic-card.tsx';
import { RateList, SetRates, type Rate, RatesDialog, type Wanted } from './rates-dialog.tsx';

/** Monthly exchange rates for converting costs in other currencies. */
export function ExchangeRatesPage() {
  const { organization } = useMe();
  const mayWrite = useMay('rates.write');
  const answer = useAnswer(RateList, {});
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const [removed, setRemoved] = useState<Rate | null>(null);
  const add = () => setWanted({ from: '', to: organization.currency, months: [today().slice(0, 7)] });
  const button = <Act label="Add rates" Icon={IconPlus} primary onClick={add} />;
  return (
    <SettingsPage
      title="Exchange rates"
      reads={['from', 'page']}
      lead={`Costs in other currencies are converted to ${organization.currency} at the rate of their month. A month without a rate uses the last one before it.`}
      actions={mayWrite && button}
    >
      {answer.data?.exchangeRates?.downloadHost && <AutomaticCard host={answer.data.exchangeRates.downloadHost} />}
      {answer.data?.exchangeRates && (
        <MissingNote rates={answer.data.exchangeRates.rates} mayWrite={mayWrite} onAdd={setWanted} />
      )}
      <Card flush>
        <Shown of={answer} height={360}>
          {({ exchangeRates }) => (
            <RatesTable
              rates={exchangeRates?.rates ?? []}
              currency={organization.currency}
              {...(mayWrite && { acts: { onChange: setWanted, onRemove: setRemoved } })}
            />
          )}
        </Shown>
      </Card>
      {wanted && (
        <RatesDialog wanted={wanted} rates={answer.data?.exchangeRates?.rates ?? []} onClose={() => setWanted(null)} />
      )}
      {removed && <RemoveDialog rate={removed} onClose={() => setRemoved(null)} />}
    </SettingsPage>
  );
}

interface Props {
  readonly rates: readonly Rate[];
  readonly mayWrite: boolean;
  onAdd(wanted: Wanted): void;
}

/** Currencies in bills whose exchange rates are missing: costs that totals exclude, and months that use an earlier rate. */
function MissingNote({ rates, mayWrite, onAdd }: Props) {
  const costs = useRecentCosts();
  if (!costs) return null;
  const { currency: to, unconverted } = costs;
  const carried = Map.groupBy(
    costs.provisionalRates.filter(({ month, rateMonth }) => month !== rateMonth),
    ({ currency }) => currency,
  );
  if (unconverted.length === 0 && carried.size === 0) return null;
  const isExcluded = unconverted.length > 0;
  return (
    <Alert
      color={isExcluded ? 'yellow' : 'gray'}
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={isExcluded ? 'Some costs are not converted' : 'Some months have no rate'}
    >
      <Stack gap="xs">
        {isExcluded && (
          <Text size="sm">
            They are excluded from all totals in {to} until there is a rate for their month or an earlier one.
          </Text>
        )}
        {unconverted.map(({ currency, cost }) => {
          const earliest = earliestRate(rates, currency, to);
          const add = () => onAdd({ from: currency, to, months: monthsBefore(earliest) });
          return (
            <MissingLine key={currency} label={`Add rates for ${currency}`} onAdd={mayWrite ? add : null}>
              <strong>{money(cost, currency)}</strong> · no rate{earliest && ` before ${monthName(earliest)}`}
            </MissingLine>
          );
        })}
        {[...carried].map(([currency, own]) => {
          const months = own.map(({ month }) => month);
          const add = () => onAdd({ from: currency, to, months });
          return (
            <MissingLine key={currency} label={`Add later rates for ${currency}`} onAdd={mayWrite ? add : null}>
              <strong>{currency}</strong> · {monthsText(months)} at an earlier rate
            </MissingLine>
          );
        })}
      </Stack>
    </Alert>
  );
}

interface LineProps {
  readonly label: string;
  /** Null for users who may not change rates. */
  readonly onAdd: (() => void) | null;
  readonly children: ReactNode;
}

function MissingLine({ label, onAdd, children }: LineProps) {
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm">{children}</Text>
      {onAdd && (
        <Button size="compact-sm" variant="default" onClick={onAdd}>
          {label}
        </Button>
      )}
    </Group>
  );
}

/** @param months oldest first */
function monthsText(months: readonly string[]): string {
  const [oldest = '', newest = ''] = [months[0], months.at(-1)];
  if (months.length > 3) return `${months.length} months from ${monthName(oldest)} to ${monthName(newest)}`;
  return months.map(monthName).join(', ');
}

/** Months to search for costs without a rate; the most that one API request allows. */
const monthsBack = 35;

/** Costs since that month, with those that are not converted; null while they load. */
function useRecentCosts() {
  const { data } = useAnswer(MonthlyCosts, { startDate: lookedAtFrom(), endDate: today() });
  return data?.costsSummary ?? null;
}

/** First day to search for costs without a rate. */
function lookedAtFrom(now = today()): string {
  return addMonths(monthStart(now), -monthsBack);
}

/** The pair's first month with a rate; null if it has none. */
function earliestRate(rates: readonly Rate[], from: string, to: string): string | null {
  const known = rates.filter((rate) => rate.from === from && rate.to === to).map(({ month }) => month);
  return known.toSorted()[0] ?? null;
}

/** The twelve months before a month, or if it is null, up to the current month; oldest first. */
function monthsBefore(month: string | null): string[] {
  const end = month === null ? addMonths(monthStart(today()), 1) : `${month}-01`;
  return Array.from({ length: 12 }, (_, at) => addMonths(end, at - 12).slice(0, 7));
}

/** Asks for confirmation before a rate is removed. */
function RemoveDialog({ rate: { month, from, to, rate }, onClose }: { readonly rate: Rate; onClose(): void }) {
  return (
    <ConfirmDialog
      title="Remove rate"
      verb="Remove"
      text={`Costs in ${from} for ${monthName(month)} will be converted at the downloaded rate of the month, or else at the last rate before it. Without either, they are excluded from totals in ${to}.`}
      mutation={SetRates}
      variables={{ rates: [{ month, from, to, rate: null, ifRate: rate }] }}
      confirmation="Rate removed."
      onClose={onClose}
    />
  );
}

interface Acts {
  onChange(wanted: Wanted): void;
  onRemove(rate: Rate): void;
}

interface TableProps {
  readonly rates: readonly Rate[];
  /** Currency of the organization; rates to other currencies are kept but unused. */
  readonly currency: string;
  /** For users who may change rates. */
  readonly acts?: Acts;
}

const perPage = 50;

/** Exchange rates filtered by currency, newest month first, fifty per page. */
export function RatesTable({ rates, currency, acts }: TableProps) {
  const state = useUrlState();
  const page = pageOf(state);
  const currencies = [...new Set(rates.map(({ from }) => from))].toSorted();
  const faults = strangerFaults(state, 'from', currencies);
  const chosen = knownOf(state, 'from', currencies);
  const shown = chosen.length > 0 ? rates.filter(({ from }) => chosen.includes(from)) : rates;
  if (rates.length === 0) return <NoRates currency={currency} />;
  if (faults.length > 0) return <BadAddress state={state} faults={faults} what="the rates" />;
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

function NoRates({ currency }: Pick<TableProps, 'currency'>) {
  const isNeedless = useRecentCosts()?.unconverted.length === 0;
  return <Empty title="No rates yet" text={isNeedless && `No rates are needed while every bill is in ${currency}.`} />;
}

function columnsFor(currency: string, acts: Acts | undefined): readonly Column<Rate>[] {
  const columns: Column<Rate>[] = [
    { title: 'Month', cell: ({ month }) => monthName(month) },
    { title: 'From', cell: ({ from }) => from },
    { title: 'To', cell: ({ to }) => to },
    { title: 'Rate', align: 'right', cell: ({ rate }) => rateText(rate) },
    { title: 'Source', hideOn: 'phone', cell: ({ source }) => sourceNames[source] },
    {
      key: 'use',
      title: '',
      grow: true,
      hideOn: 'phone',
      cell: ({ to, provisional }) => (
        <Group gap="xs">
          {provisional && <Status value="provisional" tone="quiet" label="Provisional until the month ends" />}
          {to !== currency && <Status value="unused" tone="quiet" label={`Not used for ${currency}`} />}
        </Group>
      ),
    },
  ];
  return acts ? [...columns, actsColumn((rate) => <RowActs rate={rate} {...acts} />)] : columns;
}

const sourceNames = { TYPED: 'Set by an Admin', ECB: 'European Central Bank' } as const satisfies Record<
  Rate['source'],
  string
>;

/** Formats a rate with all stored digits. */
function rateText(rate: number): string {
  return rate.toLocaleString('en-US', { maximumFractionDigits: 12, minimumFractionDigits: 2 });
}

function RowActs({ rate, onChange, onRemove }: Acts & { readonly rate: Rate }) {
  const { month, from, to } = rate;
  const what = `${from} to ${to} for ${monthName(month)}`;
  const change = () => onChange({ from, to, months: [month], rate: rate.rate });
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <IconAct label={`Change ${what}`} tip="Change" Icon={IconPencil} onClick={change} />
      {rate.source === 'TYPED' && (
        <IconAct label={`Remove ${what}`} tip="Remove" Icon={IconTrash} onClick={() => onRemove(rate)} />
      )}
    </Group>
  );
}
