import { Alert, Anchor, Text, Tooltip } from '@mantine/core';
import { IconCurrencyDollar } from '@tabler/icons-react';
import { Link } from 'wouter';
import { money, signedMoney, signedPercent } from '../../words/format.ts';

/** Money in a cell or a sentence. */
export function Money({ value, currency }: { readonly value: number | null; readonly currency: string }) {
  return <span className="figures">{value === null ? '–' : money(value, currency)}</span>;
}

interface ChangeProps {
  /** In percent; null where there is nothing to divide by. */
  readonly percent: number | null;
  /** The same in money, told on hover. */
  readonly amount?: { readonly value: number; readonly currency: string };
  /** What is compared with, such as `October`, told on hover. */
  readonly against?: string;
}

/** A change of costs: less is good. Sign, arrow and colour say the same, so none is needed alone. */
export function Change({ percent, amount, against }: ChangeProps) {
  if (percent === null) {
    const isNew = amount && amount.value > 0;
    return (
      <Text component="span" size="sm" c="dimmed">
        {isNew ? 'new' : '–'}
      </Text>
    );
  }
  const color = Math.abs(percent) < 0.05 ? 'dimmed' : percent > 0 ? 'var(--bad)' : 'var(--good)';
  const said = (
    <Text component="span" size="sm" c={color} className="figures" tabIndex={amount ? 0 : undefined}>
      {percent > 0.05 ? '▲ ' : percent < -0.05 ? '▼ ' : ''}
      {signedPercent(percent)}
    </Text>
  );
  if (!amount) return said;
  return (
    <Tooltip label={`${signedMoney(amount.value, amount.currency)}${against ? ` against ${against}` : ''}`}>
      {said}
    </Tooltip>
  );
}

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
    <Alert color="yellow" icon={<IconCurrencyDollar size={18} aria-hidden />}>
      {sums} {costs.length === 1 ? 'is' : 'are'} in no figure here: there is no exchange rate to {currency} for the
      month.{' '}
      <Anchor component={Link} href="/settings/exchange-rates" size="sm" inherit underline="always">
        Exchange rates
      </Anchor>
    </Alert>
  );
}
