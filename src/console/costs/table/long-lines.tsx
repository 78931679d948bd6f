import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { Fragment, useCallback, useState, type ReactNode, type RefObject } from 'react';
import classes from '../costs.module.css';

/** Row height of a long table in px; its text does not wrap. */
const lineHeight = 38;

interface Props {
  /** The frame that scrolls the table. */
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly count: number;
  lineAt(index: number): ReactNode;
}

/** Body of a long table: renders the rows in the viewport, and the focused one, which stays wherever the user scrolls. */
export function LongLines({ frame, count, lineAt }: Props) {
  const [focused, setFocused] = useState<number | null>(null);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const drawn = defaultRangeExtractor(range);
      if (focused === null || focused >= count || drawn.includes(focused)) return drawn;
      return [...drawn, focused].toSorted((one, other) => one - other);
    },
    [focused, count],
  );
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => lineHeight,
    overscan: 12,
    rangeExtractor,
  });
  const pieces = piecesOf(
    virtualizer.getVirtualItems().map(({ index }) => index),
    count,
  );
  return (
    <tbody onFocus={({ target }) => setFocused(lineOf(target))}>
      {pieces.map((piece, at) =>
        'room' in piece ? (
          <Room key={at === 0 ? 'above' : `below-${at}`} height={piece.room} />
        ) : (
          <Fragment key={piece.line}>{lineAt(piece.line)}</Fragment>
        ),
      )}
    </tbody>
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

/** Table content from top to bottom: a row by index, or a spacer in px for rows outside the viewport. */
type Piece = { readonly line: number } | { readonly room: number };

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
