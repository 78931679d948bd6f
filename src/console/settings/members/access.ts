/** Ids of the accounts that somebody may see; null for every account. */
export type Access = readonly string[] | null;

/** The three kinds of access, as the form has them. */
export type AccessKind = 'all' | 'some' | 'none';

/** What a form of account access holds. */
export interface AccessChoice {
  readonly kind: AccessKind;
  /** Accounts chosen for `some`. */
  readonly ids: readonly string[];
}

/** The choice that stands for an access. */
export function choiceOf(access: Access): AccessChoice {
  if (access === null) return { kind: 'all', ids: [] };
  return { kind: access.length === 0 ? 'none' : 'some', ids: access };
}

/** The access that a choice stands for. */
export function accessOf({ kind, ids }: AccessChoice): string[] | null {
  if (kind === 'all') return null;
  return kind === 'none' ? [] : [...ids];
}

/** What keeps a choice from being one; null when nothing does. */
export function accessFault({ kind, ids }: AccessChoice): string | null {
  return kind === 'some' && ids.length === 0 ? 'Choose at least one account' : null;
}
