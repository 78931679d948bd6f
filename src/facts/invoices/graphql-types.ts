import {
  answerType,
  day,
  decimal,
  exposed,
  int,
  month,
  of,
  orNull,
  text,
  uuid,
  type Shape,
} from '../../graph/answers.ts';
import { builder } from '../../graph/builder.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { pageType } from '../../graph/paging.ts';
import { namedAccount } from '../../tenancy/accounts/graphql.ts';
import { conversionOf, convertedAmountText, convertedInText, ownCurrency } from '../graphql.ts';

/** Result of comparing an invoice with its lines. */
export const InvoiceStatusType = wordEnum('InvoiceStatus', 'Result of comparing an invoice with its lines.', {
  matched: 'The stated amount equals the sum of the lines, to within half of the currency’s smallest unit.',
  different: 'The stated amount differs from the sum of the lines.',
  provisional:
    'Too early to compare: the month has not ended, its lines are not complete, or they have no invoice id yet. At most until 10 days after the month.',
  missing:
    'The month is final, but there is no stated amount, or there are no lines although the stated amount is not 0.',
});

const StatedSourceType = wordEnum('StatedAmountSource', 'Origin of a stated amount.', {
  typed: 'Entered by a member. Takes precedence over a delivered amount.',
  delivered: 'Delivered by the provider, in FOCUS Invoice Detail files.',
});

const inCurrency = 'in `currency`, rounded to 6 decimals';

const invoiceFields = {
  id: uuid('Id of the invoice, derived from its account, billing month, issuer, number and currency.'),
  accountId: uuid('The connected account.'),
  billingPeriod: month('Billing month.'),
  issuer: orNull(text('FOCUS InvoiceIssuerName; null if the bill has none.')),
  invoiceId: orNull(text('FOCUS InvoiceId: the provider’s invoice number. Null for lines without one.')),
  billingAccountId: orNull(text('FOCUS BillingAccountId; null for none or several.')),
  currency: text('Billing currency, ISO 4217.'),
  lineItems: int('Number of its lines on the bill.'),
  billedAmount: orNull(decimal(`Sum of FOCUS BilledCost of its lines, ${inCurrency}. Null without lines.`)),
  statedAmount: orNull(
    decimal(
      `Amount of the invoice: entered by a member, else delivered by the provider, ${inCurrency}. Null if neither.`,
    ),
  ),
  statedSource: orNull(of(StatedSourceType, 'Origin of `statedAmount`.')),
  typedAmount: orNull(decimal(`Amount entered by a member, ${inCurrency}.`)),
  deliveredAmount: orNull(decimal(`Amount delivered by the provider, ${inCurrency}.`)),
  difference: orNull(decimal(`\`statedAmount\` minus \`billedAmount\`, ${inCurrency}. Null if one is missing.`)),
  status: of(InvoiceStatusType, 'Result of the comparison.'),
  dataFrom: orNull(
    day(
      'First day with charges in the bill of the billing month. Corrections can be dated in earlier months. Null without a bill.',
    ),
  ),
  dataTo: orNull(day('Last day with charges in the bill of the billing month; null without a bill.')),
};

/** An invoice compared with its lines. */
export type Invoice = Shape<typeof invoiceFields>;

const ConvertedInvoiceType = answerType('ConvertedInvoice', 'Amounts of an invoice in the organization’s currency.', {
  currency: ownCurrency,
  billedAmount: orNull(decimal(convertedAmountText('billedAmount'))),
  statedAmount: orNull(decimal(convertedAmountText('statedAmount'))),
  difference: orNull(decimal(convertedAmountText('difference'))),
});

/** The GraphQL type of an invoice. */
export const InvoiceType = builder.objectRef<Invoice>('Invoice').implement({
  description:
    'An invoice of a provider for a billing month, compared with its lines on the bill. Lines without an invoice number are one invoice per issuer.',
  fields: (t) => ({
    ...exposed(t, invoiceFields),
    converted: t.field({
      type: ConvertedInvoiceType,
      nullable: true,
      description: convertedInText('the billing month'),
      resolve: async ({ currency, billingPeriod, billedAmount, statedAmount, difference }, _args, ctx) => {
        const to = await conversionOf({ currency, month: billingPeriod }, ctx);
        return (
          to && {
            currency: to.currency,
            billedAmount: to.of(billedAmount),
            statedAmount: to.of(statedAmount),
            difference: to.of(difference),
          }
        );
      },
    }),
    account: t.prismaField(namedAccount('The connected account.')),
  }),
});

export const InvoicePage = pageType('Invoice', InvoiceType);
