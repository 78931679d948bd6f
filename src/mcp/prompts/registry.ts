import { checkBudgets } from './check-budgets.ts';
import { explainCostSpike } from './explain-cost-spike.ts';
import { findSavings } from './find-savings.ts';
import { monthlyCostReview } from './monthly-cost-review.ts';
import type { Prompt } from './prompt.ts';

/** Every prompt, in the order in which clients show them. */
export const prompts: readonly Prompt[] = [monthlyCostReview, explainCostSpike, findSavings, checkBudgets];
