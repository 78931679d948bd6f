import { graphql, type ResultOf } from '../api/graphql.ts';

export const InvoicesQuery = graphql(`
  query Invoices(
    $status: [InvoiceStatus!]
    $accountId: [ID!]
    $issuer: [String!]
    $startMonth: Month
    $endMonth: Month
    $sortBy: InvoiceSort
    $page: Int
    $perPage: Int = 25
  ) {
    invoices(
      status: $status
      accountId: $accountId
      issuer: $issuer
      startMonth: $startMonth
      endMonth: $endMonth
      sortBy: $sortBy
      page: $page
      perPage: $perPage
    ) {
      data {
        id
        accountId
        billingPeriod
        issuer
        invoiceId
        currency
        billedAmount
        statedAmount
        statedSource
        typedAmount
        deliveredAmount
        difference
        status
      }
      pagination {
        page
        perPage
        total
        totalPages
      }
    }
  }
`);

/** Invoice in the list. */
export type InvoiceRow = NonNullable<ResultOf<typeof InvoicesQuery>['invoices']>['data'][number];

export const SetInvoiceAmount = graphql(`
  mutation SetInvoiceAmount($id: ID!, $statedAmount: Decimal!) {
    setInvoiceAmount(id: $id, statedAmount: $statedAmount) {
      id
    }
  }
`);

export const DeleteInvoiceAmount = graphql(`
  mutation DeleteInvoiceAmount($id: ID!) {
    deleteInvoiceAmount(id: $id)
  }
`);
