import { Alert } from '@mantine/core';
import { IconCalendarOff, IconCurrencyDollar } from '@tabler/icons-react';
import { missingBillsText } from '../../../kit/text/missing-bills.ts';
import { money, month as monthName } from '../../words/format.ts';
import { TextLink } from './page.tsx';

interface Props {
  /** An answer about costs, or the part of it that the figures are based on. */
  readonly of: {
    /** Currency of all figures. */
    readonly currency: string;
    /** Costs that the API could not convert. */
    readonly unconverted: readonly { readonly currency: string; readonly cost: number }[];
    /** Months that are converted at a rate that can still change. */
    readonly provisionalRates?: readonly { readonly currency: string; readonly month: string }[];
    /** Months without a bill. */
    readonly missingBills?: readonly MissingBill[];
  };
  /** Days of the excluded costs, in words, if the figures are of other days. */
  readonly period?: string;
}

interface MissingBill {
  readonly month: string;
  readonly accountId: string;
  readonly accountName: string;
}

/** Lists what the figures of a page lack: months without a bill and costs without an exchange rate; and the months with a provisional
 *  rate. Renders nothing if there are none. */
export function Caveats({ of, period }: Props) {
  const { currency, unconverted, provisionalRates = [], missingBills = [] } = of;
  return (
    <>
      <MissingBills bills={missingBills} />
      {unconverted.length > 0 && <Excluded costs={unconverted} currency={currency} period={period} />}
      {provisionalRates.length > 0 && <Provisional currency={currency} rates={provisionalRates} />}
    </>
  );
}

/** Names missing bills; renders nothing if there are none. */
export function MissingBills({ bills }: { readonly bills: readonly MissingBill[] }) {
  const [first] = bills;
  if (first === undefined) return null;
  return (
    <Alert color="yellow" icon={<IconCalendarOff size={18} aria-hidden />}>
      There is {missingBillsText(bills, monthName)}: these costs are unknown and not included.{' '}
      <TextLink href={`/accounts/${first.accountId}`} inherit underline="always">
        Open {first.accountName}
      </TextLink>
    </Alert>
  );
}

interface ProvisionalProps {
  readonly currency: string;
  readonly rates: NonNullable<Props['of']['provisionalRates']>;
}

function Provisional({ currency, rates }: ProvisionalProps) {
  const months = [...Map.groupBy(rates, (one) => one.currency)].map(([from, own]) => {
    const names = own.map((one) => monthName(one.month));
    return `${from} in ${names.length > 3 ? `${names.length} months from ${names[0]} to ${names.at(-1)}` : names.join(', ')}`;
  });
  return (
    <Alert color="gray" icon={<IconCurrencyDollar size={18} aria-hidden />} p="xs">
      Provisional exchange rates to {currency}: {months.join('; ')}. Figures change once the rates are final.{' '}
      <TextLink href="/settings/exchange-rates" inherit underline="always">
        Exchange rates
      </TextLink>
    </Alert>
  );
}

interface ExcludedProps {
  readonly costs: Props['of']['unconverted'];
  readonly currency: string;
  readonly period: string | undefined;
}

function Excluded({ costs, currency, period }: ExcludedProps) {
  const sums = costs.map((one) => money(one.cost, one.currency)).join(', ');
  return (
    <Alert color="yellow" icon={<IconCurrencyDollar size={18} aria-hidden />}>
      {sums} {period && `${period} `}
      {costs.length === 1 ? 'is' : 'are'} not included in these figures: no exchange rate to {currency} for the month.{' '}
      <TextLink href="/settings/exchange-rates" inherit underline="always">
        Exchange rates
      </TextLink>
    </Alert>
  );
}
