import {
  checkColumn,
  checkCurrency,
  checkInstant,
  checkNumber,
  checkReadable,
  checkText,
  type Columns,
  instantText,
  type RowCheck,
  textOf,
} from '../bill/layout.ts';
import type { Companion } from '../protocol.ts';
import { Refusal } from '../refusal.ts';

/** A FOCUS dataset other than Cost and Usage. */
interface Dataset {
  readonly companion: Companion;
  /** Name in the specification. */
  readonly name: string;
  /** Only this dataset has the column, apart from Cost and Usage. */
  readonly mark: string;
  /** Columns that we need; the specification requires more. */
  readonly required: readonly string[];
  checks(columns: Columns): RowCheck[];
}

/** The datasets of FOCUS 1.3 (Contract Commitment) and 1.4. Columns are those of focus.finops.org, version 1.4. */
const datasets: readonly Dataset[] = [
  {
    companion: 'invoice_detail',
    name: 'Invoice Detail',
    mark: 'InvoiceDetailId',
    required: [
      'InvoiceDetailId',
      'InvoiceId',
      'InvoiceIssuerName',
      'BillingPeriodStart',
      'BillingCurrency',
      'BilledCost',
    ],
    checks: (columns) => [
      ...['InvoiceDetailId', 'InvoiceId'].flatMap((name) => checkFilled(columns, name)),
      ...checkNumber(columns, 'BilledCost', false),
      ...checkInstant(columns, 'BillingPeriodStart'),
      ...checkCurrency(columns, 'BillingCurrency'),
      ...checkReadable(columns, 'InvoiceDetailLastUpdated', { nullable: true }),
      ...checkWord(columns, 'InvoiceIssueStatus', ['Open', 'Issued', 'Voided']),
      ...['InvoiceIssuerName', 'BillingAccountId'].flatMap((name) => checkText(columns, name)),
    ],
  },
  {
    companion: 'contract_commitment',
    name: 'Contract Commitment',
    mark: 'ContractCommitmentId',
    required: ['ContractCommitmentId', 'ContractCommitmentPeriodStart', 'ContractCommitmentPeriodEnd'],
    checks: (columns) => [
      ...checkFilled(columns, 'ContractCommitmentId'),
      ...['ContractCommitmentPeriodStart', 'ContractCommitmentPeriodEnd'].flatMap((name) =>
        checkInstant(columns, name),
      ),
      ...checkReadable(columns, 'ContractCommitmentLastUpdated', { nullable: true }),
      ...['ContractCommitmentCost', 'ContractCommitmentQuantity'].flatMap((name) => checkNumber(columns, name, true)),
      ...[...commitmentTexts, 'ServiceProviderName'].flatMap((name) => checkText(columns, name)),
    ],
  },
  {
    companion: 'billing_period',
    name: 'Billing Period',
    mark: 'BillingPeriodStatus',
    required: ['BillingPeriodStatus', 'BillingPeriodStart', 'InvoiceIssuerName'],
    checks: (columns) => [
      ...checkWord(columns, 'BillingPeriodStatus', ['Open', 'Closed']),
      ...checkFilled(columns, 'BillingPeriodStatus'),
      ...checkInstant(columns, 'BillingPeriodStart'),
      ...checkReadable(columns, 'BillingPeriodLastUpdated', { nullable: true }),
      ...checkText(columns, 'InvoiceIssuerName'),
    ],
  },
];

/** Texts of commitments that are kept, apart from the id. */
export const commitmentTexts = [
  'ContractId',
  'ContractCommitmentCategory',
  'ContractCommitmentType',
  'ContractCommitmentDescription',
  'ContractCommitmentUnit',
  'ContractCommitmentLifecycleStatus',
  'ContractCommitmentPaymentModel',
  'BillingCurrency',
] as const;

/** Every Cost and Usage file has these, and no companion does. */
const costAndUsage = ['EffectiveCost', 'ChargePeriodStart'];

/** Returns the dataset of a file by its columns; null for any other file. */
export function datasetOf(columns: Columns): Dataset | null {
  const has = (name: string) => columns.has(name.toLowerCase());
  return costAndUsage.some(has) ? null : (datasets.find(({ mark }) => has(mark)) ?? null);
}

/** Checks the header.
 *  @throws {Refusal} naming the missing columns */
export function requireColumns(file: string, { name, required }: Dataset, columns: Columns): void {
  const missing = required.filter((column) => !columns.has(column.toLowerCase())).map((column) => `"${column}"`);
  if (missing.length > 0)
    throw new Refusal(
      `${file}: ${missing.length === 1 ? 'column' : 'columns'} ${missing.join(', ')} missing, but FOCUS requires ${missing.length === 1 ? 'it' : 'them'} in the dataset ${name}; export with all FOCUS columns`,
    );
}

function checkFilled(columns: Columns, column: string): RowCheck[] {
  const checks = checkColumn(columns, column, { bad: (text) => `${text} IS NULL`, expected: 'a value' });
  return [...checks, ...checkText(columns, column)];
}

function checkWord(columns: Columns, column: string, words: readonly string[]): RowCheck[] {
  const list = words.map((word) => `'${word.toLowerCase()}'`).join(', ');
  return checkColumn(columns, column, {
    bad: (text) => `coalesce(lower(${text}) NOT IN (${list}), false)`,
    expected: `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
  });
}

/** Returns SQL for a time in ISO 8601, UTC; null if empty or absent. */
export function timeOf(columns: Columns, column: string): string {
  return `strftime(${instantText(textOf(columns, [column]))}, '%Y-%m-%dT%H:%M:%SZ')`;
}
