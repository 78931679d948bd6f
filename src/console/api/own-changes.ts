import { isRecord } from './refusal.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Replaces the records in an answer by those of a mutation's answer that are newer: a form opened before the refetch would
 *  otherwise start from the values before the user's own change, and conflict with it.
 *  @param data answer to a query
 *  @param changed answer to the mutation */
export function withOwnChanges(data: unknown, changed: unknown): unknown {
  const records = new Map<unknown, Fields>();
  collect(changed, records);
  return records.size === 0 ? data : replaced(data, records);
}

function collect(value: unknown, records: Map<unknown, Fields>): void {
  if (Array.isArray(value)) for (const item of value) collect(item, records);
  if (!isRecord(value)) return;
  if (versionOf(value) !== null) records.set(value['id'], value);
  for (const part of Object.values(value)) collect(part, records);
}

function replaced(value: unknown, records: ReadonlyMap<unknown, Fields>): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, records));
  if (!isRecord(value)) return value;
  const newer = newerThan(value, records.get(value['id']));
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, newer && name in newer ? newer[name] : replaced(part, records)]),
  );
}

function newerThan(shown: Fields, changed: Fields | undefined): Fields | null {
  const [before, after] = [versionOf(shown), changed ? versionOf(changed) : null];
  return changed && before !== null && after !== null && before < after ? changed : null;
}

/** Time of a record's last change, in ISO 8601; null for anything else. */
function versionOf({ id, updatedAt }: Fields): string | null {
  return typeof id === 'string' && typeof updatedAt === 'string' ? updatedAt : null;
}
