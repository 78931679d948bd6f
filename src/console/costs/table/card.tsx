import { VisuallyHidden } from '@mantine/core';
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { useCallback, useMemo, useRef, useState, type FocusEvent, type MouseEvent, type RefObject } from 'react';
import { useLocation } from 'wouter';
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
import { columnsOf, TableFoot, TableHead } from './head.tsx';
import { RowLine } from './lines.tsx';
import { found, type Row } from './rows.ts';

interface Props {
  readonly state: UrlState;
  readonly view: CostsView;
}

/** The figures of the chart as a table: every group beside the period before. */
export function TableCard({ state, view }: Props) {
  const { rows, question } = view;
  const { range, groups } = question;
  const find = state.one('find') ?? '';
  const shown = useMemo(() => found(rows, find), [rows, find]);
  const title = titleOf(question);
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
        </>
      }
    >
      <CostsTable label={`Costs b${title.slice(1)}`} state={state} view={view} rows={shown} isFound={find !== ''} />
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

/** Rows beyond which only those in sight are drawn. */
const most = 100;

interface CostsTableProps {
  readonly label: string;
  readonly state: UrlState;
  readonly view: CostsView;
  /** Sorted, and narrowed to what is searched for. */
  readonly rows: readonly Row[];
  /** Whether they are what was found of more. */
  readonly isFound: boolean;
}

/** Up to a thousand rows. Long tables scroll in a frame of their own with head and total in sight. */
function CostsTable({ label, state, view, rows, isFound }: CostsTableProps) {
  const isLong = rows.length > most;
  const { ref, pieces, onFocus } = useWindow(rows.length, isLong);
  const columns = columnsOf(view);
  const follow = useFollow(ref);
  return (
    // The frame takes the focus, so that the arrow keys scroll it.
    // oxlint-disable-next-line no-noninteractive-tabindex
    <div
      ref={ref}
      className={isLong ? `${classes.scroll} ${classes.long}` : classes.scroll}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <table
        className={view.question.groups[1] ? `${classes.table} ${classes.slim}` : classes.table}
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

/** A click anywhere in a line follows its first link without loading the console again; with Ctrl and the like, or on
 *  another link, the browser does. */
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
      // The line is gone with what is shown next: the focus stays in the table.
      frame.current?.focus({ preventScroll: true });
      frame.current?.scrollTo(0, 0);
      scrollTo(0, 0);
    },
    [go, frame],
  );
}

/** Room for lines that are out of sight. */
function Room({ height }: { readonly height: number }) {
  return (
    <tr aria-hidden>
      <td className={classes.gap} style={{ height }} />
    </tr>
  );
}

/** Height of a line of a long table in px: nothing breaks there. */
const lineHeight = 38;

/** What stands in the table from top to bottom: lines by their index, and room of so many px for those out of sight. */
export type Piece = { readonly line: number } | { readonly room: number };

interface Window {
  /** The frame that scrolls. */
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly pieces: readonly Piece[];
  /** Notes the line that has the focus: it stays drawn, wherever one scrolls. */
  onFocus(event: FocusEvent): void;
}

/** Which of many lines are in sight. All of them are where the table is short. */
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

/** Lines with room for those between them that are not drawn. */
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

/** The line that an element stands in. */
function lineOf(element: Element): number | null {
  const line = element.closest('tr')?.dataset['line'];
  return line === undefined ? null : Number(line);
}
