import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { useCallback, useRef, useState, type FocusEvent, type RefObject } from 'react';

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
export function useWindow(count: number, isLong: boolean): Window {
  const ref = useRef<HTMLDivElement>(null);
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
    getScrollElement: () => ref.current,
    estimateSize: () => lineHeight,
    overscan: 12,
    rangeExtractor,
    enabled: isLong,
  });
  const onFocus = useCallback((event: FocusEvent) => setFocused(lineOf(event.target)), []);
  const drawn = isLong
    ? virtualizer.getVirtualItems().map(({ index }) => index)
    : Array.from({ length: count }, (_, at) => at);
  return { ref, pieces: piecesOf(drawn, count), onFocus };
}

/** Lines with room for those between them that are not drawn. */
function piecesOf(drawn: readonly number[], count: number): Piece[] {
  const pieces: Piece[] = [];
  let next = 0;
  const leave = (until: number) => until > next && pieces.push({ room: (until - next) * lineHeight });
  for (const line of drawn) {
    leave(line);
    pieces.push({ line });
    next = line + 1;
  }
  leave(count);
  return pieces;
}

/** The line that an element stands in. */
function lineOf(element: Element): number | null {
  const line = element.closest('tr')?.dataset['line'];
  return line === undefined ? null : Number(line);
}
