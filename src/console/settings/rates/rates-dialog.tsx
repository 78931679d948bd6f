import { Group, Select, Text, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useAct } from '../../api/use-act.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { done } from '../../parts/done.ts';
import { currencyChoices } from '../../words/currencies.ts';
import { counted } from '../../words/format.ts';
import { SetRates } from './queries.ts';
import { RateRows, type RateRow } from './rate-rows.tsx';

/** Rates that are to be set. */
export interface Wanted {
  readonly from: string;
  readonly to: string;
  /** `YYYY-MM`, the oldest first. */
  readonly months: readonly string[];
  /** The rate that there is, where one is changed. */
  readonly rate?: number;
}

interface Props {
  readonly wanted: Wanted;
  onClose(): void;
}

/** Sets a pair's rates of some months, or changes one. */
export function RatesDialog({ wanted, onClose }: Props) {
  const isChange = wanted.rate !== undefined;
  const [from, setFrom] = useState(wanted.from);
  const [to, setTo] = useState(wanted.to);
  const [rows, setRows] = useState<readonly RateRow[]>(() =>
    wanted.months.slice(-24).map((month, key) => ({ key, month, rate: wanted.rate ?? null })),
  );
  const [fault, setFault] = useState<string | null>(null);
  const set = useAct(SetRates);
  const submit = async () => {
    const found = faultOf(from, to, rows);
    setFault(found);
    if (found) return;
    const rates = rows.filter(({ rate }) => rate !== null).map(({ month, rate }) => ({ month, from, to, rate }));
    if (!(await set.act({ rates }))) return;
    done(isChange ? 'The rate is changed.' : `${counted(rates.length, 'rate')} set. Costs follow at once.`);
    onClose();
  };
  return (
    <FormDialog
      title={isChange ? 'Change the rate' : 'Add rates'}
      verb="Save"
      isOpen
      isBusy={set.isBusy}
      refusal={set.refusal}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Group grow align="flex-start">
        <CurrencySelect label="From" value={from} isFixed={isChange} onChange={setFrom} />
        <CurrencySelect label="To" value={to} isFixed={isChange} onChange={setTo} />
      </Group>
      <Text size="sm" c="dimmed">
        How many {to || 'units'} one {from || 'unit'} was worth in that month.
      </Text>
      <RateRows rows={rows} isFixed={isChange} onChange={setRows} />
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
  if (from === to) return 'A currency needs no rate to itself';
  const filled = rows.filter(({ rate }) => rate !== null);
  if (filled.length === 0) return 'Write at least one rate';
  if (filled.some(({ month }) => !/^\d{4}-(0[1-9]|1[0-2])$/.test(month))) return 'Write months as YYYY-MM';
  if (filled.some(({ rate }) => rate === null || rate <= 0)) return 'A rate is above 0';
  return new Set(filled.map(({ month }) => month)).size < filled.length ? 'A month stands there twice' : null;
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
      nothingFoundMessage="There is no such currency"
      onChange={(next) => onChange(next ?? '')}
    />
  );
}
