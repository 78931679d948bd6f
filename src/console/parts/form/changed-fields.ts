/** Changed fields only. Sending an account, even an unchanged one, would lift the restriction on entries whose owner has
 *  left. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const old = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(old.get(key)) !== JSON.stringify(value),
  );
  return Object.fromEntries(changed) as Partial<Fields>;
}

/** Changed fields of a record. A list or an object replaces the stored one, so the API refuses it if others have changed the
 *  record in the meantime.
 *  @param updatedAt time of the record's last change when it was read */
export function changesSince<Fields extends object>(
  updatedAt: string,
  before: Fields,
  after: Fields,
): Partial<Fields> & { readonly ifUnmodifiedSince?: string } {
  const changes = changedFields(before, after);
  const isReplaced = Object.values(changes).some((value) => typeof value === 'object' && value !== null);
  return isReplaced ? { ...changes, ifUnmodifiedSince: updatedAt } : changes;
}
