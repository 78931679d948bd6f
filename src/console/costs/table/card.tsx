import { VisuallyHidden } from '@mantine/core';
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { useCallback, useMemo, useRef, useState, type FocusEvent, type MouseEvent, type RefObject } from 'react';
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
          <CsvButton path={tableCsv(question)} name={`costs-${name}-${range.from}-${range.to}`} isWhole />
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
  const { ref, pieces, onFocus } = useWindow(rows.length, isLong);
  const follow = useFollow(ref);
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
        onFocus={onFocus}
        onClick={follow}
      >
        <caption>
          <VisuallyHidden>{label}</VisuallyHidden>
        </caption>
        <TableHead columns={columns} view={view} state={state} />
        <tbody>
          {pieces.map((piece, at) => {
            if ('room' in piece) return <Room key={at === 0 ? 'above' : `below-${at}`} height={piece.room} />;
            const row = rows[piece.line];
            return (
              row && <RowLine key={row.key} row={row} index={piece.line} state={state} view={view} columns={columns} />
            );
          })}
        </tbody>
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

/** Spacer for rows outside the viewport. */
function Room({ height }: { readonly height: number }) {
  return (
    <tr aria-hidden>
      <td className={classes.gap} style={{ height }} />
    </tr>
  );
}

/** Row height of a long table in px; its text does not wrap. */
const lineHeight = 38;

/** Table content from top to bottom: a row by index, or a spacer in px for rows outside the viewport. */
export type Piece = { readonly line: number } | { readonly room: number };

interface Window {
  /** The scrolling frame. */
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly pieces: readonly Piece[];
  /** Remembers the focused row, which stays rendered wherever the user scrolls. */
  onFocus(event: FocusEvent): void;
}

/** Row virtualization; short tables render all rows. */
function useWindow(lines: number, isLong: boolean): Window {
  const ref = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const drawn = defaultRangeExtractor(range);
      if (focused === null || focused >= lines || drawn.includes(focused)) return drawn;
      return [...drawn, focused].toSorted((one, other) => one - other);
    },
    [focused, lines],
  );
  const virtualizer = useVirtualizer({
    count: lines,
    getScrollElement: () => ref.current,
    estimateSize: () => lineHeight,
    overscan: 12,
    rangeExtractor,
    enabled: isLong,
  });
  const onFocus = useCallback((event: FocusEvent) => setFocused(lineOf(event.target)), []);
  const drawn = isLong
    ? virtualizer.getVirtualItems().map(({ index }) => index)
    : Array.from({ length: lines }, (_, at) => at);
  return { ref, pieces: piecesOf(drawn, lines), onFocus };
}

/** Rendered rows, with spacers between them. */
function piecesOf(drawn: readonly number[], lines: number): Piece[] {
  const pieces: Piece[] = [];
  let next = 0;
  const leave = (until: number) => until > next && pieces.push({ room: (until - next) * lineHeight });
  for (const line of drawn) {
    leave(line);
    pieces.push({ line });
    next = line + 1;
  }
  leave(lines);
  return pieces;
}

/** Returns the index of the row that contains an element. */
function lineOf(element: Element): number | null {
  const line = element.closest('tr')?.dataset['line'];
  return line === undefined ? null : Number(line);
}
