import { Checkbox } from '@mantine/core';
import type { ComponentType } from 'react';
import type { TypedDocumentNode } from 'urql';
import { sortValue, useAnswer, type Answer } from '../../api/use-api.ts';
import { words } from '../../words/format.ts';
import { useMe } from '../../api/me.tsx';
import {
  useAccountChoices,
  useAccountNames,
  useAssigneeChoices,
  useCostChoices,
  type ChoiceOptions,
} from '../choices/choices.tsx';
import { useOnceFocused } from '../choices/once-focused.ts';
import { useAnyTagChoices, useSubAccountChoices } from '../choices/scope.tsx';
import { queryOf, type QueryValue } from './csv.tsx';
import { dayFaults, DayRangePicker, type DayRange, type Fault } from './day-range.tsx';
import { ChoiceFilter, namedOf, OneOf, SearchFilter, SingleFilter, withStrangers, type Choice } from './filters.tsx';
import { knownOf, pageOf, someOf, useUrlState, type UrlState } from './url-state.ts';

/** Filter of a list. Defines its state in the URL, GraphQL variable, CSV query parameter and control. */
export interface Filter<Asked extends QueryValue> {
  /** URL keys that the control writes and "Clear" removes. */
  readonly keys: readonly string[];
  /** Value for the API; undefined does not filter. */
  readonly read: (state: UrlState) => Asked | undefined;
  /** Absent if another filter's control also writes this one. */
  readonly Control?: ComponentType<{ readonly state: UrlState }>;
  /** Enum, whose values REST spells in lower case. */
  readonly isEnum?: boolean;
  /** A view rather than a filter: one is always selected, and "Clear" keeps it. */
  readonly isView?: boolean;
  /** Errors in the URL. */
  readonly faults?: (state: UrlState) => Fault[];
}

/** Filters by GraphQL argument; REST uses the same name in snake case. */
export type Filters = Readonly<Record<string, Filter<QueryValue>>>;

/** API arguments of the filters. */
export type QuestionOf<Of extends Filters> = {
  [Name in keyof Of]?: Of[Name] extends Filter<infer Asked> ? Asked : never;
};

/** Error for the first value of a key in the URL that is not one of the known ones, ignoring case. */
export function strangerFaults(state: UrlState, key: string, known: readonly string[]): Fault[] {
  const names = known.map((name) => name.toLowerCase());
  const wrong = state.all(key).find((value) => !names.includes(value.toLowerCase()));
  return wrong === undefined ? [] : [{ text: `${key}=${wrong} is not one of ${names.join(', ')}.`, keys: [key] }];
}

interface EnumOptions<Name> {
  readonly labelOf?: (value: Name) => string;
  /** Values offered by the control; default: all. */
  readonly useShown?: () => readonly Name[];
}

/** Filter by any of an enum's values. */
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
  const faults = (state: UrlState) => strangerFaults(state, key, values);
  return { keys: [key], read, Control, isEnum: true, faults };
}

type UseChoices = (options: ChoiceOptions, chosen: readonly string[]) => readonly Choice[];

/** Filter by any suggested value, or others from the URL. */
export function anyText(key: string, label: string, useChoices: UseChoices): Filter<string[]> {
  const Control = ({ state }: { readonly state: UrlState }) => {
    const { options, onFocus } = useOnceFocused(state.has(key));
    const choices = useChoices(options, state.all(key));
    return <ChoiceFilter state={state} name={key} label={label} choices={choices} onFocus={onFocus} />;
  };
  return { keys: [key], read: (state) => someOf(state, key), Control };
}

/** Filter by one suggested value, or another from the URL. */
function oneText(key: string, label: string, useChoices: UseChoices): Filter<string> {
  const Control = ({ state }: { readonly state: UrlState }) => {
    const { options, onFocus } = useOnceFocused(state.has(key));
    const choices = useChoices(options, state.all(key));
    return <SingleFilter state={state} name={key} label={label} choices={choices} onFocus={onFocus} />;
  };
  return { keys: [key], read: (state) => state.one(key) ?? undefined, Control };
}

