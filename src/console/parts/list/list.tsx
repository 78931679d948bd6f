import { Button, Group, Pagination } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState, type ComponentType, type ReactNode } from 'react';
import { Link } from 'wouter';
import { failed } from '../form/dialog.tsx';
import { OneField } from '../form/fields.tsx';
import { Act, Muted } from '../form/menu.tsx';
import { counted } from '../../words/format.ts';
import { Card } from '../page/card.tsx';
import { Empty, Page, type PageProps, Shown } from '../page/page.tsx';
import { Views } from '../views/menu.tsx';
import type { ViewPage } from '../views/queries.ts';
import { CsvButton } from './csv.tsx';
import { BadAddress, InvalidAddress } from './day-range.tsx';
import {
  foundIn,
  keysOf,
  pageSizes,
  readsOf,
  restQueryOf,
  type Filters,
  type List,
  type Pages,
} from './definition.tsx';
import { shownColumns, ColumnChooser, useColumnChoice } from './columns.tsx';
import { FilterBar } from './filters.tsx';
import { DataTable, idOf, type Column, type RowsByKey } from './table.tsx';
import classes from './table.module.css';
import type { UrlState } from './url-state.ts';

interface ListProps<Row> {
  readonly list: List<Row>;
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Unique key of a row; default: its ID. */
  readonly keyOf?: (row: Row) => string;
  readonly hrefOf?: (row: Row) => string;
  readonly noun: Noun;
  /** Filters out rows that another row already represents. */
  readonly isShown?: ((row: Row) => boolean) | undefined;
  /** Replaces a list that is empty without filters. */
  readonly empty: ReactNode;
  /** Bulk actions; absent if the user may not use any. */
  readonly bulk?: Bulk<Row> | undefined;
}

/** Bulk actions on the selected entries of a list. */
export interface Bulk<Row> {
  /** Name of an entry, for its checkbox. */
  nameOf(row: Row): string;
  /** Buttons. */
  readonly Actions: ComponentType<BulkActionsProps<Row>>;
}

/** Selected entries, for bulk actions. */
export interface BulkActionsProps<Row> {
  readonly rows: readonly Row[];
  /** Ends the selection. */
  onDone(): void;
  /** Reloads the list because others have changed a selected entry.
   *  @param id null if unknown */
  onReload(id: string | null): void;
}

/** Singular and, if irregular, plural. */
type Noun = readonly [one: string, many?: string];

interface ListPageProps<Row> extends Omit<PageProps, 'children'>, Omit<ListProps<Row>, 'title' | 'label'> {
  /** Defaults to the title. */
  readonly label?: string;
  /** Page frame; the settings use their own. */
  readonly Frame?: ComponentType<PageProps>;
  /** Shown above the filters. */
  readonly tabs?: ReactNode;
  /** Offers saved views of the page. */
  readonly views?: ViewPage;
  /** Shown between the filters and the list. */
  readonly children?: ReactNode;
  /** Shown below the list. */
  readonly note?: ReactNode;
}

/** List page: heading with CSV button and page actions, filters, table and pagination. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const {
    list,
    title,
    lead,
    actions,
    label = title,
    Frame = Page,
    tabs,
    views,
    reads = [],
    children,
    note,
    ...table
  } = props;
  const { filters, faults, state } = list;
  const isGood = faults.length === 0;
  return (
    <Frame
      title={title}
      lead={lead}
      reads={[...readsOf(filters), 'sort', 'page', 'rows', ...reads]}
      actions={
        <>
          {views && <Views page={views} />}
          {isGood && <ListCsv list={list} />}
          {actions}
        </>
      }
    >
      {tabs}
      {isGood ? (
        <>
          <FilterControls filters={filters} state={state} />
          {children}
          <ListCard list={list} label={label} {...table} />
          {note}
        </>
      ) : (
        <BadAddress state={state} faults={faults} what={table.noun[1] ?? `${table.noun[0]}s`} />
      )}
    </Frame>
  );
}

/** Downloads all pages of a list as CSV, with the current filters and sort. */
export function ListCsv({ list: { csv, filters, state, sortedBy } }: { readonly list: List<unknown> }) {
  if (!csv) return null;
  const [path, name] = csv;
  return <CsvButton path={`${path}${restQueryOf(filters, state, sortedBy)}`} name={name} />;
}

