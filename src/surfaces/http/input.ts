import { getNamedType, isInputObjectType, type GraphQLField, type GraphQLInputObjectType } from 'graphql';

/** Name of the argument of every mutation that creates or changes a record. */
export const inputName = 'input';

/** The type of the `input` argument, as in `createBudget(input: CreateBudgetInput!)`; null for a field without one.
 *  In REST, its fields are the body. */
export function inputOf({ args }: Pick<GraphQLField<unknown, unknown>, 'args'>): GraphQLInputObjectType | null {
  const argument = args.find(({ name }) => name === inputName);
  const type = argument && getNamedType(argument.type);
  return isInputObjectType(type) ? type : null;
}