/** Filters shared by most lists. */
export const byAccount = anyText('account', 'Account', (options, chosen) =>
  withStrangers(useAccountChoices(options), chosen, useAccountNames(options)),
);
export const byProvider = anyText('provider', 'Provider', (options) => useCostChoices(options).providers);
export const byService = anyText('service', 'Service', (options) => useCostChoices(options).services);
export const bySubAccount = anyText('sub_account', 'Sub-account', useSubAccountChoices);
export const byTagKey = oneText('tag_key', 'Tag key', useAnyTagChoices);
export const byRegion = anyText('region', 'Region', (options) => useCostChoices(options).regions);

/** Value of the assignee filter for records without one. */
const none = 'none';

function AssigneeControl({ state }: { readonly state: UrlState }) {
  const { user } = useMe();
  const asked = state.all('assignee');
  const isMine = asked.length === 1 && asked[0] === user.id;
  const { options, onFocus } = useOnceFocused(asked.some((value) => value !== none && value !== user.id));
  return (
    <>
      <Checkbox
        label="Assigned to me"
        style={{ alignSelf: 'center' }}
        checked={isMine}
        onChange={(event) => state.set({ assignee: event.currentTarget.checked ? user.id : null })}
      />
      <ChoiceFilter
        state={state}
        name="assignee"
        label="Assignee"
        choices={[{ value: none, label: 'Unassigned' }, ...useAssigneeChoices([], options)]}
        onFocus={onFocus}
      />
    </>
  );
}

/** Filter by assignee, with the arguments `assigneeId` and `unassigned`. */
export function byAssignee() {
  const assigneeId: Filter<string[]> = {
    keys: ['assignee'],
    read: (state) => {
      const ids = state.all('assignee').filter((value) => value !== none);
      return ids.length > 0 ? ids : undefined;
    },
    Control: AssigneeControl,
  };
  const unassigned: Filter<true> = {
    keys: [],
    read: (state) => (state.all('assignee').includes(none) ? true : undefined),
  };
  return { assigneeId, unassigned };
}

/** Text search. */
export function search(label: string): Filter<string> {
  const Control = ({ state }: { readonly state: UrlState }) => (
    <SearchFilter state={state} name="search" label={label} />
  );
  return { keys: ['search'], read: (state) => state.one('search') ?? undefined, Control };
}

/** Passes a fixed value, without a control. */
export function always<Value extends QueryValue>(value: Value): Filter<Value> {
  return { keys: [], read: () => value };
}

/** Checkbox that adds entries to the list. */
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
  const faults = (state: UrlState) => strangerFaults(state, key, ['true', 'false']);
  return { keys: [key], read, Control, faults };
}

function valuesOf(choices: readonly Choice[]): string[] {
  return choices.map(({ value }) => value);
}

const onAndOff = [
  { value: 'true', label: 'Enabled' },
  { value: 'false', label: 'Disabled' },
] as const;

/** Filter for enabled or disabled entries; all by default. */
export function onOrOff(key: string, label: string, [on, off]: readonly [Choice, Choice] = onAndOff): Filter<boolean> {
  const choices = [{ value: 'all', label: 'All' }, on, off];
  const read = (state: UrlState) => {
    const [asked] = namedOf(state, key, choices);
    return asked === on ? true : asked === off ? false : undefined;
  };
  const Control = ({ state }: { readonly state: UrlState }) => (
    <OneOf state={state} name={key} label={label} choices={choices} />
  );
  const faults = (state: UrlState) => strangerFaults(state, key, valuesOf(choices));
  return { keys: [key], read, Control, faults };
}

/** View with the enum values that it selects; undefined selects all. */
export interface View<Name> extends Choice {
  readonly asks: readonly Name[] | undefined;
}

/** One of several views of a list; the first is the default. */
export function view<Name extends string>(key: string, label: string, views: readonly View<Name>[]): Filter<Name[]> {
  const read = (state: UrlState) => {
    const named = namedOf(state, key, views);
    const asked = named.length > 0 ? named : views.slice(0, 1);
    return asked.some(({ asks }) => asks === undefined) ? undefined : asked.flatMap(({ asks = [] }) => asks);
  };
  const Control = ({ state }: { readonly state: UrlState }) => (
    <OneOf state={state} name={key} label={label} choices={views} />
  );
  const faults = (state: UrlState) => strangerFaults(state, key, valuesOf(views));
  return { keys: [key], read, Control, isEnum: true, isView: true, faults };
}

