import { isRecord } from './refusal.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Updates the records in an answer with those of a mutation's answer, unless they are newer: a form opened before the refetch
 *  would otherwise start from the values before the user's own change, and conflict with it.
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
  if (typeof value['id'] === 'string') records.set(value['id'], value);
  for (const part of Object.values(value)) collect(part, records);
}

function replaced(value: unknown, records: ReadonlyMap<unknown, Fields>): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, records));
  if (!isRecord(value)) return value;
  const changed = records.get(value['id']);
  const newer = changed && !isNewer(value, changed) ? changed : null;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, newer && name in newer ? newer[name] : replaced(part, records)]),
  );
}

/** Whether a shown record was changed again after the answer. Times are in ISO 8601. */
function isNewer({ updatedAt: shown }: Fields, { updatedAt: changed }: Fields): boolean {
  return typeof shown === 'string' && typeof changed === 'string' && shown > changed;
}
