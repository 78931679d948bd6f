import type { EnumRef, ObjectRef } from '@pothos/core';
import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { bounded, unclearable } from '../graph/bounded.ts';
import { builder } from '../graph/builder.ts';
import type { Context } from '../graph/context.ts';
import type { Selection } from '../tenancy/accounts/about.ts';
import { idsRule, noteRule } from './triage.ts';

// Shared by anomalies and recommendations.

/** Filters of lists by assignee. */
export const assigneeArgs = builder.args((t) => ({
  assigneeId: t.idList({ description: 'Only items assigned to these members (user UUIDs).' }),
  unassigned: t.boolean({
    description: 'True: only items without an assignee, in addition to those of `assigneeId`. Default: all.',
  }),
}));

type Types = (typeof builder)['$inferSchemaTypes'];
type InputFields = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;

/** Input fields of a change of one or of several records. */
export const triageFields = (t: InputFields) => ({
  assigneeId: t.id({
    description: 'User UUID of the assignee, who needs access to the account; null removes the assignee.',
  }),
  note: t.string({
    ...bounded(noteRule),
    description: 'Note in plain text, at most 2000 characters; null or blank removes it.',
  }),
});

/** Description of the input field with the precondition of a change of a status. */
export const ifStatusText =
  'The `status` that you have read: if the status has changed since, the update fails with `CONFLICT`.';

/** Input field with the precondition of a change of several records.
 *  @param type of a status */
export const ifStatusesField = <Status extends string>(t: InputFields, type: EnumRef<Types, Status>) =>
  t.field({
    ...unclearable({ maxItems: idsRule.maxItems }),
    type: [type],
    description:
      'The `status` of each record that you have read, in the order of `ids`: if one has changed since, the update fails with `CONFLICT`, and nothing changes.',
  });

/** Input field with the precondition of a change of a note. */
export const ifNoteField = (t: InputFields) =>
  t.string({
    ...bounded(noteRule),
    description:
      'The `note` that you have read, null for none: if the note has changed since, the update fails with `CONFLICT`.',
  });

/** Input field with the records of a change of several.
 *  @param noun such as `anomalies` */
export const idsField = (t: InputFields, noun: string) =>
  t.idList({ ...bounded(idsRule), required: true, description: `UUIDs of the ${noun}, 1 to 100.` });

/** Creates the type `Updated<plural>` with the changed records as `data`. */
export function updatedType<Item>(plural: string, item: ObjectRef<Types, Item>) {
  return builder.objectRef<{ readonly data: readonly Item[] }>(`Updated${plural}`).implement({
    description: 'The changed records.',
    fields: (t) => ({
      data: t.field({
        type: [item],
        description: 'The changed records, in the order of the request.',
        ...bounded({ maxItems: idsRule.maxItems }),
        // The root field already multiplies by the number of ids.
        complexity: { field: 1, multiplier: 1 },
        resolve: ({ data }) => data,
      }),
    }),
  });
}

/** Returns the complexity of a change of several records. */
export function updatedComplexity({ input }: { readonly input: { readonly ids: readonly unknown[] } }) {
  return { field: 1, multiplier: Math.min(Math.max(input.ids.length, 1), idsRule.maxItems) };
}

/** Resolves a mutation of type `updatedType`.
 *  @param update changes the records and reads the selected columns */
export function selectedUpdate<Args extends object, Item>(
  update: (ctx: Context, args: Args, query: Selection) => Promise<readonly Item[]>,
) {
  return async (_root: object, args: Args, ctx: Context, info: GraphQLResolveInfo) => {
    const { select } = queryFromInfo({ context: ctx, info, path: ['data'], select: { id: true } });
    return { data: await update(ctx, args, { select }) };
  };
}
