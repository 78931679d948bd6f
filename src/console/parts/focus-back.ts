import { useEffect } from 'react';

/** What had the focus last outside of dialogs and menus: what opened them. */
let opener: HTMLElement | null = null;

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && !target.closest('[role="dialog"], [role="menu"]')) opener = target;
});

/** Whether the focus is lost: what had it went away. */
const isLost = () => document.activeElement === null || document.activeElement === document.body;

/** Gives the focus back to what opened a dialog, or, where that is gone, to the page, once the dialog is closed. */
export function useFocusBack(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    return () => {
      // Some are gone at once, others when they have faded.
      for (const ms of [20, 160]) setTimeout(giveBack, ms);
    };
  }, [isOpen]);
}

function giveBack(): void {
  if (isLost()) opener?.focus({ preventScroll: true });
  if (isLost()) document.getElementById('main')?.focus({ preventScroll: true });
}
