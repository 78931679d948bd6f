/** Changed fields only. Sending an account, even an unchanged one, would lift the restriction on entries whose owner has
 *  left. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const old = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(old.get(key)) !== JSON.stringify(value),
  );
  return Object.fromEntries(changed) as Partial<Fields>;
}

/** Changed fields of a record, empty if there are none. The API refuses them if others have changed the record in the
 *  meantime: fields depend on each other, as a threshold does on its metric.
 *  @param updatedAt time of the record's last change when the form read it */
export function changesSince<Fields extends object>(
  updatedAt: string,
  before: Fields,
  after: Fields,
): Partial<Fields> & { readonly ifUnmodifiedSince?: string } {
  const changes = changedFields(before, after);
  return Object.keys(changes).length > 0 ? { ...changes, ifUnmodifiedSince: updatedAt } : changes;
}
