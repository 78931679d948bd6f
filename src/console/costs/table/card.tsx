import { VisuallyHidden } from '@mantine/core';
import { lazy, Suspense, useCallback, useMemo, useRef, type MouseEvent, type RefObject } from 'react';
import { useLocation } from 'wouter';
import { ColumnChooser, shownColumns, useColumnChoice } from '../../parts/list/columns.tsx';
import { CsvButton } from '../../parts/list/csv.tsx';
import { SearchFilter } from '../../parts/list/filters.tsx';
import type { UrlState } from '../../parts/list/url-state.ts';
import { Card } from '../../parts/page/card.tsx';
import { count } from '../../words/format.ts';
import classes from '../costs.module.css';
import { dimensionName, dimensionPlural } from '../dimensions.ts';
import { ExportMenu, tableCsv } from '../filters/toolbar.tsx';
import type { Question } from '../question.ts';
import type { CostsView } from '../use-costs.ts';
import { csvOf } from './found-csv.ts';
import { type ColumnLook, columnsOf, minWidthOf, TableFoot, TableHead } from './head.tsx';
import { RowLine } from './lines.tsx';
import { found, type Row } from './rows.ts';

interface Props {
  readonly state: UrlState;
  readonly view: CostsView;
}

/** Table of the chart's groups, beside the comparison period. */
export function TableCard({ state, view }: Props) {
  const { rows, question } = view;
  const { range, groups } = question;
  const find = state.one('find') ?? '';
  const shown = useMemo(() => found(rows, find), [rows, find]);
  const title = titleOf(question);
  const all = columnsOf(view);
  const choice = useColumnChoice('Costs');
  const name = title.toLowerCase().replaceAll(/[^\w.-]+/g, '-');
  return (
    <Card
      flush
      title={title}
      note={noteOf(view)}
      actions={
        <>
          {rows.length > 12 && groups[0] !== 'day' && (
            <SearchFilter state={state} name="find" label="Find in the table" />
          )}
          <ExportMenu question={question} />
          <CsvButton
            path={tableCsv(question)}
            name={`costs-${name}-${range.from}-${range.to}`}
            isWhole
            reduce={find === '' ? undefined : (text) => csvOf(shown, text)}
          />
          <ColumnChooser columns={all} choice={choice} />
        </>
      }
    >
      <CostsTable
        label={`Costs b${title.slice(1)}`}
        state={state}
        view={view}
        columns={shownColumns(all, choice.chosen)}
        rows={shown}
        isFound={find !== ''}
      />
    </Card>
  );
}

function titleOf({ groups, granularity }: Question): string {
  const [first, then] = groups;
  if (first === 'day') return granularity === 'daily' ? 'By day' : 'By month';
  return then ? `By ${dimensionName(first)} and ${dimensionName(then)}` : `By ${dimensionName(first)}`;
}

function noteOf({ question: { groups, granularity }, rows, other }: CostsView): string {
  const [first, then] = groups;
  if (other) return `Top ${count(rows.length)} of ${count(rows.length + other.count)}`;
  const noun = then ? 'rows' : first === 'day' && granularity === 'monthly' ? 'months' : dimensionPlural(first);
  return rows.length === 1 ? '' : `${count(rows.length)} ${noun}`;
}

const LongLines = lazy(async () => ({ default: (await import('./long-lines.tsx')).LongLines }));

/** Row count above which the table is virtualized. */
const most = 100;

interface CostsTableProps {
  readonly label: string;
  readonly state: UrlState;
  readonly view: CostsView;
  readonly columns: readonly ColumnLook[];
  /** Sorted and filtered by the search text. */
  readonly rows: readonly Row[];
  /** Whether the rows are search results. */
  readonly isFound: boolean;
}

/** Table of up to a thousand rows. Long tables scroll in their own frame with sticky header and total. */
function CostsTable({ label, state, view, columns, rows, isFound }: CostsTableProps) {
  const isLong = rows.length > most;
  const ref = useRef<HTMLDivElement>(null);
  const follow = useFollow(ref);
  const lines = (shown: readonly Row[], from = 0) =>
    shown.map((row, at) => (
      <RowLine key={row.key} row={row} index={from + at} state={state} view={view} columns={columns} />
    ));
  return (
    // The frame is focusable so that the arrow keys scroll it.
    // oxlint-disable-next-line no-noninteractive-tabindex
    <div
      ref={ref}
      className={isLong ? `${classes.scroll} ${classes.long}` : classes.scroll}
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      <table
        className={view.question.groups[1] || view.shares ? `${classes.table} ${classes.slim}` : classes.table}
        style={{ minWidth: minWidthOf(columns) }}
        aria-rowcount={rows.length + 2}
        onClick={follow}
      >
        <caption>
          <VisuallyHidden>{label}</VisuallyHidden>
        </caption>
        <TableHead columns={columns} view={view} state={state} />
        {isLong ? (
          <Suspense fallback={<tbody>{lines(rows.slice(0, most))}</tbody>}>
            <LongLines frame={ref} count={rows.length} lineAt={(index) => lines(rows.slice(index, index + 1), index)} />
          </Suspense>
        ) : (
          <tbody>{lines(rows)}</tbody>
        )}
        <TableFoot columns={columns} view={view} found={isFound ? rows : null} />
      </table>
    </div>
  );
}

/** Follows a row's first link on a click anywhere in the row, through the router. Leaves clicks with Ctrl (or similar) and
 *  clicks on other links to the browser. */
function useFollow(frame: RefObject<HTMLDivElement | null>): (event: MouseEvent) => void {
  const [, go] = useLocation();
  return useCallback(
    (event) => {
      const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
      if (!(target instanceof Element) || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
      const link = target.closest('a') ?? target.closest('tr')?.querySelector('a');
      if (!link || target.closest('button') || getSelection()?.toString()) return;
      event.preventDefault();
      go(`${link.pathname}${link.search}`);
      // The clicked row will be replaced, so keep focus in the table.
      frame.current?.focus({ preventScroll: true });
      frame.current?.scrollTo(0, 0);
      scrollTo(0, 0);
    },
    [go, frame],
  );
}
