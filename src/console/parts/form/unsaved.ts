import { useEffect } from 'react';

/** Whether the page has changes that leaving it would discard; at most one form or draft per page uses it. */
let hasUnsaved = false;

/** Asks before links of the console, Back, closing the tab or reloading discard changes. Links with `data-discard` do not ask. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    hasUnsaved = true;
    addEventListener('beforeunload', askAtUnload);
    // Before React handles the click.
    addEventListener('click', askAtLink, true);
    window.navigation?.addEventListener('navigate', askAtTraversal);
    return () => {
      hasUnsaved = false;
      removeEventListener('beforeunload', askAtUnload);
      removeEventListener('click', askAtLink, true);
      window.navigation?.removeEventListener('navigate', askAtTraversal);
    };
  }, [isUnsaved]);
}

/** Whether the page may be left: nothing is unsaved, or the user agrees to discard it. */
export function mayLeave(): boolean {
  return !hasUnsaved || confirm('Leave without saving your changes?');
}

function askAtUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Asks at Back and Forward, in browsers that let a page stay. */
function askAtTraversal(event: NavigateEvent): void {
  if (event.navigationType === 'traverse' && event.cancelable && !mayLeave()) event.preventDefault();
}

function askAtLink(event: MouseEvent): void {
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href]');
  if (!link || link.target === '_blank' || link.hasAttribute('download') || 'discard' in link.dataset) return;
  // Those open another tab or window.
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  // A link to a part of the page, such as the table, stays on it.
  if (link.getAttribute('href')?.startsWith('#') || mayLeave()) return;
  event.preventDefault();
  event.stopPropagation();
}
