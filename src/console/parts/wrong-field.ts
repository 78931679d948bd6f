import { useCallback, useEffect, useRef, type RefObject } from 'react';

/** For forms: once one was sent, its first wrong field is gone to, by whom ever the fault was found, here or on the server.
 *  @returns where the form goes, and what it calls as it is sent */
export function useWrongField(isBusy: boolean): { readonly form: RefObject<HTMLFormElement | null>; sent(): void } {
  const form = useRef<HTMLFormElement>(null);
  const wasSent = useRef(false);
  useEffect(() => {
    if (!wasSent.current || isBusy) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!wrong) return;
    wasSent.current = false;
    wrong.focus();
  });
  const sent = useCallback(() => {
    wasSent.current = true;
  }, []);
  return { form, sent };
}
