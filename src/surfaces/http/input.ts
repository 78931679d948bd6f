import { getNamedType, isInputObjectType, type GraphQLField, type GraphQLInputObjectType } from 'graphql';

/** The argument of every mutation that creates or changes a record. */
export const inputName = 'input';

/** The type of the argument `input`, as in `createBudget(input: CreateBudgetInput!)`; null for a field without one. In REST
 *  the fields of the type are the body. */
export function inputOf({ args }: Pick<GraphQLField<unknown, unknown>, 'args'>): GraphQLInputObjectType | null {
  const argument = args.find(({ name }) => name === inputName);
  const type = argument && getNamedType(argument.type);
  return isInputObjectType(type) ? type : null;
}
