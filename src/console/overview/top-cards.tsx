import { useMemo } from 'react';
import { useAnswer } from '../api/use-api.ts';
import { costsHref, type CostsQuestion } from '../costs/address.ts';
import { changeOf, fromMicros, micros } from '../costs/table/rows.ts';
import { DataTable, type Column } from '../parts/list/table.tsx';
import { Card, Change, Money } from '../parts/page/card.tsx';
import { Shown, TextLink } from '../parts/page/page.tsx';
import { days, providerName } from '../words/format.ts';
import type { MonthToDate } from './headlines.tsx';
import { OverviewTops, useAgainWhen, type Tops } from './queries.ts';

/** Rows per card. */
const most = 6;

interface TopRow {
  readonly key: string;
  readonly name: string;
  readonly provider: string;
  readonly cost: number;
  readonly before: number;
  /** Explorer filter for the row. */
  readonly filter: CostsQuestion;
}

interface Props {
  readonly month: MonthToDate;
  readonly loaded: string | null;
}

/** Top services of the month to date, compared with the same days of the previous month. */
export function TopServices(props: Props) {
  return <TopCard title="Top services" group="service" rowsOf={servicesOf} {...props} />;
}

/** Top accounts of the month to date, compared in the same way. */
export function TopAccounts(props: Props) {
  return <TopCard title="Top accounts" group="account" rowsOf={accountsOf} {...props} />;
}

interface CardProps extends Props {
  readonly title: string;
  readonly group: 'service' | 'account';
  readonly rowsOf: (data: Tops) => TopRow[];
}

function TopCard({ month, loaded, ...props }: CardProps) {
  const { days: range, before } = month;
  const answer = useAnswer(OverviewTops, { ...range, beforeFrom: before.from, beforeTo: before.to });
  useAgainWhen(loaded, answer);
  const { title, group } = props;
  return (
    <Card
      flush
      title={title}
      note={`${days(range.from, range.to)}, against ${days(before.from, before.to)}`}
      actions={
        <TextLink href={costsHref({ ...range, group })} aria-label={`All ${group}s`}>
          All
        </TextLink>
      }
    >
      <Shown of={answer} height={260}>
        {(data) => <TopTable data={data} month={month} {...props} />}
      </Shown>
    </Card>
  );
}

function TopTable({ title, group, data, month, rowsOf }: Omit<CardProps, 'loaded'> & { readonly data: Tops }) {
  const { days: range, before } = month;
  const rows = useMemo(() => rowsOf(data), [data, rowsOf]);
  const { currency = 'USD' } = data.services ?? {};
  const against = days(before.from, before.to);
  const columns: Column<TopRow>[] = [
    { title: 'Name', grow: true, cell: ({ name }) => name },
    { title: 'Provider', hideOn: 'half', cell: ({ provider }) => providerName(provider) },
    { title: 'Cost', align: 'right', cell: ({ cost }) => <Money value={cost} currency={currency} /> },
    {
      title: 'Change',
      align: 'right',
      cell: (row) => (
        <Change
          percent={changeOf(row.cost, row.before)}
          amount={{ value: differenceOf(row), currency }}
          against={against}
        />
      ),
    },
  ];
  return (
    <DataTable
      label={`${title}, ${days(range.from, range.to)}`}
      rows={rows}
      columns={columns}
      keyOf={({ key }) => key}
      hrefOf={({ filter }) => costsHref({ ...range, ...filter, group: group === 'service' ? 'meter' : 'service' })}
    />
  );
}

function differenceOf({ cost, before }: TopRow): number {
  return fromMicros(micros(cost) - micros(before));
}

function servicesOf({ services, servicesBefore }: Tops): TopRow[] {
  const keyOf = (one: { readonly service: string; readonly provider: string }) => `${one.provider}/${one.service}`;
  const before = new Map(servicesBefore?.groups.map((one) => [keyOf(one), one.cost]));
  return (services?.groups ?? []).slice(0, most).map((one) => ({
    key: keyOf(one),
    name: one.service,
    provider: one.provider,
    cost: one.cost,
    before: before.get(keyOf(one)) ?? 0,
    filter: { service: one.service, provider: one.provider },
  }));
}

function accountsOf({ accounts, accountsBefore }: Tops): TopRow[] {
  const keyOf = (one: { readonly accountId: string; readonly provider: string }) => `${one.provider}/${one.accountId}`;
  const before = new Map(accountsBefore?.groups.map((one) => [keyOf(one), one.cost]));
  return (accounts?.groups ?? []).slice(0, most).map((one) => ({
    key: keyOf(one),
    name: one.accountName,
    provider: one.provider,
    cost: one.cost,
    before: before.get(keyOf(one)) ?? 0,
    filter: { account: one.accountId, provider: one.provider },
  }));
}
