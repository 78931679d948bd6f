import * as operations from '../../../schema/operations.ts';
import type { Tone } from '../parts/page/card.tsx';
import { graphql, type RecordOf } from '../api/graphql.ts';

export const BudgetsQuery = graphql(operations.budgets, [graphql(operations.BudgetFields)]);

/** One budget with all details. */
export const BudgetQuery = graphql(operations.budget, [graphql(operations.BudgetFields)]);

export const CreateBudget = graphql(operations.createBudget);

export const UpdateBudget = graphql(operations.updateBudget);

export const DeleteBudget = graphql(operations.deleteBudget);

/** Budget in the list. */
export type BudgetRow = RecordOf<typeof BudgetsQuery>;

/** Budget with all details. */
export type BudgetDetails = RecordOf<typeof BudgetQuery>;

/** Colour of a budget's meter, by status. */
export const toneOf = { OK: 'good', WARNING: 'warn', EXCEEDED: 'bad' } as const satisfies Record<
  NonNullable<BudgetRow['status']>,
  Tone
>;
