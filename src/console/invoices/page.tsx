import { Text, TextInput } from '@mantine/core';
import { IconPencil, IconReceipt2 } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay } from '../api/me.tsx';
import { useAccountNames, useIssuerChoices } from '../parts/choices/choices.tsx';
import { Muted } from '../parts/form/menu.tsx';
import { useList, anyOf, anyText, byAccount, type Filter } from '../parts/list/definition.tsx';
import { ListPage } from '../parts/list/list.tsx';
import { OwnMoney } from '../parts/list/own-money.tsx';
import { TwoLines, type Column, actsColumn } from '../parts/list/table.tsx';
import type { UrlState } from '../parts/list/url-state.ts';
import { StatusOf } from '../parts/page/card.tsx';
import { NoData } from '../parts/page/no-data.tsx';
import { TextLink } from '../parts/page/page.tsx';
import { invoicedMoney, money, month as monthName, signedInvoicedMoney } from '../words/format.ts';
import { linesHref } from './address.ts';
import { AmountDialog } from './amount-dialog.tsx';
import { InvoicesQuery, type InvoiceRow } from './queries.ts';
import { IconAct } from '../parts/form/dialog.tsx';

/** Invoice list, newest month first. */
export function InvoicesPage() {
  const invoices = useList(list, InvoicesQuery);
  const accountName = useAccountNames();
  const canEdit = useMay('invoices.write');
  const [edited, setEdited] = useState<InvoiceRow | null>(null);
  return (
    <ListPage
      views="INVOICES"
      title="Invoices"
      lead="Provider invoices, compared with the lines on your bills."
      list={invoices}
      columns={columnsOf(accountName, canEdit ? setEdited : null)}
      noun={['invoice']}
      empty={
        <NoData
          icon={IconReceipt2}
          title="No invoices yet"
          text="Invoices appear here once an account has loaded its first bill."
        />
      }
    >
      {edited && <AmountDialog invoice={edited} onClose={() => setEdited(null)} />}
    </ListPage>
  );
}

function columnsOf(
  accountName: (id: string) => string,
  onEdit: ((invoice: InvoiceRow) => void) | null,
): Column<InvoiceRow>[] {
  return [
    { title: 'Month', sortBy: 'billing_period', hideOn: 'half', cell: (row) => monthName(row.billingPeriod) },
    {
      title: 'Invoice',
      grow: true,
      sortBy: 'issuer',
      cell: (row) => (
        <TwoLines
          top={<TextLink href={linesHref(row)}>{row.invoiceId ?? 'No invoice number'}</TextLink>}
          below={
            <>
              <Text span inherit hiddenFrom="xs">
                {monthName(row.billingPeriod)} ·{' '}
              </Text>
              {row.issuer ?? 'No issuer'}
            </>
          }
        />
      ),
    },
    { title: 'Account', hideOn: 'tablet', cell: (row) => accountName(row.accountId) },
    {
      title: 'Bill lines',
      align: 'right',
      sortBy: 'billed_amount',
      cell: (row) => (row.billedAmount === null ? 'No lines' : <OwnMoney row={row} name="billedAmount" />),
    },
    {
      title: 'Invoice total',
      align: 'right',
      sortBy: 'stated_amount',
      hideOn: 'phone',
      cell: (row) => <Stated row={row} />,
    },
    {
      title: 'Difference',
      align: 'right',
      sortBy: 'difference',
      hideOn: 'half',
      cell: (row) => row.difference !== null && <Difference row={row} />,
    },
    { title: 'Status', cell: (row) => <StatusOf value={row.status} /> },
    ...(onEdit ? [actsColumn<InvoiceRow>((row) => <EditButton row={row} onClick={() => onEdit(row)} />)] : []),
  ];
}

function EditButton({ row, onClick }: { readonly row: InvoiceRow; onClick(): void }) {
  const name = row.invoiceId ?? `${monthName(row.billingPeriod)} without a number`;
  const tip = 'Enter the invoice total';
  return <IconAct label={`${tip} for ${name}`} tip={tip} Icon={IconPencil} onClick={onClick} />;
}

/** Difference of the amounts as shown: less than half a cent is none, in either currency. */
function Difference({ row }: { readonly row: InvoiceRow }) {
  const isNone = Math.abs(row.difference ?? 0) < 0.005;
  if (!isNone) return <OwnMoney row={row} name="difference" format={signedInvoicedMoney} />;
  return <span className="figures">{money(0, row.converted?.currency ?? row.currency)}</span>;
}

/** Stated amount; shows the delivered one as well if both exist. */
function Stated({ row }: { readonly row: InvoiceRow }) {
  if (row.statedAmount === null) return 'Not entered';
  const delivered =
    row.deliveredAmount !== null && `${invoicedMoney(row.deliveredAmount, row.currency)} from the provider`;
  return (
    <TwoLines
      top={<OwnMoney row={row} name="statedAmount" format={invoicedMoney} />}
      below={row.statedSource === 'TYPED' ? ['entered', delivered].filter(Boolean).join(' · ') : 'from the provider'}
    />
  );
}

const aMonth = /^[1-9]\d{3}-(0[1-9]|1[0-2])$/;

/** Filter by a month, such as `2026-10`. */
function month(key: string, label: string, side: string): Filter<string> {
  const read = (state: UrlState) => state.one(key) ?? undefined;
  const Control = ({ state }: { readonly state: UrlState }) => (
    <TextInput
      type="month"
      aria-label={label}
      placeholder="YYYY-MM"
      w={190}
      leftSectionWidth={50}
      leftSection={<Muted aria-hidden>{side}</Muted>}
      value={read(state) ?? ''}
      onChange={(event) => state.set({ [key]: event.currentTarget.value || null })}
    />
  );
  const faults = (state: UrlState) => {
    const value = read(state);
    return value === undefined || aMonth.test(value)
      ? []
      : [{ keys: [key], text: `${label} "${value}" is not a valid month; use YYYY-MM` }];
  };
  return { keys: [key], read, Control, faults };
}

/** Invoice list: API paths and filters. */
export const list = {
  csv: ['/invoices', 'invoices'],
  filters: {
    status: anyOf('status', 'Status', ['DIFFERENT', 'MISSING', 'PROVISIONAL', 'MATCHED']),
    accountId: byAccount,
    issuer: anyText('issuer', 'Issuer', useIssuerChoices),
    startMonth: month('from', 'First month', 'From'),
    endMonth: month('to', 'Last month', 'To'),
  },
} as const;
