import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';

/** Name of the Pothos plugin. */
export const loadedColumns = 'loadedColumns' as const;

declare global {
  // Pothos discovers plugins by declaration merging.
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      [loadedColumns]: LoadedColumns<Types>;
    }
  }
}

/** Columns of a Prisma selection, including those of to-one relations. */
interface Columns {
  readonly [name: string]: true | Columns;
}

/** Resolves a field from the columns already loaded for its row. Pothos' Prisma plugin looks up, for every field of
 *  every row, which query loaded it; skipping that saves about a third of a list's CPU time. Comes before the Prisma
 *  plugin, which resolves the other fields. */
class LoadedColumns<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { kind, resolve: own, extensions }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const columns = kind === 'PrismaObject' ? columnsOf(extensions?.['pothosPrismaSelect']) : null;
    if (!columns || !own) return resolve;
    return (row, args, context, info) =>
      hasColumns(row, columns) ? own(row, args, context, info) : resolve(row, args, context, info);
  }
}

/** The columns that a field selects; null if its selection depends on arguments or includes to-many relations. */
function columnsOf(select: unknown): Columns | null {
  if (typeof select !== 'object' || select === null) return null;
  const columns: Record<string, true | Columns> = {};
  for (const [name, part] of Object.entries(select)) {
    const inner = part === true ? true : isOnlySelect(part) ? columnsOf(part.select) : null;
    if (inner === null) return null;
    columns[name] = inner;
  }
  return columns;
}

function isOnlySelect(part: unknown): part is { select: unknown } {
  return typeof part === 'object' && part !== null && Object.keys(part).join() === 'select';
}

function hasColumns(row: unknown, columns: Columns): boolean {
  if (row === null) return true;
  if (typeof row !== 'object' || Array.isArray(row)) return false;
  for (const name in columns) {
    const inner = columns[name];
    const value: unknown = Reflect.get(row, name);
    if (value === undefined || (inner !== true && inner && !hasColumns(value, inner))) return false;
  }
  return true;
}

SchemaBuilder.registerPlugin(loadedColumns, LoadedColumns);
