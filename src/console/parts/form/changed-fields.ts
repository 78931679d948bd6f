/** Changed fields only. Sending an account, even an unchanged one, would lift the restriction on entries whose owner has
 *  left. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const old = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(old.get(key)) !== JSON.stringify(value),
  );
  return Object.fromEntries(changed) as Partial<Fields>;
}
