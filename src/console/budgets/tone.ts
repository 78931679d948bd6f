import type { BudgetRow } from './queries.ts';

/** The colour of a budget's meter. */
export function toneOf(status: BudgetRow['status']): 'good' | 'warn' | 'bad' {
  switch (status) {
    case 'OK':
      return 'good';
    case 'WARNING':
      return 'warn';
    case 'EXCEEDED':
      return 'bad';
    default:
      return status satisfies never;
  }
}