interface FilterControlsProps {
  readonly filters: Filters;
  readonly state: UrlState;
  /** Page-specific controls, shown first, and the URL keys that they write. */
  readonly children?: ReactNode;
  readonly keys?: readonly string[];
}

/** Row of filter controls with views first, and a "Clear" button. */
export function FilterControls({ filters, state, children, keys = [] }: FilterControlsProps) {
  const all = Object.entries(filters);
  const controlsOf = (isView: boolean) =>
    all.map(([name, { Control, ...filter }]) => {
      return Control && (filter.isView ?? false) === isView && <Control key={name} state={state} />;
    });
  if (all.length === 0) return null;
  return (
    <Group gap="xs">
      {controlsOf(true)}
      <FilterBar state={state} keys={[...keysOf(filters), ...keys]}>
        {children}
        {controlsOf(false)}
      </FilterBar>
    </Group>
  );
}

/** List as a card: table, pagination, and the states for empty, no match and error. */
export function ListCard<Row>(props: ListProps<Row>) {
  const { list, title, actions, label, columns, keyOf = idOf, hrefOf, noun, isShown = () => true, empty, bulk } = props;
  const { answer, state, sortedBy } = list;
  const filters = keysOf(list.filters);
  const choice = useColumnChoice(label);
  const { chosen, setChosen, reload } = useChosen(list, keyOf, bulk);
  if (answer.refusal?.code === 'VALIDATION_ERROR' && state.has('sort', ...filters)) {
    return (
      <Card>
        <InvalidAddress
          texts={[answer.refusal.message]}
          action={<Act label="Clear all filters" primary onClick={() => clear(state, ['sort', ...filters])} />}
        />
      </Card>
    );
  }
  const body = (found: ReturnType<typeof foundIn<Row>>) => {
    if (!found) return empty;
    if (found.data.length > 0)
      return (
        <>
          {bulk && (
            <BulkBar
              bulk={bulk}
              rows={[...chosen.values()]}
              noun={noun}
              onDone={() => setChosen(new Map())}
              onReload={reload}
            />
          )}
          <DataTable
            label={label}
            rows={found.data.filter(isShown)}
            columns={shownColumns(columns, choice.chosen)}
            keyOf={keyOf}
            hrefOf={hrefOf}
            sort={sortedBy}
            onSort={(next) => state.set({ sort: next })}
            selection={bulk && { chosen, set: setChosen, nameOf: bulk.nameOf }}
          />
          <Pager of={found.pagination} state={state} noun={noun} canResize>
            <ColumnChooser columns={columns} choice={choice} />
          </Pager>
        </>
      );
    if (found.pagination.total > 0) return <PastTheEnd of={found.pagination} state={state} />;
    return state.has(...filters) ? <NothingLeft onClear={() => clear(state, filters)} /> : empty;
  };
  return (
    <Card flush title={title} actions={actions}>
      <Shown of={answer} height={360}>
        {(data) => body(foundIn(data))}
      </Shown>
    </Card>
  );
}

interface Chosen<Row> {
  readonly filtered: string;
  readonly chosen: RowsByKey<Row>;
  /** While the list reloads: the data before, and the keys of the entries that must be in the data after to stay selected. */
  readonly reloading?: { readonly data: unknown; readonly keys: ReadonlySet<string | null> };
}

/** Selected entries: they stay selected on other pages and in another order, but not with other filters, which may hide them. */
function useChosen<Row>(list: List<Row>, keyOf: (row: Row) => string, bulk: Bulk<Row> | undefined) {
  const { answer, state, rows } = list;
  const filtered = JSON.stringify(keysOf(list.filters).map((key) => state.all(key)));
  const [selection, setSelection] = useState<Chosen<Row>>();
  const shown = new Map(rows.map((row) => [keyOf(row), row]));
  const isKept = selection?.filtered === filtered;
  const { reloading } = selection ?? {};
  const isReloaded = reloading !== undefined && reloading.data !== answer.data;
  const entries = isKept ? [...selection.chosen] : [];
  const left = isReloaded ? entries.filter(([key]) => shown.has(key) || !reloading.keys.has(key)) : entries;
  // As they are shown now: the list can have been refetched since the selection.
  const chosen: RowsByKey<Row> = new Map(left.map(([key, row]) => [key, shown.get(key) ?? row]));
  const setChosen = (next: RowsByKey<Row>) => setSelection({ filtered, chosen: next });
  if (isReloaded) setChosen(chosen);
  const reload = (id: string | null) => {
    const row = id === null ? undefined : chosen.get(id);
    if (row && bulk) failed(`${bulk.nameOf(row)}: changed by someone else. Nothing was saved.`);
    setSelection({ filtered, chosen, reloading: { data: answer.data, keys: new Set([...shown.keys(), id]) } });
    answer.again();
  };
  return { chosen, setChosen, reload };
}

