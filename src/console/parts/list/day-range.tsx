import { Group, List, Popover, Stack, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCalendar } from '@tabler/icons-react';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useMe } from '../../api/me.tsx';
import { Act, Muted } from '../form/menu.tsx';
import { addDays, addMonths, countDays, isDay, monthEnd, monthStart, today } from '../../words/days.ts';
import { day, days } from '../../words/format.ts';
import { Empty } from '../page/page.tsx';
import type { Changes, UrlState } from './url-state.ts';

/** Date range, inclusive. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

interface Props {
  readonly value: DayRange;
  /** Name of the preset in the URL; several presets can have the same days. */
  readonly preset?: string | null;
  /** Last day of the presets, such as "Last 30 days" or "This month"; default: today. For costs, the last complete day. */
  readonly lastDay?: string | null;
  /** @param preset name of the preset that was chosen; null for other days */
  onChange(range: DayRange, preset: string | null): void;
}

interface PresetOptions {
  /** First month of the organization's fiscal year, 1 to 12. */
  readonly fiscalStart?: number;
  readonly now?: string;
  readonly lastDay?: string | null | undefined;
}

type Preset = readonly [label: string, range: DayRange];

/** Range of days that ends on a day.
 *  @param count number of days */
export function lastDays(count: number, to: string): DayRange {
  return { from: addDays(to, 1 - count), to };
}

/** Most common date ranges, relative to the last complete day, or to today without one; those of the fiscal year only if it is not
 *  the calendar year. */
export function presets(options: PresetOptions = {}): readonly Preset[] {
  const { fiscalStart = 1 } = options;
  return allPresets(options).filter(([label]) => fiscalStart !== 1 || !label.includes('iscal year'));
}

/** All date ranges that a URL can name, also while the fiscal year is the calendar year. */
function allPresets({ fiscalStart = 1, now = today(), lastDay }: PresetOptions = {}): readonly Preset[] {
  const end = lastDay ?? now;
  const month = monthStart(end);
  const last = addMonths(month, -1);
  const quarter = yearStart(month, 1, 3);
  const year = yearStart(month, 1);
  const fiscal = yearStart(month, fiscalStart);
  const ends = (from: string, months: number) => ({ from, to: addDays(addMonths(from, months), -1) });
  return [
    ['Last 7 days', lastDays(7, end)],
    ['Last 30 days', lastDays(30, end)],
    ['Last 90 days', lastDays(90, end)],
    ['This month', { from: month, to: end }],
    ['Last month', { from: last, to: monthEnd(last) }],
    ['This quarter', { from: quarter, to: end }],
    ['Last quarter', ends(addMonths(quarter, -3), 3)],
    ['Last 6 months', { from: addMonths(month, -5), to: end }],
    ['Last 12 months', { from: addMonths(month, -11), to: end }],
    ['Year to date', { from: year, to: end }],
    ['Last year', ends(addMonths(year, -12), 12)],
    ['Fiscal year to date', { from: fiscal, to: end }],
    ['Last fiscal year', ends(addMonths(fiscal, -12), 12)],
  ];
}

/** Name of a preset in URLs, such as `last_30_days`. */
function nameOf([label]: Preset): string {
  return label.toLowerCase().replaceAll(' ', '_');
}

/** Days of a URL: the first and last day in it, or else those of its preset, which advance with the bills. */
export function askedDays(state: UrlState, options: PresetOptions): AskedDays {
  const [from, to] = [state.one('from'), state.one('to')];
  const name = presetIn(state);
  if (name === null) return { from, to };
  return allPresets(options).find((preset) => nameOf(preset) === name)?.[1] ?? { from, to };
}

/** Name of the preset in a URL; null if the URL names days. */
export function presetIn(state: UrlState): string | null {
  return state.has('from', 'to') ? null : state.one('days');
}

/** URL changes that choose days. A preset is kept by name, so that saved views and dashboards stay up to date. */
export function chosenDays({ from, to }: DayRange, preset: string | null = null): Changes {
  return preset === null ? { from, to, days: null } : { from: null, to: null, days: preset };
}

/** First day of the year, or of another number of months, that contains a month.
 *  @param start first month of a year, 1 to 12 */
function yearStart(month: string, start: number, length = 12): string {
  const past = (Number(month.slice(5, 7)) - start + 12) % length;
  return addMonths(month, -past);
}

/** Maximum days per API request. */
export const mostDays = 1100;

/** Returns the error in a date range, or null. */
export function faultOf({ from, to }: DayRange, most = mostDays): string | null {
  if (!isDay(from) || !isDay(to)) return 'Enter dates as YYYY-MM-DD';
  if (to < from) return 'The end date is before the start date';
  return countDays(from, to) > most ? `At most ${most.toLocaleString('en-US')} days are supported` : null;
}

/** Returns the errors of the fields for the first and the last day in a form.
 *  @param most maximum number of days */
export function dayFieldFaults(
  { startDate, endDate }: { readonly startDate: string; readonly endDate: string },
  most = Infinity,
) {
  const areDays = isDay(startDate) && isDay(endDate);
  return {
    startDate: !isDay(startDate) && 'Enter a day',
    endDate:
      (!isDay(endDate) && 'Enter a day') ||
      (areDays && endDate < startDate && 'The last day is before the first day') ||
      (areDays && countDays(startDate, endDate) > most && `Choose at most ${most} days`),
  };
}

