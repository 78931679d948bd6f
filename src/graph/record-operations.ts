import type { OutputRef } from '@pothos/core';
import type { ErrorCode } from '../kit/errors/errors.ts';
import type { Deps } from '../kit/deps.ts';
import type { RecordChange, RecordFields, RecordInput } from '../kit/record-fields.ts';
import type { Permission } from '../tenancy/auth/permissions.ts';
import type { Viewer } from '../tenancy/auth/scope.ts';
import { builder } from './builder.ts';
import { actorOf, viewerOf, type Context } from './context.ts';
import { recordInputs, type Shown } from './record-inputs.ts';
import { readRoute, writeRoute, type RestRoute } from './rest.ts';

type Actor = ReturnType<typeof actorOf>;

/** A kind of record that clients create, update and delete. */
interface RecordOperations<Fields extends RecordFields, Made extends { readonly id: string }> {
  /** Its GraphQL type. */
  readonly type: OutputRef;
  readonly tag: string;
  readonly path: RestRoute['path'];
  /** The permission that its changes require. */
  readonly can: Permission;
  readonly errors?: readonly ErrorCode[];
  /** True: changes can conflict with other records. */
  readonly conflicts?: true;
  readonly fields: Fields;
  /** How the API shows each field. */
  readonly shown: Readonly<Record<keyof Fields, Shown>>;
  readonly descriptions: {
    /** Such as `UUID of the rule.` */
    readonly id: string;
    readonly read: string;
    readonly create: string;
    readonly update: string;
    readonly remove: string;
  };
  read(deps: Deps, viewer: Viewer, id: string, query: object): Promise<object>;
  create(deps: Deps, viewer: Viewer, actor: Actor, input: RecordInput<Fields>): Promise<Made>;
  /** Called after the creation, to keep what only this response shows, such as a secret. */
  onCreated?(ctx: Context, made: Made): void;
  update(
    deps: Deps,
    viewer: Viewer,
    actor: Actor,
    change: RecordChange<Fields> & { readonly id: string },
  ): Promise<unknown>;
  remove(deps: Deps, viewer: Viewer, actor: Actor, id: string): Promise<void>;
}

/** Adds the operations on a kind of record with their routes: `alertRule`, `createAlertRule`, `updateAlertRule` and
 *  `deleteAlertRule`. Each list is declared with its filters elsewhere.
 *  @param name of its GraphQL type
 *  @param noun with its article: `an alert rule` */
export function recordOperations<
  Fields extends RecordFields,
  Made extends { readonly id: string } = { readonly id: string },
>(name: string, noun: string, record: RecordOperations<Fields, Made>): void {
  const { tag, path, can, errors = [], conflicts, descriptions } = record;
  const writeErrors: readonly ErrorCode[] = conflicts ? [...errors, 'CONFLICT'] : errors;
  const byId = builder.args((t) => ({ id: t.id({ required: true, description: descriptions.id }) }));
  const one = `${path}/{id}` as const;
  builder.queryField(`${name.charAt(0).toLowerCase()}${name.slice(1)}`, (t) =>
    t.prismaField({
      ...answering(record, (_ctx, { id }: { id: string }) => Promise.resolve(id)),
      description: descriptions.read,
      args: byId,
      ...readRoute(tag, one, { errors }),
    }),
  );
  const [CreateInput, UpdateInput] = recordInputs(name, noun, record.fields, record.shown);
  builder.mutationField(`create${name}`, (t) =>
    t.prismaField({
      ...answering(record, async (ctx, { input }: { input: RecordInput<Fields> }) => {
        const made = await record.create(ctx.deps, viewerOf(ctx), actorOf(ctx), input);
        record.onCreated?.(ctx, made);
        return made.id;
      }),
      description: descriptions.create,
      args: {
        input: t.arg({ type: CreateInput, required: true, description: `The ${noun.replace(/^an? /, '')} to create.` }),
      },
      ...writeRoute(tag, can, { path, status: 201, ...(conflicts && { errors: writeErrors }) }),
    }),
  );
  builder.mutationField(`update${name}`, (t) =>
    t.prismaField({
      ...answering(record, async (ctx, { id, input }: { id: string; input: RecordChange<Fields> }) => {
        await record.update(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, id });
        return id;
      }),
      description: descriptions.update,
      args: { ...byId, input: t.arg({ type: UpdateInput, required: true, description: 'Fields to change.' }) },
      ...writeRoute(tag, can, { method: 'PATCH', path: one, errors: [...errors, 'CONFLICT'] }),
    }),
  );
  builder.mutationField(`delete${name}`, (t) =>
    t.boolean({
      description: descriptions.remove,
      args: byId,
      ...writeRoute(tag, can, { method: 'DELETE', path: one, errors: writeErrors }),
      async resolve(_root, { id }, ctx) {
        await record.remove(ctx.deps, viewerOf(ctx), actorOf(ctx), id);
        return true;
      },
    }),
  );
}

/** Options of a field that performs an action and returns the selected fields of a record.
 *  @param act performs it, and returns the id of the record */
function answering<Args>(
  { type, read }: Pick<RecordOperations<RecordFields, { readonly id: string }>, 'type' | 'read'>,
  act: (ctx: Context, args: Args) => Promise<string>,
) {
  const resolve = async (query: object, _root: object, args: Args, ctx: Context) =>
    read(ctx.deps, viewerOf(ctx), await act(ctx, args), query);
  // Pothos infers the type of a record from its model, which is not known here.
  return { type, resolve } as never as { type: 'Budget'; resolve: () => never };
}
