import { useRef, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { columns, type Step } from './layout.ts';

/** Height of a row and space between rows and columns, in px; as in dashboards.module.css. */
export const rowHeight = 76;
export const gap = 16;

type Kind = 'move' | 'resize';

interface Drag {
  readonly id: string;
  readonly kind: Kind;
  readonly startX: number;
  readonly startY: number;
  /** Columns and rows that the widget has moved so far. */
  readonly across: number;
  readonly down: number;
}

/** Lets widgets be moved and resized by their grips, with a mouse, a pen, a finger or the arrow keys.
 *  @param onStep called for each column or row that the pointer passes, or for each key */
export function useGridDrag(grid: RefObject<HTMLElement | null>, onStep: (id: string, step: Step) => void) {
  const drag = useRef<Drag | null>(null);
  const end = () => {
    drag.current = null;
  };
  const move = (event: PointerEvent) => {
    const { current } = drag;
    if (!current || !grid.current) return;
    const column = (grid.current.clientWidth + gap) / columns;
    const across = Math.round((event.clientX - current.startX) / column);
    const down = Math.round((event.clientY - current.startY) / (rowHeight + gap));
    const [dx, dy] = [across - current.across, down - current.down];
    if (dx === 0 && dy === 0) return;
    drag.current = { ...current, across, down };
    onStep(current.id, stepOf(current.kind, dx, dy));
  };
  /** Event handlers of a grip. */
  return (id: string, kind: Kind) => ({
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      // Prevents text selection.
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { id, kind, startX: event.clientX, startY: event.clientY, across: 0, down: 0 };
    },
    onPointerMove: move,
    onPointerUp: end,
    onPointerCancel: end,
    onKeyDown(event: KeyboardEvent) {
      const arrow = arrows.get(event.key);
      if (!arrow) return;
      event.preventDefault();
      onStep(id, stepOf(kind, arrow[0], arrow[1]));
    },
  });
}

const arrows = new Map<string, readonly [across: number, down: number]>([
  ['ArrowLeft', [-1, 0]],
  ['ArrowRight', [1, 0]],
  ['ArrowUp', [0, -1]],
  ['ArrowDown', [0, 1]],
]);

function stepOf(kind: Kind, across: number, down: number): Step {
  return kind === 'move' ? { x: across, y: down } : { w: across, h: down };
}
