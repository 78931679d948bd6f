import { useMemo } from 'react';
import { graphql, type ResultOf } from '../api/graphql.ts';
import { useAnswer } from '../api/use-api.ts';
import type { Choice } from '../parts/list/filters.tsx';

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

const InvoiceIssuers = graphql(`
  query InvoiceIssuers {
    invoices(perPage: 100) {
      data {
        issuer
      }
    }
  }
`);

/** Issuers of the hundred newest invoices. */
export function useIssuerChoices(options: { readonly pause?: boolean } = {}): Choice[] {
  const { data } = useAnswer(InvoiceIssuers, {}, options);
  return useMemo(() => {
    const issuers = new Set((data?.invoices?.data ?? []).flatMap(({ issuer }) => issuer ?? []));
    return [...issuers].toSorted().map((value) => ({ value, label: value }));
  }, [data]);
}

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