/** Largest number of entries that one request can change. */
const mostChanged = 100;

/** The entries are those of all pages. */
interface BulkBarProps<Row> extends BulkActionsProps<Row> {
  readonly bulk: Bulk<Row>;
  readonly noun: Noun;
}

/** Number of selected entries, with buttons that change all of them. Empty without a selection. */
function BulkBar<Row>({ bulk: { Actions }, rows, noun: [one, many], onDone, onReload }: BulkBarProps<Row>) {
  return (
    <div role="region" aria-label="Selection" className={classes.bulk} hidden={rows.length === 0}>
      <Muted role="status">
        {rows.length > 0 && `${counted(rows.length, one, many)} selected`}
        {rows.length > mostChanged && `; at most ${mostChanged} can be changed at once`}
      </Muted>
      {rows.length > 0 && (
        <Group gap="xs">
          {rows.length <= mostChanged && <Actions rows={rows} onDone={onDone} onReload={onReload} />}
          <Act label="Clear selection" size="compact-sm" variant="subtle" onClick={onDone} />
        </Group>
      )}
    </div>
  );
}

function clear(state: UrlState, keys: readonly string[]): void {
  state.set(Object.fromEntries(keys.map((key) => [key, null])));
}

function NothingLeft({ onClear }: { onClear(): void }) {
  return <Empty title="Nothing matches the filters" action={<Act label="Clear filters" onClick={onClear} />} />;
}

interface PagerProps {
  readonly of: Pages;
  readonly state: UrlState;
  readonly noun: Noun;
  /** Offers other numbers of rows per page. */
  readonly canResize?: boolean;
  /** More controls. */
  readonly children?: ReactNode;
}

/** Pagination of a list. */
export function Pager({ of, state, noun: [one, many], canResize = false, children }: PagerProps) {
  const { page, perPage, total, totalPages } = of;
  const first = (page - 1) * perPage + 1;
  const last = Math.min(page * perPage, total);
  const all = counted(total, one, many);
  return (
    <Group justify="space-between" px="md" py="sm" gap="xs">
      <Muted size="xs" role="status">
        {totalPages > 1 ? `${first.toLocaleString('en-US')}–${last.toLocaleString('en-US')} of ${all}` : all}
      </Muted>
      <Group gap={6} ml="auto">
        {canResize && total > pageSizes[0] && <PageSize value={perPage} state={state} />}
        {children}
      </Group>
      {totalPages > 1 && (
        <Pagination
          size="sm"
          total={totalPages}
          value={page}
          onChange={(next) => state.set({ page: String(next) })}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        />
      )}
    </Group>
  );
}

function PageSize({ value, state }: { readonly value: number; readonly state: UrlState }) {
  const sizes = [...new Set([...pageSizes, value])].toSorted((one, other) => one - other);
  return (
    <OneField
      aria-label="Rows per page"
      choices={sizes.map((size) => ({ value: String(size), label: `${size} rows` }))}
      value={String(value)}
      onChange={(next) => state.set({ rows: next })}
      size="xs"
      w={100}
    />
  );
}

/** Message for a URL with a page number after the last page. */
export function PastTheEnd({ of, state }: Omit<PagerProps, 'noun' | 'canResize' | 'children'>) {
  return (
    <Empty
      title={`There is no page ${of.page}`}
      text={`The last page is ${of.totalPages}.`}
      action={<Act label="Go to the first page" primary onClick={() => state.set({ page: null })} />}
    />
  );
}

interface NewButtonProps {
  readonly href?: string;
  readonly onClick?: () => void;
  readonly Icon?: typeof IconPlus;
  readonly children: string;
}

/** Button that creates a list entry, on a separate page or in a dialog. */
export function NewButton({ href, onClick, Icon = IconPlus, children }: NewButtonProps) {
  const icon = <Icon size={15} aria-hidden />;
  return href ? (
    <Button component={Link} href={href} leftSection={icon}>
      {children}
    </Button>
  ) : (
    <Button onClick={onClick} leftSection={icon}>
      {children}
    </Button>
  );
}
