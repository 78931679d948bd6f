import {
  GraphQLInputObjectType,
  TypeInfo,
  getNamedType,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type FieldNode,
  type NameNode,
} from 'graphql';
import type { Shape } from './shape.ts';

/** Translates an operation on the shape to the executable schema: names in the schema's spelling, with the REST
 *  spelling as aliases. Variables keep their REST names, so errors name what the client sent. */
export function translate(
  document: DocumentNode,
  { shape, spelling }: Pick<Shape, 'shape' | 'spelling'>,
): DocumentNode {
  const typeInfo = new TypeInfo(shape);
  const respellField = (node: FieldNode): FieldNode => {
    const type = typeInfo.getParentType()?.name ?? '';
    const original = spelling.original(type, node.name.value);
    const alias = node.alias ?? (original === node.name.value ? undefined : node.name);
    const args = node.arguments?.map((arg) => ({
      ...arg,
      name: named(arg.name, spelling.original(`${type}.${original}`, arg.name.value)),
    }));
    return { ...node, name: named(node.name, original), alias, arguments: args };
  };
  // Edit on leave: on enter, TypeInfo would look up the edited node by its new name.
  const visitor = {
    Field: { leave: respellField },
    ObjectField: {
      leave: (node: { name: NameNode }) => {
        const parent = getNamedType(typeInfo.getParentInputType());
        const type = parent instanceof GraphQLInputObjectType ? parent.name : '';
        return { ...node, name: named(node.name, spelling.original(type, node.name.value)) };
      },
    },
  };
  return visit(document, visitWithTypeInfo(typeInfo, visitor));
}

function named(node: NameNode, value: string): NameNode {
  return { ...node, value };
}
