import type { BudgetDetails } from './queries.ts';

type CostBasis = BudgetDetails['costMetric'];

/** Which cost can be held against a budget, in words. */
export const costBases = {
  EFFECTIVE: { label: 'Effective cost', description: 'Commitments spread over what they cover' },
  BILLED: { label: 'Billed cost', description: 'As invoiced' },
  CONTRACTED: { label: 'Contracted cost', description: 'At negotiated prices, without commitments' },
  LIST: { label: 'List cost', description: 'At public prices' },
} as const satisfies Record<CostBasis, { label: string; description: string }>;

/** Every cost basis, the usual first. */
export const allCostBases = ['EFFECTIVE', 'BILLED', 'CONTRACTED', 'LIST'] as const satisfies readonly CostBasis[];
