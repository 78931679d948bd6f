import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { Limiter } from '../kit/process/limiter.ts';
import type { Context } from './context.ts';

/** Name of the Pothos plugin. */
export const places = 'places' as const;

declare global {
  // Pothos discovers plugins by declaration merging.
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      [places]: Places<Types>;
    }
  }
}

/** Maximum number of concurrent queries and mutations of one user, in all their requests. One needs at most two database
 *  connections, so some of the process's 20 remain free for other users, however long these wait, for example for a lock. */
const limitPerOwner = 8;

const limiter = new Limiter({ limit: Infinity, limitPerOwner });

/** Bounds the concurrent queries and mutations of each user; further ones wait. */
class Places<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { kind }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (kind !== 'Query' && kind !== 'Mutation') return resolve;
    return (parent, args, context, info) => {
      const { viewer, signal } = context as unknown as Context;
      if (!viewer) return resolve(parent, args, context, info);
      const work = async () => resolve(parent, args, context, info);
      return limiter.run(work, { owner: viewer.userId, ...(signal && { signal }) });
    };
  }
}

SchemaBuilder.registerPlugin(places, Places);
