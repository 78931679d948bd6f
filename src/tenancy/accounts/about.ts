import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, conflict, fix, forbidden, invalid, noneFound, notFound, unauthorized } from '../../kit/errors/errors.ts';
import { isUuid, requireById } from '../../kit/ids.ts';
import { inOrderOf, pageOfModel, type PageRequest, type Rows } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';
import { snakeOf } from '../../kit/text/case.ts';
import { writeAudit, type Actor } from '../audit/store.ts';
import { can } from '../auth/permissions.ts';
import { holdMember } from '../people/store.ts';
import { unknownAccount, type OrgScope, type Viewer } from '../auth/scope.ts';

// Shared by budgets, alert rules, tag policies and report schedules, which concern one account, or all accounts (null); by
// annotations, which concern one account or the organization; and by unit metrics, channels, saved views and dashboards, which
// concern none.

/** Filter for every read: only records within the scope. Records about all accounts are hidden from restricted
 *  members. */
export function inside({ organizationId, accountIds }: OrgScope): {
  organizationId: string;
  accountId?: { in: string[] };
} {
  return { organizationId, ...(accountIds && { accountId: { in: [...accountIds] } }) };
}

/** Checks that a record grants no more access than its creator has.
 *  @param plural the kind of record, such as `budgets`
 *  @throws {AppError} VALIDATION_ERROR for an account that is unknown or outside the scope; FORBIDDEN for all
 *  accounts with a restricted scope */
export async function checkAccount(db: Db, scope: OrgScope, accountId: string | null, plural: string): Promise<void> {
  if (accountId === null && scope.accountIds !== null)
    throw forbidden`${arg('account_id')} is required for your ${plural} because you have access to some accounts only${fix}set it to one of them`;
  if (accountId !== null && !(isUuid(accountId) && (await isAccount(db, scope, accountId))))
    throw unknownAccount(arg('account_id', accountId));
}

/** Whether the account is in the scope, connected or not. */
async function isAccount(db: Db, { organizationId, accountIds }: OrgScope, id: string): Promise<boolean> {
  if (accountIds !== null && !accountIds.includes(id)) return false;
  return (await db.account.count({ where: { organizationId, id } })) > 0;
}

/** The Prisma model of a kind of record. */
interface ReadModel {
  findMany(args: never): PromiseLike<unknown[]>;
  count(args: never): PromiseLike<number>;
}

interface Model extends ReadModel {
  create(args: never): PromiseLike<unknown>;
  update(args: never): PromiseLike<unknown>;
  deleteMany(args: never): PromiseLike<{ count: number }>;
}

/** A record as use cases see it. */
interface Thing {
  readonly id: string;
  readonly accountId?: string | null;
  readonly updatedAt: Date;
}

/** Where a kind of record is stored. */
interface StoredKind {
  /** Such as `Alert rule`. */
  readonly noun: string;
  /** Such as `alert rules`; with underscores, the name of the table. */
  readonly plural: string;
  readonly model: (db: Db) => ReadModel;
  /** Filter for every read; default: `inside`. */
  readonly visible?: (scope: OrgScope, db: Db) => object | Promise<object>;
}

/** A kind of record that members change, with its texts for messages and audit entries. */
interface RecordKind<Row, One extends Thing> extends StoredKind {
  readonly resourceType:
    | 'alert_rule'
    | 'annotation'
    | 'budget'
    | 'channel'
    | 'dashboard'
    | 'report_schedule'
    | 'saved_view'
    | 'tag_policy'
    | 'unit_metric'
    | 'virtual_tag';
  /** Maximum number of records per organization. */
  readonly limit: number;
  readonly model: (db: Db) => Model;
  readonly parse: (row: Row) => One;
  /** The details of an audit entry about one of its accounts. */
  readonly details: (record: One, accountId: string | null) => Prisma.InputJsonObject;
  /** The accounts it is about; default: its account. */
  readonly accountsOf?: (record: One) => readonly (string | null)[];
}

/** The columns and relations to read, as GraphQL selects them. */
export interface Selection {
  readonly select?: object | null | undefined;
  readonly include?: object | null | undefined;
}

/** The author of a change, and its time. */
export interface Author {
  readonly viewer: Viewer;
  readonly actor: Actor;
  readonly now: Date;
}

/** The columns that remove the filter which was added when a former owner left. */
export const freed = { isInherited: false, inheritedScope: [] };

/** A member can own the limit of a kind divided by this, so that one cannot block all others. Admins can own all. */
const memberPart = 4;

type Columns = Readonly<Record<string, unknown>> & { readonly accountId?: string | null | undefined };

/** A change of a locked record. */
interface Change {
  readonly data: Columns;
  /** The given fields, in GraphQL spelling. */
  readonly changed: readonly string[];
  /** Time of the record's last change when the client read it. */
  readonly ifUnmodifiedSince: Date | null | undefined;
}

