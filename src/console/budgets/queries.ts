import * as operations from '../../../schema/operations.ts';
import type { Tone } from '../parts/page/card.tsx';
import { graphql, type ResultOf } from '../api/graphql.ts';

const BudgetRow = graphql(operations.BudgetRow);

export const BudgetsQuery = graphql(operations.budgets, [BudgetRow]);

const BudgetFields = graphql(operations.BudgetFields);

/** One budget with all details. */
export const BudgetQuery = graphql(operations.budget, [BudgetFields]);

export const CreateBudget = graphql(operations.createBudget);

export const UpdateBudget = graphql(operations.updateBudget);

export const DeleteBudget = graphql(operations.deleteBudget);

/** Budget in the list. */
export type BudgetRow = ResultOf<typeof BudgetRow>;

/** Budget with all details. */
export type BudgetDetails = ResultOf<typeof BudgetFields>;

/** Colour of a budget's meter, by status. */
export const toneOf = { OK: 'good', WARNING: 'warn', EXCEEDED: 'bad' } as const satisfies Record<
  BudgetRow['status'],
  Tone
>;