/** Date range picker with presets and two day inputs. */
export function DayRangePicker({ value, preset: named = null, lastDay, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { organization } = useMe();
  const known = presets({ fiscalStart: organization.fiscalYearStartMonth, lastDay });
  const choose = (range: DayRange, name: string | null = null) => {
    setOpen(false);
    onChange(range, name);
  };
  const preset =
    known.find((one) => nameOf(one) === named) ??
    known.find(([, range]) => range.from === value.from && range.to === value.to);
  const label = faultOf(value) ? 'Choose days' : days(value.from, value.to);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Act
          label={preset ? `${preset[0]}` : label}
          Icon={IconCalendar}
          onClick={() => setOpen(!isOpen)}
          aria-label={`Days: ${preset ? `${preset[0]}, ` : ''}${label}`}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label="Days">
        <Group align="flex-start" gap="md" wrap="wrap">
          <Stack gap={2}>
            {known.map((one) => {
              const [name, range] = one;
              return (
                <Act
                  label={name}
                  key={name}
                  size="compact-sm"
                  variant={preset?.[0] === name ? 'light' : 'subtle'}
                  justify="flex-start"
                  onClick={() => choose(range, nameOf(one))}
                />
              );
            })}
          </Stack>
          <OwnDays value={value} onChoose={choose} />
        </Group>
        {lastDay && lastDay < today() && (
          <Muted size="xs" mt="xs">
            Presets are relative to the last complete day, {day(lastDay)}.
          </Muted>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function OwnDays({ value, onChoose }: { readonly value: DayRange; readonly onChoose: (range: DayRange) => void }) {
  const [range, setRange] = useState(value);
  const fault = faultOf(range);
  // Show no error before the first input.
  const isBlank = range.from === '' && range.to === '';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!fault) onChoose(range);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs" w={170}>
        <TextInput
          type="date"
          label="First day"
          value={range.from}
          onChange={(event) => setRange({ ...range, from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label="Last day"
          value={range.to}
          error={isBlank ? null : fault}
          onChange={(event) => setRange({ ...range, to: event.currentTarget.value })}
        />
        <Act label="Apply" primary type="submit" size="sm" disabled={fault !== null} />
        <Muted size="xs">Days are in UTC, as in the bills.</Muted>
      </Stack>
    </form>
  );
}

/** Invalid part of a URL: a message, and the URL keys at fault. */
export interface Fault {
  readonly text: string;
  readonly keys: readonly string[];
}

export interface AskedDays {
  readonly from: string | null;
  readonly to: string | null;
}

/** Errors in the date range of a URL; both days are optional.
 *  @param most maximum number of days per request */
export function dayFaults({ from, to }: AskedDays, most = mostDays): Fault[] {
  const first = from ?? to;
  const last = to ?? from;
  if (first === null || last === null) return [];
  const fault = faultOf({ from: first, to: last }, most) ?? strangeDays(first, last);
  if (!fault) return [];
  const asked = from !== null && to !== null ? `The days ${from} to ${to}` : `The day ${first}`;
  return [{ text: `${asked}: ${lowerFirst(fault)}.`, keys: ['from', 'to'] }];
}

/** Error in the preset of a URL. */
export function presetFaults(state: UrlState): Fault[] {
  const name = presetIn(state);
  const names = allPresets().map(nameOf);
  if (name === null || names.includes(name)) return [];
  return [{ text: `days=${name} is not one of ${names.join(', ')}.`, keys: ['days'] }];
}

/** Rejects days outside 2000 to 2099: no bill is older, and date arithmetic requires four-digit years. */
function strangeDays(first: string, last: string): string | null {
  return first < '2000-01-01' || last > '2099-12-31' ? 'Only the years 2000 to 2099 are supported' : null;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

interface BadAddressProps {
  readonly state: UrlState;
  readonly faults: readonly Fault[];
  /** Content of the page, such as "costs". */
  readonly what: string;
}

/** Error for a URL with invalid parameters, with a button that removes only those. */
export function BadAddress({ state, faults, what }: BadAddressProps) {
  const mend = () => {
    state.set(Object.fromEntries(faults.flatMap(({ keys }) => keys).map((key) => [key, null])));
    // The button disappears with the error.
    document.getElementById('page-title')?.focus({ preventScroll: true });
  };
  return (
    <InvalidAddress
      texts={faults.map(({ text }) => text)}
      action={<Act label={`Show ${what} without ${faults.length === 1 ? 'it' : 'them'}`} primary onClick={mend} />}
    />
  );
}

/** Errors in the URL, with a button that corrects it. */
export function InvalidAddress({ texts, action }: { readonly texts: readonly string[]; readonly action: ReactNode }) {
  const list = (
    <List size="sm" listStyleType="none" style={{ overflowWrap: 'anywhere' }}>
      {texts.map((text) => (
        <List.Item key={text}>{text}</List.Item>
      ))}
    </List>
  );
  return (
    <div role="alert">
      <Empty icon={IconAlertTriangle} title="This address is not valid" text={list} action={action} />
    </div>
  );
}
