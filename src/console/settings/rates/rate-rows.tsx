import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { NumberField } from '../../parts/number-field.tsx';
import { addMonths } from '../../words/days.ts';
import { month as monthName } from '../../words/format.ts';

/** A month and its rate, as far as they are written. */
export interface RateRow {
  readonly key: number;
  readonly month: string;
  readonly rate: number | null;
}

interface RowsProps {
  readonly rows: readonly RateRow[];
  readonly isFixed: boolean;
  onChange(rows: readonly RateRow[]): void;
}

/** Months and their rates, one below another; the next month is offered. */
export function RateRows({ rows, isFixed, onChange }: RowsProps) {
  const change = (changed: RateRow) => onChange(rows.map((row) => (row.key === changed.key ? changed : row)));
  const add = () => {
    const last = rows.at(-1);
    const month = last && /^\d{4}-\d{2}$/.test(last.month) ? addMonths(`${last.month}-01`, 1).slice(0, 7) : '';
    onChange([...rows, { key: (last?.key ?? 0) + 1, month, rate: null }]);
  };
  return (
    <Stack gap="xs">
      {rows.map((row) => (
        <Group key={row.key} gap="xs" wrap="nowrap" align="flex-end">
          <TextInput
            type="month"
            label="Month"
            placeholder="YYYY-MM"
            w={150}
            value={row.month}
            readOnly={isFixed}
            onChange={(event) => change({ ...row, month: event.currentTarget.value })}
          />
          <NumberField
            label={row.month ? `Rate of ${monthName(row.month)}` : 'Rate'}
            decimalScale={12}
            allowNegative={false}
            flex={1}
            data-autofocus={row.key === rows[0]?.key || undefined}
            value={row.rate}
            onChange={(rate) => change({ ...row, rate })}
          />
          {rows.length > 1 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Leave ${row.month ? monthName(row.month) : 'this month'} out`}
              onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
      {!isFixed && (
        <Group>
          <Button size="compact-sm" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
            Another month
          </Button>
        </Group>
      )}
    </Stack>
  );
}
