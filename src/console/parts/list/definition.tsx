import { Checkbox } from '@mantine/core';
import type { ComponentType } from 'react';
import type { TypedDocumentNode } from 'urql';
import { sortValue, useAnswer, type Answer } from '../../api/use-api.ts';
import { words } from '../../words/format.ts';
import { useAccountChoices, useCostChoices } from '../choices/choices.tsx';
import { queryOf, type QueryValue } from './csv.tsx';
import { dayFaults, DayRangePicker, type DayRange, type Fault } from './day-range.tsx';
import { ChoiceFilter, namedOf, OneOf, SearchFilter, type Choice } from './filters.tsx';
import { knownOf, pageOf, someOf, useUrlState, type UrlState } from './url-state.ts';

/** One filter of a list. Everything follows from it: its state in the address, its GraphQL variable, its part of the CSV
 *  query and its control. */
export interface Filter<Asked extends QueryValue> {
  /** Keys of the address that its control writes, and that "Clear" removes. */
  readonly keys: readonly string[];
  /** What it asks of the API; undefined asks for everything. */
  readonly read: (state: UrlState) => Asked | undefined;
  /** Absent where another filter's control writes this one too. */
  readonly Control?: ComponentType<{ readonly state: UrlState }>;
  /** REST spells its values in lower case. */
  readonly isEnum?: boolean;
  /** A view of the list rather than a filter: one is always chosen, and "Clear" leaves it alone. */
  readonly isView?: boolean;
  /** What keeps the address from being asked. */
  readonly faults?: (state: UrlState) => Fault[];
}

/** Filters by the name of their GraphQL argument; REST spells the same name in snake case. */
export type Filters = Readonly<Record<string, Filter<QueryValue>>>;

/** What the filters ask of the API. */
export type QuestionOf<Of extends Filters> = {
  [Name in keyof Of]?: Of[Name] extends Filter<infer Asked> ? Asked : never;
};

interface EnumOptions<Name> {
  readonly labelOf?: (value: Name) => string;
  /** The values that the control offers; all by default. */
  readonly useShown?: () => readonly Name[];
}

/** Any of an enum's values. */
export function anyOf<Name extends string>(
  key: string,
  label: string,
  values: readonly Name[],
  { labelOf = words, useShown = () => values }: EnumOptions<Name> = {},
): Filter<Name[]> {
  const read = (state: UrlState) => {
    const known = knownOf(state, key, values);
    return known.length > 0 ? known : undefined;
  };
  const Control = ({ state }: { readonly state: UrlState }) => (
    <ChoiceFilter
      state={state}
      name={key}
      label={label}
      choices={useShown().map((value) => ({ value, label: labelOf(value) }))}
      isClosed
    />
  );
  return { keys: [key], read, Control, isEnum: true };
}

/** Any of the values that a hook proposes, or others that the address names. */
export function anyText(key: string, label: string, useChoices: () => readonly Choice[]): Filter<string[]> {
  const Control = ({ state }: { readonly state: UrlState }) => (
    <ChoiceFilter state={state} name={key} label={label} choices={useChoices()} />
  );
  return { keys: [key], read: (state) => someOf(state, key), Control };
}

/** The filters that most lists share. */
export const byAccount = anyText('account', 'Account', useAccountChoices);
export const byProvider = anyText('provider', 'Provider', () => useCostChoices().providers);
export const byService = anyText('service', 'Service', () => useCostChoices().services);
export const byRegion = anyText('region', 'Region', () => useCostChoices().regions);

/** A text to search for. */
export function search(label: string): Filter<string> {
  const Control = ({ state }: { readonly state: UrlState }) => (
    <SearchFilter state={state} name="search" label={label} />
  );
  return { keys: ['search'], read: (state) => state.one('search') ?? undefined, Control };
}

/** A checkbox that adds something to the list. */
export function including(key: string, label: string): Filter<true> {
  const read = (state: UrlState) => (state.one(key) === 'true' ? true : undefined);
  const Control = ({ state }: { readonly state: UrlState }) => (
    <Checkbox
      label={label}
      style={{ alignSelf: 'center' }}
      checked={read(state) ?? false}
      onChange={(event) => state.set({ [key]: event.currentTarget.checked ? 'true' : null })}
    />
  );
  return { keys: [key], read, Control };
}

const onAndOff = [
  { value: 'true', label: 'On' },
  { value: 'false', label: 'Off' },
] as const;

/** All, only those that are on, or only those that are off. */
export function onOrOff(key: string, label: string, [on, off]: readonly [Choice, Choice] = onAndOff): Filter<boolean> {
  const choices = [{ value: 'all', label: 'All' }, on, off];
  const read = (state: UrlState) => {
    const [asked] = namedOf(state, key, choices);
    return asked === on ? true : asked === off ? false : undefined;
  };
  const Control = ({ state }: { readonly state: UrlState }) => (
    <OneOf state={state} name={key} label={label} choices={choices} />
  );
  return { keys: [key], read, Control };
}

