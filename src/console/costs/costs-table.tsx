import { VisuallyHidden } from '@mantine/core';
import { useCallback, useMemo, useState, type MouseEvent, type RefObject } from 'react';
import { useLocation } from 'wouter';
import type { UrlState } from '../parts/url-state.ts';
import classes from './costs.module.css';
import { linesOf, type Line } from './lines.ts';
import type { Row } from './rows.ts';
import { TableFoot } from './table-foot.tsx';
import { TableHead } from './table-head.tsx';
import { RowLine, SubLine } from './table-lines.tsx';
import type { CostsView } from './use-costs.ts';
import { useWindow } from './use-window.ts';

/** Rows beyond which only those in sight are drawn. */
const most = 100;

interface Props {
  readonly label: string;
  readonly state: UrlState;
  readonly view: CostsView;
  /** Sorted, and narrowed to what is searched for. */
  readonly rows: readonly Row[];
  readonly sort: string;
  /** Whether they are what was found of more. */
  readonly isFound: boolean;
}

/** Up to tens of thousands of rows. Long tables scroll in a frame of their own, head and total always in sight. */
export function CostsTable({ label, state, view, rows, sort, isFound }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(() => linesOf(rows, open), [rows, open]);
  const isLong = lines.length > most;
  const { ref, pieces, onFocus } = useWindow(lines.length, isLong);
  const toggle = useCallback((key: string) => setOpen((was) => toggled(was, key)), []);
  const columns = useMemo(() => columnsOf(view), [view]);
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
      <table className={classes.table} aria-rowcount={lines.length + 2} onFocus={onFocus} onClick={follow}>
        <caption>
          <VisuallyHidden>{label}</VisuallyHidden>
        </caption>
        <TableHead
          columns={columns}
          sort={sort}
          onSort={(next) => state.set({ sort: next === '-cost' ? null : next })}
        />
        <tbody>
          {pieces.map((piece, at) => {
            if ('room' in piece)
              return <Room key={at === 0 ? 'above' : `below-${at}`} height={piece.room} columns={columns.length} />;
            const line = lines[piece.line];
            return (
              line && (
                <LineOf
                  key={line.key}
                  line={line}
                  index={piece.line}
                  state={state}
                  view={view}
                  columns={columns}
                  isOpen={open.has(line.key)}
                  onToggle={toggle}
                />
              )
            );
          })}
        </tbody>
        <TableFoot columns={columns} view={view} found={isFound ? rows : null} />
      </table>
    </div>
  );
}

/** A click anywhere in a line follows its link without loading the console again; with Ctrl and the like the browser does. */
function useFollow(frame: RefObject<HTMLDivElement | null>): (event: MouseEvent) => void {
  const [, go] = useLocation();
  return useCallback(
    (event) => {
      const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
      if (!(target instanceof Element) || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
      const link = target.closest('tr')?.querySelector('a');
      const onButton = target.closest('button') !== null;
      if (!link || onButton || getSelection()?.toString()) return;
      event.preventDefault();
      go(`${link.pathname}${link.search}`);
      // The line is gone with what is shown next: the focus stays in the table, and one sees the whole anew.
      frame.current?.focus({ preventScroll: true });
      frame.current?.scrollTo(0, 0);
      scrollTo(0, 0);
    },
    [go, frame],
  );
}

/** The columns that a table has. */
export type ColumnKey = 'name' | 'category' | 'provider' | 'cost' | 'share' | 'before' | 'change' | 'percent';

function columnsOf({ question: { group }, before }: CostsView): ColumnKey[] {
  const about: ColumnKey[] =
    group === 'service' ? ['category', 'provider'] : group === 'account' || group === 'region' ? ['provider'] : [];
  return ['name', ...about, 'cost', 'share', ...(before ? (['before', 'change', 'percent'] as const) : [])];
}

function toggled(open: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(open);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** Room for lines that are out of sight. */
function Room({ height, columns }: { readonly height: number; readonly columns: number }) {
  return (
    <tr aria-hidden>
      <td className={classes.gap} colSpan={columns} style={{ height }} />
    </tr>
  );
}

interface LineProps {
  readonly line: Line;
  readonly index: number;
  readonly state: UrlState;
  readonly view: CostsView;
  readonly columns: readonly ColumnKey[];
  readonly isOpen: boolean;
  onToggle(key: string): void;
}

function LineOf({ line, ...props }: LineProps) {
  return line.kind === 'row' ? (
    <RowLine row={line.row} {...props} />
  ) : (
    <SubLine row={line.row} sub={line.sub} {...props} />
  );
}
