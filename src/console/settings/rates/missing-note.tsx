import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useAnswer } from '../../api/use-answer.ts';
import { today } from '../../words/days.ts';
import { money, month } from '../../words/format.ts';
import { lookedAtFrom, monthsWithout } from './missing.ts';
import { Unconverted, type Rate } from './queries.ts';
import type { Wanted } from './rates-dialog.tsx';

interface Props {
  readonly rates: readonly Rate[];
  readonly mayWrite: boolean;
  onAdd(wanted: Wanted): void;
}

/** Which currencies of the bills lack a rate, and what that leaves out of every total. */
export function MissingNote({ rates, mayWrite, onAdd }: Props) {
  const { data } = useAnswer(Unconverted, { startDate: lookedAtFrom(), endDate: today() });
  const costs = data?.costsSummary;
  if (!costs || costs.unconverted.length === 0) return null;
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title="Some costs are not converted"
    >
      <Stack gap="xs">
        <Text size="sm">They are left out of every total in {costs.currency} until their month has a rate.</Text>
        {costs.unconverted.map(({ currency, cost }) => {
          const months = monthsWithout(rates, currency, costs.currency);
          return (
            <Group key={currency} justify="space-between" gap="sm">
              <Text size="sm">
                <strong>{money(cost, currency)}</strong>
                {months.length > 0 && ` · no rate for ${monthsText(months)}`}
              </Text>
              {mayWrite && (
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => onAdd({ from: currency, to: costs.currency, months: months.toReversed() })}
                >
                  Add rates for {currency}
                </Button>
              )}
            </Group>
          );
        })}
      </Stack>
    </Alert>
  );
}

function monthsText(months: readonly string[]): string {
  const [newest = '', oldest = ''] = [months[0], months.at(-1)];
  if (months.length > 3) return `${months.length} months from ${month(oldest)} to ${month(newest)}`;
  return months.toReversed().map(month).join(', ');
}
