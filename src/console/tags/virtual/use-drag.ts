import { useState, type PointerEvent, type RefObject } from 'react';

/** An item that is dragged, and the index that it is dropped at. */
interface Drag {
  readonly from: number;
  readonly to: number;
}

/** Lets the items of a list be dragged by their grips, with a mouse, a pen or a finger. Pointer events, because touch screens have
 *  no HTML drag and drop.
 *  @param onMove called once, when an item is dropped at another index */
export function useDrag(list: RefObject<HTMLElement | null>, onMove: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const end = () => setDrag(null);
  const gripOf = (index: number) => ({
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      // Prevents text selection.
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from: index, to: index });
    },
    onPointerMove(event: PointerEvent) {
      if (!drag || !list.current) return;
      const items = [...list.current.children];
      const to = indexAt(items, drag.from, event.clientY);
      items[to]?.scrollIntoView({ block: 'nearest' });
      setDrag({ ...drag, to });
    },
    onPointerUp() {
      if (drag && drag.to !== drag.from) onMove(drag.from, drag.to);
      end();
    },
    onPointerCancel: end,
  });
  /** Drop position of the dragged item, relative to an item. */
  const placeOf = (index: number): 'dragged' | 'before' | 'after' | undefined => {
    if (drag === null) return undefined;
    if (index === drag.from) return 'dragged';
    if (index !== drag.to) return undefined;
    return drag.to < drag.from ? 'before' : 'after';
  };
  return { gripOf, placeOf };
}

/** Number of other items whose middle is above a y coordinate. */
function indexAt(items: readonly Element[], from: number, y: number): number {
  return items.filter((item, index) => {
    const { top, height } = item.getBoundingClientRect();
    return index !== from && top + height / 2 < y;
  }).length;
}