/** Rejects a change of a record that others have changed since the client read it.
 *  @throws {AppError} CONFLICT */
export function requireUnmodified(
  noun: string,
  { updatedAt }: { readonly updatedAt: Date },
  since: Date | null | undefined,
): void {
  if (since && updatedAt > since)
    throw conflict`${arg('if_unmodified_since', since.toISOString())} is before the last change of the ${noun.toLowerCase()} at ${updatedAt.toISOString()}${fix}reload it, then apply your change again`;
}

/** Returns the time of the next change: strictly increasing, because it identifies a state of the record. */
export function nextChange({ updatedAt }: { readonly updatedAt: Date }, now: Date): Date {
  return new Date(Math.max(now.getTime(), updatedAt.getTime() + 1));
}

/** Reads of a kind of record, within a scope. */
export class StoredRecords<Row extends { readonly id: string }> {
  readonly #stored: StoredKind;

  constructor(kind: StoredKind) {
    this.#stored = kind;
  }

  protected async where(db: Db, scope: OrgScope, ...filters: readonly object[]) {
    const { visible = inside } = this.#stored;
    return { AND: [await visible(scope, db), ...filters] };
  }

  /** Returns a page of selected records, newest first by default. */
  async page(
    db: Db,
    scope: OrgScope,
    {
      filters,
      sort,
      nullable,
    }: { filters: readonly object[]; sort: Sort<string> | null; nullable?: readonly string[] },
    page: PageRequest & { select: { id: true } },
  ): Rows {
    const where = await this.where(db, scope, ...filters);
    return pageOfModel(this.#stored.model(db), where, sort, { ...page, ...(nullable && { nullable }) });
  }

  /** Returns selected records by id, in the order of the ids. */
  async select(db: Db, scope: OrgScope, ids: readonly string[], query: Selection): Promise<Row[]> {
    const where = await this.where(db, scope, { id: { in: [...ids] } });
    return inOrderOf(ids, (await this.#stored.model(db).findMany({ ...query, where } as never)) as Row[]);
  }

  /** Returns the selected fields of a record.
   *  @throws {AppError} NOT_FOUND for an unknown id, one of another organization, and one outside the scope alike */
  read({ db }: { readonly db: Db }, scope: OrgScope, id: string, query: Selection = {}): Promise<Row> {
    return requireById(this.#stored.noun, id, async () => (await this.select(db, scope, [id], query))[0]);
  }

  /** Locks a record until the transaction ends, which serializes changes, and returns it.
   *  @throws {AppError} NOT_FOUND */
  async lockRow(db: Db, scope: OrgScope, id: string): Promise<Row> {
    const [row] = await this.lockRows(db, scope, [id]);
    if (row === undefined) throw notFound(this.#stored.noun, id);
    return row;
  }

  /** Locks records until the transaction ends, and returns them in the order of the ids.
   *  @throws {AppError} NOT_FOUND, which names the ids that are unknown */
  async lockRows(db: Db, scope: OrgScope, ids: readonly string[]): Promise<Row[]> {
    const { noun, plural } = this.#stored;
    const table = Prisma.raw(plural.replaceAll(' ', '_'));
    const known = ids.filter(isUuid);
    // In the order of their ids, so that concurrent changes do not deadlock.
    if (known.length > 0)
      await db.$executeRaw`/* lockRecords */ SELECT 1 FROM ${table}
        WHERE organization_id = ${scope.organizationId}::uuid AND id = ANY(${known}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
    const rows = await this.select(db, scope, known, {});
    const found = new Set(rows.map(({ id }) => id));
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length > 0) throw noneFound(noun, plural, missing);
    return rows;
  }
}

/** The store of a kind of record, with the checks and audit entries of its changes. Changes need a transaction. */
export class Records<Row extends { readonly id: string }, One extends Thing> extends StoredRecords<Row> {
  readonly #kind: RecordKind<Row, One>;

  constructor(kind: RecordKind<Row, One>) {
    super(kind);
    this.#kind = kind;
  }

  /** Returns a record.
   *  @throws {AppError} NOT_FOUND */
  async find(db: Db, scope: OrgScope, id: string): Promise<One> {
    return this.#kind.parse(await this.read({ db }, scope, id));
  }

  /** Returns a record, locked until the transaction ends.
   *  @throws {AppError} NOT_FOUND */
  async lock(db: Db, scope: OrgScope, id: string): Promise<One> {
    return this.#kind.parse(await this.lockRow(db, scope, id));
  }

  /** Serializes additions to the organization's records of the kind until the transaction ends, so that concurrent ones cannot
   *  exceed the limits. */
  async lockAll(db: Db, { organizationId }: Pick<OrgScope, 'organizationId'>): Promise<void> {
    const key = `${this.#kind.plural} ${organizationId}`;
    await db.$executeRaw`/* lockAllRecords */ SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
  }

  /** Adds a record owned by the author.
   *  @throws {AppError} VALIDATION_ERROR for an unknown account, or if the organization or the author has too many records;
   *  FORBIDDEN for all accounts if the author has access to some only; UNAUTHORIZED if they are no longer a member */
  async add(db: Db, { viewer: { scope, userId, role }, actor, now }: Author, data: Columns): Promise<One> {
    const { limit, plural, model } = this.#kind;
    const { organizationId } = scope;
    // Records of a removed member are passed on once, so none may be added while that happens or afterwards.
    if ((await holdMember(db, scope, userId)) === null)
      throw unauthorized`You are no longer a member of this organization`;
    if (data.accountId !== undefined) await checkAccount(db, scope, data.accountId, plural);
    await this.lockAll(db, scope);
    if ((await model(db).count({ where: { organizationId } } as never)) >= limit)
      throw invalid`An organization can have at most ${limit} ${plural}${fix}delete one first`;
    const share = Math.ceil(limit / memberPart);
    const isAdmin = can(role, 'members.write');
    if (!isAdmin && (await model(db).count({ where: { organizationId, createdById: userId } } as never)) >= share)
      throw invalid`A member who is not an Admin can have at most ${share} of the ${limit} ${plural} of the organization${fix}delete one of yours first`;
    const own = { organizationId, createdById: userId, createdAt: now, updatedAt: now };
    const made = await this.#written(data, () => model(db).create({ data: { ...own, ...data } } as never));
    await this.#audit(db, actor, 'created', { states: [made] });
    return made;
  }

  /** Changes a locked record.
   *  @throws {AppError} as `add`; CONFLICT if the client has not read its last change */
  async change(
    db: Db,
    { viewer: { scope }, actor, now }: Author,
    before: One,
    { data, changed, ifUnmodifiedSince }: Change,
  ): Promise<One> {
    const { noun, plural, model } = this.#kind;
    requireUnmodified(noun, before, ifUnmodifiedSince);
    if (data.accountId !== undefined) await checkAccount(db, scope, data.accountId, plural);
    const where = { id: before.id, organizationId: scope.organizationId };
    const updatedAt = nextChange(before, now);
    const update = { where, data: { ...data, updatedAt } };
    const after = await this.#written(data, () => model(db).update(update as never));
    await this.#audit(db, actor, 'updated', { states: [before, after], changed });
    return after;
  }

  /** Deletes a record.
   *  @throws {AppError} NOT_FOUND if it is already gone */
  async remove(db: Db, scope: OrgScope, actor: Actor, record: One): Promise<void> {
    const where = await this.where(db, scope, { id: record.id });
    const { count } = await this.#kind.model(db).deleteMany({ where } as never);
    if (count === 0) throw notFound(this.#kind.noun, record.id);
    await this.#audit(db, actor, 'deleted', { states: [record] });
  }

  /** Locks a record and deletes it.
   *  @throws {AppError} NOT_FOUND */
  async delete({ db }: Pick<Deps, 'db'>, { scope }: Viewer, actor: Actor, id: string): Promise<void> {
    await db.$transaction(async (tx) => this.remove(tx, scope, actor, await this.lock(tx, scope, id)));
  }

  /** Runs a write of a record about an account, which may be deleted concurrently.
   *  @throws {AppError} VALIDATION_ERROR if the account is gone */
  async #written({ accountId = null }: Columns, write: () => PromiseLike<unknown>): Promise<One> {
    try {
      return this.#kind.parse((await write()) as Row);
    } catch (error) {
      const isGone = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003';
      throw isGone && accountId !== null ? unknownAccount(arg('account_id', accountId)) : error;
    }
  }

  /** Audits an action, with one entry for each account that the record was or is about: members restricted to one of
   *  them only see the entry of that one. */
  async #audit(
    db: Db,
    actor: Actor,
    verb: 'created' | 'updated' | 'deleted',
    { states, changed }: { readonly states: readonly One[]; readonly changed?: readonly string[] },
  ): Promise<void> {
    const { resourceType, details, accountsOf = ({ accountId = null }) => [accountId] } = this.#kind;
    const action = `${resourceType}_${verb}` as const;
    const about = new Map(states.flatMap((state) => accountsOf(state).map((accountId) => [accountId, state] as const)));
    for (const [accountId, state] of about) {
      const all = { ...details(state, accountId), ...(changed && { changed: changed.map(snakeOf) }) };
      await writeAudit(db, actor, { action, resourceType, resourceId: state.id, accountId, details: all });
    }
  }
}
