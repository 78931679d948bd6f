import { viewerOf, type Context } from '../../graph/context.ts';
import { batched, relation } from '../../graph/relations.ts';
import { UserType } from '../login/graphql-types.ts';
import { listPeople } from './store.ts';

/** Loads the member referenced by a record, as a `User`; null if the user is no longer a member of the organization. */
const memberOf = batched(async (userIds: readonly (string | null)[], ctx) => {
  const known = [...new Set(userIds.filter((id) => id !== null))];
  const people = known.length === 0 ? [] : await listPeople(ctx.deps.db, viewerOf(ctx).scope, known);
  const byId = new Map(people.map((person) => [person.id, person]));
  return userIds.map((id) => (id === null ? null : (byId.get(id) ?? null)));
});

/** Columns that reference a member. */
const columns = {
  actorId: { actorId: true },
  assigneeId: { assigneeId: true },
  createdBy: { createdBy: true },
  createdById: { createdById: true },
  statusChangedById: { statusChangedById: true },
} as const;

/** Options of a field that leads from a record to a member: `t.field(memberRelation('createdById', '…'))`.
 *  @param column the one that references the member */
export function memberRelation<Column extends keyof typeof columns>(column: Column, description: string) {
  return {
    ...relation,
    type: UserType,
    nullable: true,
    description,
    select: columns[column],
    resolve: (row: Readonly<Record<Column, string | null>>, _args: object, ctx: Context) => memberOf(row[column], ctx),
  } as const;
}
