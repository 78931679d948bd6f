import { useEffect, useState } from 'react';
import { type FieldState, useDraft } from './drafts.ts';

/** Number of forms and drafts of the page with changes that leaving it would discard: a page's form can open a dialog with another
 *  one. */
let unsaved = 0;

interface Unsaved {
  /** Whether the fields may be discarded, because none has changed or the user agrees. */
  mayDiscard(): boolean;
  /** Discards changes that were restored; null if none were. */
  readonly discard: (() => void) | null;
}

/** Asks for confirmation before leaving the page discards changes to fields. Changes that the end of the session or a change of
 *  access interrupts are restored when the form is opened again.
 *  @param fields undefined if there is nothing to lose
 *  @param title distinguishes the forms of a page */
export function useUnsavedFields(fields: FieldState | undefined, title = ''): Unsaved {
  const [first] = useState(fields?.form);
  const initial = fields?.initial ?? first;
  const isUnsaved = JSON.stringify(fields?.form) !== JSON.stringify(initial);
  useUnsaved(isUnsaved);
  return { mayDiscard: () => !isUnsaved || agrees(), discard: useDraft(fields, initial, isUnsaved, title) };
}

/** Asks for confirmation before a console link, Back, closing the tab or a reload discards changes. Links with `data-discard`
 *  skip this. */
function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    unsaved += 1;
    addEventListener('beforeunload', askAtUnload);
    // Before React handles the click.
    addEventListener('click', askAtLink, true);
    window.navigation?.addEventListener('navigate', askAtTraversal);
    return () => {
      unsaved -= 1;
      if (unsaved > 0) return;
      removeEventListener('beforeunload', askAtUnload);
      removeEventListener('click', askAtLink, true);
      window.navigation?.removeEventListener('navigate', askAtTraversal);
    };
  }, [isUnsaved]);
}

/** Whether the page may be left: nothing is unsaved, or the user agrees to discard it. */
export function mayLeave(): boolean {
  return unsaved === 0 || agrees();
}

function agrees(): boolean {
  return confirm('Leave without saving your changes?');
}

function askAtUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Asks for confirmation on Back and Forward, in browsers that can cancel them. */
function askAtTraversal(event: NavigateEvent): void {
  if (event.navigationType === 'traverse' && event.cancelable && !mayLeave()) event.preventDefault();
}

function askAtLink(event: MouseEvent): void {
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href]');
  if (!link || link.target === '_blank' || link.hasAttribute('download') || 'discard' in link.dataset) return;
  // Clicks with these keys open another tab or window.
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  // A link to a part of the page, such as the table, stays on it.
  if (link.getAttribute('href')?.startsWith('#') || mayLeave()) return;
  event.preventDefault();
  event.stopPropagation();
}
