import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { sessionState, subscribe } from '../../api/session.ts';
import { hash } from '../../words/hash.ts';
import { changedFields } from './changed-fields.ts';

/** State of a form. */
export interface FieldState {
  /** Values of the fields, plain data. */
  readonly form: object;
  /** Stored values; by default, those that the form started with. */
  readonly initial?: object;
  /** Changes some of the fields. */
  set(changes: object): void;
}

/** Fields that drafts never contain: passwords, codes, tokens and webhook addresses. */
export const secretFields: ReadonlySet<string> = new Set(['password', 'newPassword', 'code', 'token', 'secret', 'url']);

/** Changed fields of the forms that are open, by key. */
const open = new Map<string, () => object>();
/** Changed fields of the forms that the end of the session or a change of access removed, by key. Memory of the tab only: ASVS
 *  14.3.1 forbids leaving data in browser storage. */
const drafts = new Map<string, object>();
/** User and organization of the drafts. */
let owner: string | null = null;
let wasIn = false;

// Runs before React removes the page with its forms.
subscribe(() => {
  const state = sessionState();
  // Only a sign-out in this tab has no reason to show.
  if ((state.at === 'out' && state.because === null) || (state.at === 'in' && state.who !== owner)) drafts.clear();
  else if (state.at === 'out' && wasIn) for (const [key, changes] of open) drafts.set(key, changes());
  wasIn = state.at === 'in';
  if (state.at === 'in') owner = state.who;
});

/** Keeps the changed fields of the forms that a change of access removes from the page.
 *  @param access distinguishes what the user has access to */
export function useDraftsOfAccess(access: string): void {
  const before = useRef<ReadonlyMap<string, () => object>>(open);
  // Layout effects run before the cleanups that take removed forms out of `open`, other effects after them.
  useLayoutEffect(() => {
    before.current = new Map(open);
  }, [access]);
  useEffect(() => {
    for (const [key, changes] of before.current) if (!open.has(key)) drafts.set(key, changes());
  }, [access]);
}

/** Keeps the changed fields of a form when the session ends or access to it is lost, and restores them when the same user
 *  opens the form again with the same stored values.
 *  @param fields undefined if the form has nothing to keep
 *  @param initial stored values
 *  @param title distinguishes the forms of a page
 *  @returns a function that discards restored changes; null if none were restored */
export function useDraft(
  fields: FieldState | undefined,
  initial: object | undefined,
  isUnsaved: boolean,
  title: string,
): (() => void) | null {
  const key = useMemo(() => keyOf(title, initial), [title, initial]);
  const [isRestored, setRestored] = useState(false);
  // Saved or discarded, by whatever button.
  if (isRestored && !isUnsaved) setRestored(false);
  const form = fields?.form;
  useEffect(() => {
    if (!form || !initial) return;
    open.set(key, () => changesOf(initial, form));
    return () => void open.delete(key);
  }, [key, initial, form]);
  // Before the first paint.
  useLayoutEffect(() => {
    const draft = drafts.get(key);
    if (!fields || !draft) return;
    drafts.delete(key);
    if (Object.keys(draft).length === 0) return;
    fields.set(draft);
    setRestored(true);
  });
  return isRestored && fields && initial ? () => fields.set(initial) : null;
}

/** Identifies a form: its page, title and stored values. Contains only a hash of the values, which are data of the user. */
function keyOf(title: string, initial: object | undefined): string {
  // Numbers identify rows within this tab, and differ each time.
  const text = JSON.stringify([title, initial], (name, value: unknown) =>
    name === 'id' && typeof value === 'number' ? undefined : value,
  );
  return `${location.pathname} ${hash(text)}`;
}

function changesOf(initial: object, form: object): object {
  return Object.fromEntries(Object.entries(changedFields(initial, form)).filter(([name]) => !secretFields.has(name)));
}