/** A choice among views, and the values of an enum that it stands for; undefined for every one. */
export interface View<Name> extends Choice {
  readonly asks: readonly Name[] | undefined;
}

/** One of a few views of the list; the first stands where the address names none. */
export function view<Name extends string>(key: string, label: string, views: readonly View<Name>[]): Filter<Name[]> {
  const read = (state: UrlState) => {
    const named = namedOf(state, key, views);
    const asked = named.length > 0 ? named : views.slice(0, 1);
    return asked.some(({ asks }) => asks === undefined) ? undefined : asked.flatMap(({ asks = [] }) => asks);
  };
  const Control = ({ state }: { readonly state: UrlState }) => (
    <OneOf state={state} name={key} label={label} choices={views} />
  );
  return { keys: [key], read, Control, isEnum: true, isView: true };
}

/** A range of days, as the arguments `startDate` and `endDate`.
 *  @param usual the range that the API assumes where the address names none */
export function dayRange(usual: () => DayRange = () => ({ from: '', to: '' })) {
  const faults = (state: UrlState) => dayFaults({ from: state.one('from'), to: state.one('to') }, Infinity);
  const Control = ({ state }: { readonly state: UrlState }) => {
    const value = { from: state.one('from') ?? usual().from, to: state.one('to') ?? usual().to };
    return <DayRangePicker value={value} onChange={({ from, to }) => state.set({ from, to })} />;
  };
  const startDate: Filter<string> = {
    keys: ['from', 'to'],
    read: (state) => state.one('from') ?? undefined,
    Control,
    faults,
  };
  const endDate: Filter<string> = { keys: [], read: (state) => state.one('to') ?? undefined };
  return { startDate, endDate };
}

/** A list of the API as a page shows it. */
export interface ListDefinition<Of extends Filters> {
  /** Path below `/api/v1` and the name of the file; absent where the list is not offered as CSV. */
  readonly csv?: readonly [path: string, name: string];
  /** Sort where the address names none; without it the API decides. */
  readonly sort?: string;
  readonly filters: Of;
}

/** Which part of a list is shown. */
export interface Pages {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly totalPages: number;
}

/** The page of a list in an answer of the API. */
export interface Found<Row> {
  readonly data: readonly Row[];
  readonly pagination: Pages;
}

/** A list with what the address asks of it, and the answer. */
export interface List<Row, Of extends Filters = Filters> extends ListDefinition<Of> {
  readonly state: UrlState;
  readonly question: QuestionOf<Of>;
  readonly faults: readonly Fault[];
  readonly sortedBy: string | null;
  readonly answer: Answer<Readonly<Record<string, Found<Row> | null>>>;
  /** Empty until the answer is there. */
  readonly rows: readonly Row[];
}

/** Asks for the page of a list that the address names.
 *  @param query has one field, the list, and takes the filters, `sortBy` and `page` */
export function useList<Of extends Filters, Row>(
  definition: ListDefinition<Of>,
  query: TypedDocumentNode<
    Readonly<Record<string, Found<Row> | null>>,
    QuestionOf<Of> & { sortBy: null; page: number }
  >,
): List<Row, Of> {
  const state = useUrlState();
  const question = questionOf(definition.filters, state);
  const faults = Object.values(definition.filters).flatMap((filter) => filter.faults?.(state) ?? []);
  const sortedBy = state.one('sort') ?? definition.sort ?? null;
  const variables = { ...question, sortBy: sortValue<never>(sortedBy), page: pageOf(state) };
  const answer = useAnswer(query, variables, { pause: faults.length > 0 });
  return { ...definition, state, question, faults, sortedBy, answer, rows: foundIn(answer.data)?.data ?? [] };
}

/** The only list of an answer; null where the API gave none. */
export function foundIn<Row>(data: Readonly<Record<string, Found<Row> | null>> | null): Found<Row> | null {
  return Object.values(data ?? {})[0] ?? null;
}

/** Reads filters from the address. */
export function questionOf<Of extends Filters>(filters: Of, state: UrlState): QuestionOf<Of> {
  return Object.fromEntries(Object.entries(filters).map(([name, { read }]) => [name, read(state)])) as QuestionOf<Of>;
}

/** Every key of the address that filters write, but not those of views. */
export function keysOf(filters: Filters): string[] {
  return Object.values(filters).flatMap(({ keys, isView }) => (isView ? [] : keys));
}

/** The same question as a query of REST. */
export function restQueryOf(filters: Filters, state: UrlState, sortBy: string | null): string {
  const values = Object.entries(filters).map(([name, { read, isEnum }]) => {
    const value = read(state);
    const spelled = isEnum && Array.isArray(value) ? value.map((one) => one.toLowerCase()) : value;
    return [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), spelled] as const;
  });
  return queryOf({ ...Object.fromEntries(values), sort_by: sortBy });
}
