import { VisuallyHidden } from '@mantine/core';
import { useCallback, type MouseEvent, type RefObject } from 'react';
import { useLocation } from 'wouter';
import type { UrlState } from '../parts/url-state.ts';
import classes from './costs.module.css';
import type { Row } from './rows.ts';
import { TableFoot } from './table-foot.tsx';
import { columnsOf, TableHead } from './table-head.tsx';
import { RowLine } from './table-lines.tsx';
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
  /** Whether they are what was found of more. */
  readonly isFound: boolean;
}

/** Up to a thousand rows. Long tables scroll in a frame of their own with head and total in sight. */
export function CostsTable({ label, state, view, rows, isFound }: Props) {
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
