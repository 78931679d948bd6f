import * as operations from '../../../../schema/operations.ts';
import { ActionIcon, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { graphql, type RecordOf } from '../../api/graphql.ts';
import { useAct } from '../../api/use-api.ts';
import { Act, Muted } from '../../parts/form/menu.tsx';
import { done, FormDialog } from '../../parts/form/dialog.tsx';
import { useFields } from '../../parts/form/form.tsx';
import { NumberField } from '../../parts/form/number-field.tsx';
import { addMonths } from '../../words/days.ts';
import { counted, currencyChoices, month as monthName } from '../../words/format.ts';

/** Rates to set. */
export interface Wanted {
  readonly from: string;
  readonly to: string;
  /** `YYYY-MM`, oldest first. */
  readonly months: readonly string[];
  /** Current rate, when changing one. */
  readonly rate?: number;
}

interface Props {
  readonly wanted: Wanted;
  /** All current rates. */
  readonly rates: readonly Rate[];
  onClose(): void;
}

/** Dialog that sets a pair's rates for several months, or changes one. */
export function RatesDialog({ wanted, rates: known, onClose }: Props) {
  const isChange = wanted.rate !== undefined;
  const { form, set } = useFields(
    () => ({
      from: wanted.from,
      to: wanted.to,
      rows: wanted.months
        .slice(-24)
        .map((month, key): RateRow => ({ key, month, rate: wanted.rate ?? null })) as readonly RateRow[],
    }),
    () => ({}),
  );
  const { from, to, rows } = form;
  const [fault, setFault] = useState<string | null>(null);
  const setRates = useAct(SetRates);
  const submit = async () => {
    const found = faultOf(from, to, rows) ?? (isChange ? null : takenOf({ from, to }, rows, known));
    setFault(found);
    if (found) return;
    const rates = rows
      .filter(({ rate }) => rate !== null)
      .map(({ month, rate }) => ({ month, from, to, rate, ifRate: wanted.rate ?? null }));
    if (!(await setRates.act({ rates }))) return;
    done(isChange ? 'Rate changed.' : `${counted(rates.length, 'rate')} set. Costs are updated.`);
    onClose();
  };
  return (
    <FormDialog
      title={isChange ? 'Change rate' : 'Add rates'}
      verb="Save"
      of={setRates}
      fields={{ form, set }}
      onSubmit={submit}
      onClose={onClose}
    >
      <Group grow align="flex-start">
        <CurrencySelect label="From" value={from} isFixed={isChange} onChange={(next) => set({ from: next })} />
        <CurrencySelect label="To" value={to} isFixed={isChange} onChange={(next) => set({ to: next })} />
      </Group>
      <Muted>
        Price of one unit of {from || 'the first currency'} in {to || 'the second one'} in that month.
      </Muted>
      <RateRows rows={rows} isFixed={isChange} onChange={(next) => set({ rows: next })} />
      {fault && (
        <Text size="sm" c="var(--bad)" role="alert">
          {fault}
        </Text>
      )}
    </FormDialog>
  );
}

function faultOf(from: string, to: string, rows: readonly RateRow[]): string | null {
  if (from === '' || to === '') return 'Choose both currencies';
  if (from === to) return 'Choose two different currencies';
  const filled = rows.filter(({ rate }) => rate !== null);
  if (filled.length === 0) return 'Enter at least one rate';
  if (filled.some(({ month }) => !/^\d{4}-(0[1-9]|1[0-2])$/.test(month))) return 'Enter months as YYYY-MM';
  if (filled.some(({ rate }) => rate === null || rate <= 0)) return 'Rates must be greater than 0';
  return new Set(filled.map(({ month }) => month)).size < filled.length ? 'A month is listed twice' : null;
}

/** Names a month that already has a rate: a new one would replace it unseen. */
function takenOf(
  { from, to }: { readonly from: string; readonly to: string },
  rows: readonly RateRow[],
  known: readonly Rate[],
): string | null {
  const months = new Set(rows.filter(({ rate }) => rate !== null).map(({ month }) => month));
  const taken = known.find((rate) => rate.from === from && rate.to === to && months.has(rate.month));
  return taken ? `${monthName(taken.month)} already has the rate ${taken.rate}. Change it in the list of rates.` : null;
}

interface CurrencyProps {
  readonly label: string;
  readonly value: string;
  readonly isFixed: boolean;
  onChange(value: string): void;
}

function CurrencySelect({ label, value, isFixed, onChange }: CurrencyProps) {
  const choices = useMemo(currencyChoices, []);
  if (isFixed) return <TextInput label={label} value={value} readOnly />;
  return (
    <Select
      label={label}
      data={choices}
      value={value || null}
      searchable
      allowDeselect={false}
      maxDropdownHeight={260}
      nothingFoundMessage="Unknown currency"
      onChange={(next) => onChange(next ?? '')}
    />
  );
}

/** Form row of a month and its rate; either may be empty. */
interface RateRow {
  readonly key: number;
  readonly month: string;
  readonly rate: number | null;
}

interface RowsProps {
  readonly rows: readonly RateRow[];
  readonly isFixed: boolean;
  onChange(rows: readonly RateRow[]): void;
}

/** Rows of months and rates; offers to add the next month. */
function RateRows({ rows, isFixed, onChange }: RowsProps) {
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
            label={row.month ? `Rate for ${monthName(row.month)}` : 'Rate'}
            decimals={12}
            isSigned={false}
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
              aria-label={`Remove ${row.month ? monthName(row.month) : 'this month'}`}
              onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
      {!isFixed && (
        <Group>
          <Act label="Add month" Icon={IconPlus} size="compact-sm" onClick={add} />
        </Group>
      )}
    </Stack>
  );
}

/** All exchange rates of the organization. */
export const RateList = graphql(operations.exchangeRates, [graphql(operations.ExchangeRatesFields)]);

/** Sets rates; a null rate removes one. */
export const SetRates = graphql(operations.setExchangeRates);

/** Exchange rate in the list. */
export type Rate = RecordOf<typeof RateList>['rates'][number];
