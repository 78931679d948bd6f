import { Alert, Anchor } from '@mantine/core';
import { IconCurrencyDollar } from '@tabler/icons-react';
import { Link } from 'wouter';
import { money } from '../words/format.ts';

interface Props {
  /** Costs that the API could not convert. */
  readonly costs: readonly { readonly currency: string; readonly cost: number }[];
  /** The currency that everything else is in. */
  readonly currency: string;
}

/** Says which costs no figure of the page holds, and why. Nothing where every cost has a rate. */
export function Unconverted({ costs, currency }: Props) {
  if (costs.length === 0) return null;
  const sums = costs.map((one) => money(one.cost, one.currency)).join(', ');
  return (
    <Alert color="yellow" variant="light" icon={<IconCurrencyDollar size={18} aria-hidden />}>
      {sums} {costs.length === 1 ? 'is' : 'are'} in no figure here: there is no exchange rate to {currency} for the
      month.{' '}
      <Anchor component={Link} href="/settings/exchange-rates" size="sm" inherit underline="always">
        Exchange rates
      </Anchor>
    </Alert>
  );
}
