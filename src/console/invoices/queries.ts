import * as operations from '../../../schema/operations.ts';
import { graphql, type RecordOf } from '../api/graphql.ts';

export const InvoicesQuery = graphql(operations.invoices, [graphql(operations.InvoiceFields)]);

/** Invoice in the list. */
export type InvoiceRow = RecordOf<typeof InvoicesQuery>;

/** Sets the amount; the answer has all fields, so that the dialog can be opened again before the list is refetched. */
export const SetInvoiceAmount = graphql(
  `
    mutation SetInvoiceAmountOf($id: ID!, $statedAmount: Decimal!, $ifTypedAmount: Decimal) {
      setInvoiceAmount(id: $id, statedAmount: $statedAmount, ifTypedAmount: $ifTypedAmount) {
        ...InvoiceFields
      }
    }
  `,
  [graphql(operations.InvoiceFields)],
);

export const DeleteInvoiceAmount = graphql(operations.deleteInvoiceAmount);
