import type { Scope } from '../parts/choices/choices.tsx';
import { emailsFault, type RecipientChoice } from '../parts/form/recipients.tsx';
import type { Tone } from '../parts/page/card.tsx';
import type { BudgetDetails, BudgetRow } from './queries.ts';

/** Form state of a budget. */
export interface BudgetForm extends Scope, RecipientChoice {
  readonly name: string;
  /** Null while the field is empty. */
  readonly amount: number | null;
  readonly costMetric: BudgetDetails['costMetric'];
  readonly thresholds: readonly (number | null)[];
}

/** Validation errors by field; valid fields are absent. */
export type Faults = Readonly<Partial<Record<'name' | 'amount' | 'account' | 'thresholds' | 'emails', string>>>;

/** Maximum email addresses per budget. */
export const mostEmails = 20;
/** Maximum thresholds per budget. */
export const mostThresholds = 10;

/** Form state of a new budget. */
export const blank: BudgetForm = {
  name: '',
  amount: null,
  accountId: null,
  provider: null,
  service: null,
  costMetric: 'EFFECTIVE',
  thresholds: [80, 100],
  emails: [],
  slack: false,
};

/** Converts a budget to its form state. */
export function formOf({ alertThresholds, ...budget }: BudgetDetails): BudgetForm {
  const { name, amount, accountId, provider, service, costMetric, emails, slack } = budget;
  return { name, amount, accountId, provider, service, costMetric, thresholds: alertThresholds, emails, slack };
}

/** Validates what the client can check; the API validates the rest.
 *  @param mustName whether an account is required */
export function faultsOf(form: BudgetForm, mustName: boolean): Faults {
  const thresholds = thresholdsFault(form.thresholds);
  const emails = emailsFault(form.emails, mostEmails);
  return {
    ...(form.name.trim() === '' && { name: 'Enter a name' }),
    ...(!(form.amount !== null && form.amount > 0) && { amount: 'Enter an amount greater than 0' }),
    ...(mustName && form.accountId === null && { account: 'Choose an account' }),
    ...(thresholds && { thresholds }),
    ...(emails && { emails }),
  };
}

function thresholdsFault(thresholds: BudgetForm['thresholds']): string | null {
  if (thresholds.some((one) => one === null || !(one > 0 && one <= 1000)))
    return 'Each threshold is a percentage above 0 and at most 1000';
  return new Set(thresholds).size < thresholds.length ? 'Each threshold must be different' : null;
}

/** Converts form state to the API's input. */
export function valuesOf(form: BudgetForm) {
  const { thresholds, emails, ...rest } = form;
  return {
    ...rest,
    name: form.name.trim(),
    amount: form.amount ?? 0,
    alertThresholds: thresholds.filter((one) => one !== null),
    emails: [...emails],
  };
}

/** Labels of the cost bases. */
export const costBases = {
  EFFECTIVE: { label: 'Effective cost', description: 'Commitments amortized over the usage they cover' },
  BILLED: { label: 'Billed cost', description: 'As invoiced' },
  CONTRACTED: { label: 'Contracted cost', description: 'At negotiated prices, without commitments' },
  LIST: { label: 'List cost', description: 'At public prices' },
} as const satisfies Record<BudgetDetails['costMetric'], { label: string; description: string }>;

/** Cost basis choices, default first. */
export const costBasisChoices = (['EFFECTIVE', 'BILLED', 'CONTRACTED', 'LIST'] as const).map((value) => ({
  value,
  label: costBases[value].label,
}));

/** Colour of a budget's meter, by status. */
export const toneOf = { OK: 'good', WARNING: 'warn', EXCEEDED: 'bad' } as const satisfies Record<
  BudgetRow['status'],
  Tone
>;
