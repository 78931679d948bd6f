/** Not written yet. */
export function ForcedSetUp({ onDone }: { readonly onDone: () => void }) {
  return <button onClick={onDone}>…</button>;
}
