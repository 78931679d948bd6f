import { Prisma } from '../../prisma/generated/client/client.ts';
import { AppError, arg, conflict, fix, invalid, message } from '../kit/errors/errors.ts';
import { isUuid } from '../kit/ids.ts';
import type { Selection } from '../tenancy/accounts/about.ts';
import type { Assignee } from '../tenancy/people/assignee.ts';

// Shared by anomalies and recommendations: assignees, notes, and changes of several at once.

/** Assignee and note in a change; absent: unchanged. */
export interface TriageInput {
  /** Id of a user; null: none. */
  assigneeId?: string | null;
  note?: string | null;
}

/** Preconditions of a change: what the client has read. Without them, the change is unconditional. */
export interface ReadCondition {
  /** Null: none. */
  ifNote?: string | null;
  ifStatus?: string | null;
}

/** The records of a change of several, and its precondition. */
export interface SeveralInput {
  readonly ids: readonly string[];
  /** The statuses that the client has read, in the order of the ids. Without them, the change is unconditional. */
  readonly ifStatus?: readonly string[] | null;
}

/** A change of records with the check of its precondition. */
export interface Checked<Row> {
  readonly ids: readonly string[];
  readonly query?: Selection;
  /** Checks the precondition on the locked rows. */
  check(rows: readonly Row[]): void;
}

/** The stored columns of a change. */
export interface TriageChange {
  readonly assigneeId?: string | null;
  readonly note?: string | null;
}

/** Bounds of a note. */
export const noteRule = { maxLength: 2_000 } as const;
/** Bounds of the ids of a change of several records. */
export const idsRule = { minItems: 1, maxItems: 100 } as const;

/** Limits of the transaction of a change, in milliseconds: it writes a few rows per record. */
export const bulkTransaction = { timeout: 60_000 } as const;

/** Parses a note: trimmed text, null to remove it. Undefined: not given.
 *  @throws {AppError} VALIDATION_ERROR when it is too long */
export function noteOf({ note }: TriageInput): string | null | undefined {
  if (note === undefined) return undefined;
  const text = note?.trim() ?? '';
  const { length } = [...text];
  if (length > noteRule.maxLength)
    throw invalid`${arg('note')} must be at most ${noteRule.maxLength} characters, not ${length}`;
  return text === '' ? null : text;
}

/** Rejects a change of a record whose note or status others have changed since the client read it. Compares the values, because
 *  syncs also change the time of the last change.
 *  @throws {AppError} CONFLICT */
export function requireRead(
  before: { readonly note: string | null; readonly status: string },
  { ifNote, ifStatus }: ReadCondition,
): void {
  if (ifNote !== undefined && ifNote !== before.note)
    throw conflict`${arg('if_note')} is not the current note${fix}reload it, then apply your change again`;
  if (typeof ifStatus === 'string' && ifStatus !== before.status)
    throw conflict`${arg('if_status')} is not the current status${fix}reload it, then apply your change again`;
}

/** Rejects a change of several records if others have changed the status of one since the client read it.
 *  @param noun such as `anomaly`
 *  @throws {AppError} CONFLICT, which names the record; VALIDATION_ERROR if there is not one status per id */
export function requireAllRead(
  noun: string,
  rows: readonly { readonly id: string; readonly status: string }[],
  { ids, ifStatus }: SeveralInput,
): void {
  if (!ifStatus) return;
  if (ifStatus.length !== ids.length)
    throw invalid`${arg('if_status', ifStatus.length)} must have a status for each of the ${ids.length} ids`;
  const current = new Map(rows.map(({ id, status }) => [id, status]));
  ids.forEach((id, index) => {
    if (ifStatus[index] === current.get(id)) return;
    const stale = message`${arg(`if_status[${index}]`)} is not the current status of ${noun} "${id}"${fix}reload it, then apply your change again`;
    throw new AppError('CONFLICT', stale, { resourceId: id });
  });
}

/** Returns the distinct ids of a change of several records, in the given order.
 *  @throws {AppError} VALIDATION_ERROR if there are none or too many */
export function distinctIds(ids: readonly string[]): string[] {
  const { minItems, maxItems } = idsRule;
  if (ids.length < minItems || ids.length > maxItems)
    throw invalid`${arg('ids')} must have ${minItems} to ${maxItems} ids, not ${ids.length}`;
  return [...new Set(ids)];
}

/** Returns the columns and audit details of a change.
 *  @param note the parsed note */
export function triageChange({ assigneeId }: TriageInput, note: string | null | undefined, assignee: Assignee | null) {
  const change: TriageChange = {
    ...(assigneeId !== undefined && { assigneeId }),
    ...(note !== undefined && { note }),
  };
  const details = {
    ...(assigneeId !== undefined && { assignee: assignee?.email ?? null }),
    ...(note !== undefined && { note }),
  };
  return { change, details };
}

/** Filter by assignee; null means any. */
export interface AssigneeFilter {
  /** Ids of users. */
  readonly assigneeId?: readonly string[] | null;
  /** True: items without an assignee, in addition to those of the users. */
  readonly unassigned?: boolean | null;
}

/** Returns the conditions of a filter on the rows of an alias. An invalid id matches nothing. */
export function assignedTo(alias: string, { assigneeId, unassigned }: AssigneeFilter): Prisma.Sql[] {
  if (!assigneeId && unassigned !== true) return [];
  const column = Prisma.raw(`${alias}.assignee_id`);
  const own = Prisma.sql`${column} = ANY(${(assigneeId ?? []).filter(isUuid)}::uuid[])`;
  return [unassigned === true ? Prisma.sql`(${column} IS NULL OR ${own})` : own];
}
