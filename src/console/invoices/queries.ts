import * as operations from '../../../schema/operations.ts';
import { graphql, type RecordOf } from '../api/graphql.ts';

export const InvoicesQuery = graphql(operations.invoices, [graphql(operations.InvoiceFields)]);

/** Invoice in the list. */
export type InvoiceRow = RecordOf<typeof InvoicesQuery>;

export const SetInvoiceAmount = graphql(operations.setInvoiceAmount);

export const DeleteInvoiceAmount = graphql(operations.deleteInvoiceAmount);