/** Date range filter with the arguments `startDate` and `endDate`.
 *  @param usual the API's default range */
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

/** List of the API as shown on a page. */
export interface ListDefinition<Of extends Filters> {
  /** Path relative to `/api/v1` and file name; absent if there is no CSV export. */
  readonly csv?: readonly [path: string, name: string];
  /** Default sort; without it, the API decides. */
  readonly sort?: string;
  /** Rows per page; default: 25. */
  readonly perPage?: number;
  readonly filters: Of;
}

/** Pagination of a list. */
export interface Pages {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly totalPages: number;
}

/** List page in an API answer. */
export interface Found<Row> {
  readonly data: readonly Row[];
  readonly pagination: Pages;
}

/** List with its query from the URL, and the answer. */
export interface List<Row, Of extends Filters = Filters> extends ListDefinition<Of> {
  readonly state: UrlState;
  readonly question: QuestionOf<Of>;
  readonly faults: readonly Fault[];
  readonly sortedBy: string | null;
  readonly answer: Answer<Readonly<Record<string, Found<Row> | null>>>;
  /** Empty until loaded. */
  readonly rows: readonly Row[];
}

/** Fetches the list page that the URL names.
 *  @param query has one field, the list, and takes the filters, `sortBy` and `page` */
export function useList<Of extends Filters, Row>(
  definition: ListDefinition<Of>,
  query: TypedDocumentNode<
    Readonly<Record<string, Found<Row> | null>>,
    QuestionOf<Of> & { sortBy: null; page: number; perPage: number }
  >,
): List<Row, Of> {
  const state = useUrlState();
  const question = questionOf(definition.filters, state);
  const faults = Object.values(definition.filters).flatMap((filter) => filter.faults?.(state) ?? []);
  const sortedBy = state.one('sort') ?? definition.sort ?? null;
  const variables = {
    ...question,
    sortBy: sortValue<never>(sortedBy),
    page: pageOf(state),
    perPage: pageSizeOf(state) ?? definition.perPage ?? 25,
  };
  const answer = useAnswer(query, variables, { pause: faults.length > 0 });
  return { ...definition, state, question, faults, sortedBy, answer, rows: foundIn(answer.data)?.data ?? [] };
}

/** Choices for the number of rows per page. */
export const pageSizes = [10, 25, 50, 100] as const;

/** Rows per page from the URL; null if it has none of the choices. */
function pageSizeOf(state: UrlState): number | null {
  const asked = Number(state.one('rows'));
  return pageSizes.find((size) => size === asked) ?? null;
}

/** The only list in an answer; null if the API returned none. */
export function foundIn<Row>(data: Readonly<Record<string, Found<Row> | null>> | null): Found<Row> | null {
  return Object.values(data ?? {})[0] ?? null;
}

/** Reads filters from the URL. */
export function questionOf<Of extends Filters>(filters: Of, state: UrlState): QuestionOf<Of> {
  return Object.fromEntries(Object.entries(filters).map(([name, { read }]) => [name, read(state)])) as QuestionOf<Of>;
}

/** All URL keys that filters write, except those of views. */
export function keysOf(filters: Filters): string[] {
  return Object.values(filters).flatMap(({ keys, isView }) => (isView ? [] : keys));
}

/** All URL keys that filters read. */
export function readsOf(filters: Filters): string[] {
  return Object.values(filters).flatMap(({ keys }) => keys);
}

/** Converts the filters of the URL and a sort order to a REST query. */
export function restQueryOf(filters: Filters, state: UrlState, sortBy: string | null): string {
  const values = Object.entries(filters).map(([name, { read, isEnum }]) => {
    const value = read(state);
    const spelled = isEnum && Array.isArray(value) ? value.map((one) => one.toLowerCase()) : value;
    return [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), spelled] as const;
  });
  return queryOf({ ...Object.fromEntries(values), sort_by: sortBy });
}
